import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../../kernel/problem.ts';
import type { App } from '../route.ts';
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

/**
 * `If-Match` and `If-Unmodified-Since` of reads. They come before `If-None-Match` and `Range` (RFC 9110, 13.2.2), so
 * they are checked when the answer is known with its validators. Writes check `If-Match` themselves, before they act.
 */
export function installPreconditions(app: App): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isConditional(request) || !isAnswer(reply) || holds(request, reply)) return done();
    if (payload instanceof Readable) payload.destroy();
    done(problem('HTTP-N-412'));
  });
}

function isConditional({ method, headers }: FastifyRequest): boolean {
  if (headers['if-match'] === undefined && headers['if-unmodified-since'] === undefined) return false;
  return method === 'GET' || method === 'HEAD';
}

const isAnswer = ({ statusCode }: FastifyReply) => statusCode < 300 || statusCode === 304;

function holds({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  const match = headers['if-match'];
  if (match !== undefined)
    return matchesStrongly(withoutEncoding(match), withoutEncoding(String(reply.getHeader('etag'))));
  // Without a date there is nothing to compare, and what is no date counts as not sent.
  const modifiedMs = dateOf(String(reply.getHeader('last-modified')));
  return !(modifiedMs > dateOf(headers['if-unmodified-since']));
}

const TAG = /(W\/)?"([^"]*)"/g;

/** A weak tag on either side never matches, and an answer without a tag matches none. */
function matchesStrongly(header: string, etag: string): boolean {
  if (header.trim() === '*') return true;
  return [...header.matchAll(TAG)].some(([tag, weak]) => weak === undefined && tag === etag);
}

/** `NaN`, which compares with nothing, unless it is a date exactly as we write it. */
export function dateOf(text: string | undefined): number {
  const date = new Date(text ?? Number.NaN);
  return date.toUTCString() === text ? date.getTime() : Number.NaN;
}
