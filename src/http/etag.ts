import { hash } from 'node:crypto';
import type { Encoding } from './compression.ts';

const DIGEST_LENGTH = 27;

/** A strong validator: equal for equal bytes in the same form, and for nothing else. */
export function etagOf(body: Buffer, form: string): string {
  return `"${form}-${hash('sha256', body, 'base64url').slice(0, DIGEST_LENGTH)}"`;
}

/** Of the encoded bytes, which need a validator of their own. */
export function encodedEtag(etag: string, encoding: Encoding | undefined): string {
  return encoding === undefined ? etag : `${etag.slice(0, -1)}+${encoding}"`;
}

/** Whether an `If-None-Match` header covers this tag. It compares weakly, so a `W/` prefix makes no difference. */
export function coversEtag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true;
  // A tag cannot hold a quote, so every second piece between quotes is the inside of one.
  const opaque = etag.slice(etag.indexOf('"') + 1, -1);
  return header.split('"').some((piece, index) => index % 2 === 1 && piece === opaque);
}

/**
 * The tag that an answer without a body must carry, if the caller has what it would be sent: in this encoding, or
 * unencoded, which every client can read. Another encoding does not count: a cache would hand it to a caller that may not
 * know it.
 */
export function findKnownEtag(
  ifNoneMatch: string | undefined,
  etag: string,
  encoding: Encoding | undefined,
): string | undefined {
  if (ifNoneMatch === undefined) return undefined;
  const encoded = encodedEtag(etag, encoding);
  if (coversEtag(ifNoneMatch, encoded)) return encoded;
  return coversEtag(ifNoneMatch, etag) ? etag : undefined;
}

/** For `If-Match`, which is about what is stored: it does not matter in which encoding the caller got to see it. */
export function coversState(ifMatch: string, etag: string): boolean {
  return coversEtag(withoutEncoding(ifMatch), etag);
}

/** The same tags as they are for the unencoded bytes. */
export const withoutEncoding = (tags: string) => tags.replace(/\+(?:zstd|br|gzip)"/g, '"');
