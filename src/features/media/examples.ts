import type { ManagedPhoto, Upload } from './schema.ts';

export const photoExample: ManagedPhoto = {
  id: 17,
  url: 'https://api.maitred.example/media/019a8a11-2f6c-7c1e-9d1a-3b52f0c4a7e1',
  caption: 'The terrace in June',
  width: 2400,
  height: 1600,
};

export const photosExample = { data: [photoExample] };

export const uploadExample: Upload = {
  uploadId: '019a8a12-5b0d-7a40-8c11-90d2a7f3b6c4',
  contentType: 'image/jpeg',
  sizeBytes: 1_400_000,
  caption: 'The terrace in June',
  partBytes: 524_288,
  parts: 3,
  received: [1],
  expiresAt: '2026-11-15T18:02:11.482Z',
};
