import type { VenueDocument } from '../features/venues/transfer/document.ts';

/** One photo per caption; the file is named after it. The host is reserved for examples and serves nothing. */
export function photosOf(folder: string, ...captions: string[]): VenueDocument['photos'] {
  return captions.map((caption, index) => ({
    url: `https://images.maitred.example/${folder}/${fileName(caption)}.jpg`,
    caption,
    width: index === 0 ? 2000 : 1600,
    height: index === 0 ? 1125 : 1067,
  }));
}

function fileName(caption: string): string {
  const plain = caption.normalize('NFD').replace(/\p{Mark}/gu, '');
  return plain
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
