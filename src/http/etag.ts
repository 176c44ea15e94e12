import { hash } from 'node:crypto';

const DIGEST_LENGTH = 27;

/** A strong validator: equal for equal bytes in the same form, and for nothing else. */
export function etagOf(body: Buffer, form: string): string {
  return `"${form}-${hash('sha256', body, 'base64url').slice(0, DIGEST_LENGTH)}"`;
}

/** Whether an `If-None-Match` header covers this tag. It compares weakly, so a `W/` prefix makes no difference. */
export function coversEtag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true;
  // A tag cannot hold a quote, so every second piece between quotes is the inside of one.
  const opaque = etag.slice(etag.indexOf('"') + 1, -1);
  return header.split('"').some((piece, index) => index % 2 === 1 && piece === opaque);
}
