/** Sends a picture in parts. What a lost connection leaves behind is asked for, and the rest is sent. */
import type { ManagedPhoto, Upload } from '../../../../features/media/schema.ts';
import { ApiProblem, api, isConnected, path } from '../../app/api.ts';
import { missingParts, partRange } from './parts.ts';

export interface Sending {
  venueId: string;
  file: Blob;
  caption?: string | null;
  /** One that was begun before and is the same picture. */
  begun?: Upload | undefined;
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Undefined: it was complete already, and only the answer was lost. */
export async function sendPicture(sending: Sending): Promise<ManagedPhoto | undefined> {
  const { venueId, file, caption, onProgress, signal } = sending;
  const announced = { contentType: file.type, sizeBytes: file.size, ...(caption && { caption }) };
  let upload =
    sending.begun ??
    (await persistently(signal, () => api.post<Upload>(path`/manage/venues/${venueId}/uploads`, announced)));
  const address = path`/manage/venues/${venueId}/uploads/${upload.uploadId}`;
  for (const number of missingParts(upload)) {
    onProgress(upload.received.length / upload.parts);
    const { from, to } = partRange(upload, number);
    const part = file.slice(from, to, 'application/octet-stream');
    upload = await persistently(signal, () =>
      api.put<Upload>(`${address}/parts/${number}`, part, { signal }),
    );
  }
  onProgress(1);
  let isRepeated = false;
  return persistently(signal, async () => {
    try {
      return await api.post<ManagedPhoto>(`${address}/complete`);
    } catch (error) {
      // The upload is gone because the first attempt was carried out.
      if (isRepeated && error instanceof ApiProblem && error.status === 404) return undefined;
      // It will never be a photo, and takes the place of one that could.
      if (error instanceof ApiProblem) await api.remove(address).catch(() => {});
      isRepeated = true;
      throw error;
    }
  });
}

export const dropUpload = (venueId: string, uploadId: string) =>
  api.remove(path`/manage/venues/${venueId}/uploads/${uploadId}`);

/** Again whenever the connection is back. Refusals are final. */
async function persistently<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await act();
    } catch (error) {
      if (error instanceof ApiProblem || signal.aborted) throw error;
      await connectionIsBack();
    }
  }
}

const connectionIsBack = () =>
  new Promise<void>((resolve) => {
    const stop = isConnected.subscribe((isBack) => {
      if (!isBack) return;
      resolve();
      queueMicrotask(() => stop());
    });
  });
