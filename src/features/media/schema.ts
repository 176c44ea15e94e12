import { type Static, Type } from 'typebox';
import { MAX_INTEGER } from '../../http/manage-route.ts';
import { named, nullable, optional, published, text, URI } from '../../http/validation/schema-helpers.ts';
import { type Problem, problem } from '../../kernel/problem.ts';
import { PICTURE_TYPES, type PictureType, type Size, sniff } from './sniff.ts';

export const MAX_PHOTOS = 100;
/** That are not complete. */
const MAX_UPLOADS = 20;
/** Small enough that a part which is cut off is soon sent again. */
export const PART_BYTES = 512 * 1024;
export const MAX_BYTES = 10 * 1024 * 1024;
const MAX_PIXELS = 8000;

const closed = { additionalProperties: false };
const MAX_CAPTION = 500;

const pixels = Type.Integer({ minimum: 1, maximum: MAX_INTEGER });
const caption = Type.String({ maxLength: MAX_CAPTION });

export const ManagedPhoto = Type.Object(
  {
    id: Type.Integer({ description: 'What the photo is known by as long as it is there' }),
    url: text('Where the picture is', URI),
    caption: nullable(Type.String()),
    width: nullable(Type.Integer({ description: 'In pixels' })),
    height: nullable(Type.Integer({ description: 'In pixels' })),
  },
  named('ManagedPhoto', 'A photo of a venue'),
);
export type ManagedPhoto = Static<typeof ManagedPhoto>;

export const PhotoList = Type.Object(
  { data: Type.Array(ManagedPhoto, { description: 'In the order in which they are shown' }) },
  named('PhotoList', 'The photos of a venue'),
);
export type PhotoList = Static<typeof PhotoList>;

const PhotoEntry = Type.Object(
  {
    id: optional(
      Type.Integer({ minimum: 1, maximum: MAX_INTEGER }),
      'Of a photo that is there; absent: a new one, at an address of your own',
    ),
    url: Type.String({
      maxLength: 2000,
      description: 'An address that begins with https://. That of an uploaded picture stays as it is.',
    }),
    caption: optional(caption),
    width: optional(pixels, 'In pixels. Of an uploaded picture it is known'),
    height: optional(pixels, 'In pixels. Of an uploaded picture it is known'),
  },
  { ...closed, ...named('PhotoEntry', 'A photo as it is to be') },
);
export type PhotoEntry = Static<typeof PhotoEntry>;

export const PhotoListBody = Type.Object(
  {
    data: Type.Array(PhotoEntry, {
      maxItems: MAX_PHOTOS,
      description: 'In the order in which they are to be shown; those that are left out go',
    }),
  },
  {
    ...closed,
    ...named('PhotoListBody', 'The photos of a venue as they are to be'),
    examples: [
      { data: [{ id: 17, url: 'https://cdn.example/dining-room.jpg', caption: 'The dining room at noon' }] },
    ],
  },
);

export const UploadBody = Type.Object(
  {
    contentType: Type.String({ maxLength: 100, ...published({ enum: PICTURE_TYPES }) }),
    sizeBytes: Type.Integer({ minimum: 1, maximum: MAX_INTEGER, description: 'At most 10 MiB' }),
    caption: optional(caption, 'Of the photo that it will be'),
  },
  {
    ...closed,
    ...named('UploadBody', 'A picture that is going to be sent'),
    examples: [{ contentType: 'image/jpeg', sizeBytes: 1_400_000, caption: 'The terrace in June' }],
  },
);
export type UploadBody = Static<typeof UploadBody>;

export const Upload = Type.Object(
  {
    uploadId: Type.String({ format: 'uuid' }),
    contentType: Type.String(published({ enum: PICTURE_TYPES })),
    sizeBytes: Type.Integer(),
    caption: nullable(Type.String()),
    partBytes: Type.Integer({ description: 'How long each part is, except the last' }),
    parts: Type.Integer({ description: 'How many there are, numbered from 1' }),
    received: Type.Array(Type.Integer(), { description: 'Numbers of those that are here' }),
    expiresAt: Type.String({ format: 'date-time', description: 'What is not complete by then is dropped' }),
  },
  named('Upload', 'A picture on its way'),
);
export type Upload = Static<typeof Upload>;

export const UploadList = Type.Object(
  { data: Type.Array(Upload) },
  named('UploadList', 'Pictures on their way'),
);

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

/** What is too much, and what is not shown. */

const refused = (detail: string): Problem => problem('VENUE-N-011', { detail });

const KINDS = `Pictures are ${PICTURE_TYPES.join(', ')}.`;

/** Before any of it is sent. */
export function assertAnnounceable(contentType: string, sizeBytes: number): void {
  if (!PICTURE_TYPES.some((type) => type === contentType)) throw refused(KINDS);
  if (sizeBytes > MAX_BYTES) throw refused(`A picture has at most ${MAX_BYTES} bytes.`);
}

export function assertRoom({ photos, uploads = 0 }: { photos: number; uploads?: number }): void {
  if (photos >= MAX_PHOTOS)
    throw refused(`A venue has at most ${MAX_PHOTOS} photos, and this one has ${photos}.`);
  if (uploads >= MAX_UPLOADS)
    throw refused(
      `${uploads} uploads of this venue are not complete; complete or delete some of them first.`,
    );
}

/** What the bytes are, if they are what was announced and can be shown. */
export function readPicture(bytes: Buffer, announced: string): { type: PictureType; size: Size } {
  const picture = sniff(bytes);
  if (!picture) throw refused(`The file is no picture of a kind that is shown. ${KINDS}`);
  const { type, size } = picture;
  if (type !== announced) throw refused(`The file was announced as ${announced}, but is ${type}.`);
  if (!size) throw refused('The picture is damaged, or its end is missing.');
  if (size.width > MAX_PIXELS || size.height > MAX_PIXELS)
    throw refused(
      `The picture has ${size.width} × ${size.height} pixels; at most ${MAX_PIXELS} × ${MAX_PIXELS} are shown.`,
    );
  return { type, size };
}
