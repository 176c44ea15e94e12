import type { Upload } from '../../../../features/media/schema.ts';

/** Numbers of the parts that are still to be sent. */
export const missingParts = ({ parts, received }: Pick<Upload, 'parts' | 'received'>): number[] =>
  Array.from({ length: parts }, (_, index) => index + 1).filter((number) => !received.includes(number));

/** Which bytes of the file a part is. */
export function partRange({ partBytes, sizeBytes }: Pick<Upload, 'partBytes' | 'sizeBytes'>, number: number) {
  const from = (number - 1) * partBytes;
  return { from, to: Math.min(from + partBytes, sizeBytes) };
}

/** An upload that was begun with this file, as far as that can be told without its name. */
export const begunWith = (uploads: readonly Upload[], file: { size: number; type: string }) =>
  uploads.find(({ sizeBytes, contentType }) => sizeBytes === file.size && contentType === file.type);
