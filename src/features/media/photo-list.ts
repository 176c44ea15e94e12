/** Merges the list of photos in a request with the stored ones. */
import { invalid } from '../../kernel/problem.ts';
import { type PhotoRecord, photoUrl } from '../venues/service.ts';
import type { ManagedPhoto, PhotoEntry } from './schema.ts';

export interface StoredPhoto extends PhotoRecord {
  id: number;
}

export type NewPhoto = Omit<StoredPhoto, 'id' | 'mediaId'>;

export function photoView(photo: StoredPhoto, publicUrl: string): ManagedPhoto {
  const { id, caption, width, height } = photo;
  return { id, url: photoUrl(photo, publicUrl), caption, width, height };
}

/** The photos as they are to be, in their order: those without an id are new. */
export function arranged(
  entries: readonly PhotoEntry[],
  current: readonly StoredPhoto[],
  publicUrl: string,
): (StoredPhoto | NewPhoto)[] {
  const left = new Map(current.map((photo) => [photo.id, photo]));
  return entries.map((entry, index) => {
    const field = `data.${index}`;
    if (entry.id === undefined || entry.id === null)
      return { ...detailsOf(entry), url: linkIn(entry, field) };
    const known = left.get(entry.id);
    if (!known) throw invalid(`${field}.id`, 'is no photo of this venue, or named twice');
    left.delete(entry.id);
    return known.mediaId === null
      ? { ...known, ...detailsOf(entry), url: entry.url === known.url ? known.url : linkIn(entry, field) }
      : uploadedAs(entry, known, field, publicUrl);
  });
}

function detailsOf({ caption = null, width = null, height = null }: PhotoEntry) {
  return { caption, width, height };
}

/** Of a picture that is kept here only the words about it can change. */
function uploadedAs(entry: PhotoEntry, known: StoredPhoto, field: string, publicUrl: string): StoredPhoto {
  const shown = photoView(known, publicUrl);
  for (const name of ['url', 'width', 'height'] as const) {
    const said = entry[name] ?? shown[name];
    if (said !== shown[name])
      throw invalid(`${field}.${name}`, `is that of an uploaded picture, ${shown[name]}, and stays`);
  }
  return { ...known, caption: entry.caption ?? null };
}

function linkIn({ url }: PhotoEntry, field: string): string {
  const parsed = URL.parse(url);
  const isPlain = parsed?.username === '' && parsed.password === '';
  if (!isPlain || !/^https:\/\/[^\s/\\]\S*$/i.test(url))
    throw invalid(`${field}.url`, 'must be an address that begins with https://, without a user name');
  return url;
}
