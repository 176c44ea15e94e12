/** What is too much, and what is not shown. */
import { type Problem, problem } from '../../kernel/problem.ts';
import { MAX_BYTES, MAX_PHOTOS, MAX_PIXELS, MAX_UPLOADS } from './schema.ts';
import { PICTURE_TYPES, type PictureType, type Size, sniff } from './sniff.ts';

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
