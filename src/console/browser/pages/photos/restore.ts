/** Puts a photo back that was taken out. */
import type { ManagedPhoto, PhotoList } from '../../../../features/media/schema.ts';
import { api, path } from '../../app/api.ts';
import { sendPicture } from './upload.ts';

export type Photo = ManagedPhoto;

const KEPT_HERE = /\/media\/[0-9a-f-]{36}$/i;

/** The address of a picture on this server, which may be known under another name. */
export const addressHere = ({ url }: Pick<Photo, 'url'>): string | undefined => KEPT_HERE.exec(url)?.[0];

export const isUploaded = (photo: Photo) => addressHere(photo) !== undefined;

export async function bytesOf(photo: Photo): Promise<Blob | undefined> {
  const address = addressHere(photo);
  if (!address) return undefined;
  const answer = await fetch(address).catch(() => undefined);
  return answer?.ok ? answer.blob() : undefined;
}

export interface Restoring {
  venueId: string;
  photo: Photo;
  bytes: Blob | undefined;
  /** The place that it had. */
  at: number;
}

export async function restore({ venueId, photo, bytes, at }: Restoring): Promise<void> {
  const { caption, url, width, height } = photo;
  const sent = bytes && (await sendPicture({ venueId, file: bytes, caption, ...ALONE() }));
  const address = path`/manage/venues/${venueId}/photos`;
  const { data: stored, etag } = await api.getTagged<PhotoList>(address);
  const others = stored.data.filter(({ id }) => id !== sent?.id);
  const data = others.toSpliced(at, 0, sent ?? ({ url, caption, width, height } as Photo));
  await api.put(address, { data }, { ifMatch: etag });
}

const ALONE = () => ({ onProgress: () => {}, signal: new AbortController().signal });
