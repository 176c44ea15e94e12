import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../../kernel/problem.ts';
import { routeOf } from '../route.ts';
import { compressNow, compressOnce, type Encoding, encodingFor } from './compression.ts';
import { encodedEtag, etagOf, findKnownEtag } from './etag.ts';
import { type Format, isAccepted, negotiate } from './negotiation.ts';
import { toToon } from './toon.ts';

/** A finished response body. It can be kept and sent any number of times. */
export interface Rendered {
  body: Buffer;
  contentType: string;
  etag: string;
}

const CONTENT_TYPES: Record<Format, string> = {
  json: 'application/json; charset=utf-8',
  toon: 'text/toon; charset=utf-8',
  'toon+json': 'application/vnd.service.toon+json; charset=utf-8',
};

/** The format that the caller accepts; throws `HTTP-N-406` when it accepts none of ours. */
export function formatOf(request: FastifyRequest): Format {
  const interfaceName = routeOf(request).interface ?? 'venue';
  const format = negotiate(request.headers.accept, interfaceName);
  if (format) return format;
  const vendor = interfaceName === 'listings' ? ', application/vnd.service.toon+json' : '';
  throw problem('HTTP-N-406', {
    detail: `This is available as application/json, text/toon${vendor}, and Accept allows none of these.`,
  });
}

/** For what there is in one form only. */
export function assertAccepted(request: FastifyRequest, mediaType: string): void {
  if (isAccepted(request.headers.accept, mediaType)) return;
  throw problem('HTTP-N-406', { detail: `This is available as ${mediaType}, which Accept does not allow.` });
}

export function render(value: unknown, format: Format): Rendered {
  const body = Buffer.from(textOf(value, format));
  return { body, contentType: CONTENT_TYPES[format], etag: etagOf(body, format) };
}

function textOf(value: unknown, format: Format): string {
  if (format === 'json') return JSON.stringify(value) ?? 'null';
  const toon = toToon(value);
  return format === 'toon' ? toon : JSON.stringify({ toon });
}

const VARY = 'Accept, Accept-Encoding';

/**
 * Sends an answer that is true only at the moment of the request: it must not be cached, so it carries no validator.
 * `writeJson` assembles the body from parts whose JSON already exists.
 */
export function sendLive<Value extends object>(
  reply: FastifyReply,
  value: Value,
  format: Format,
  writeJson: (value: Value) => string = liveJson,
): FastifyReply {
  const text = format === 'json' ? writeJson(value) : textOf(value, format);
  reply
    .header('vary', VARY)
    .header('cache-control', 'no-store')
    .header('content-type', CONTENT_TYPES[format]);
  return sendOnce(reply, text);
}

/** Longer texts are rare, and would block the event loop for too long. */
const MAX_SYNC_LENGTH = 1024 ** 2;

/**
 * Sends a text made for this caller alone, compressed if it is long and the caller accepts it. Synchronously:
 * handlers need not return the reply, and a handler that ends before anything is sent would be answered without a
 * body.
 */
export function sendOnce(reply: FastifyReply, text: string): FastifyReply {
  const accepted = reply.request.headers['accept-encoding'];
  // Most texts have as many bytes as characters or a few more.
  const encoding = accepted === undefined ? undefined : encodingFor(accepted, text.length);
  if (encoding === undefined || text.length > MAX_SYNC_LENGTH) return reply.send(text);
  return reply.header('content-encoding', encoding).send(compressNow(Buffer.from(text), encoding));
}

const jsonTexts = new WeakMap<object, string>();

/** A value that is sent again, as the very same object, need not be written out again. */
export function liveJson(value: object): string {
  return jsonTexts.getOrInsertComputed(value, JSON.stringify);
}

type Asked = Pick<IncomingMessage, 'method' | 'headers'>;

/** How a rendered body is sent. */
export interface Envelope {
  headers: Record<string, string>;
  encoding: Encoding | undefined;
  /** The caller has the body already: it gets 304 without one. */
  isKnown: boolean;
}

/**
 * Only reads carry a validator: after a write it would claim that the request's own bytes are what is stored
 * (RFC 9110, 9.3.4).
 */
export function envelopeOf(request: Asked, { body, contentType, etag }: Rendered): Envelope {
  const encoding = acceptedEncoding(request, body);
  const headers: Record<string, string> = { vary: VARY, 'cache-control': 'private, no-cache' };
  if (request.method === 'GET' || request.method === 'HEAD') {
    const known = findKnownEtag(request.headers['if-none-match'], etag, encoding);
    headers.etag = known ?? encodedEtag(etag, encoding);
    if (known !== undefined) return { headers, encoding, isKnown: true };
  }
  headers['content-type'] = contentType;
  if (encoding !== undefined) headers['content-encoding'] = encoding;
  return { headers, encoding, isKnown: false };
}

/**
 * Sends a rendered body, or 304 without one. `compress` gives the encoded form of a body that is kept in such forms.
 * Handlers return the reply: a long body may be sent as a stream.
 */
export function sendRendered(
  request: FastifyRequest,
  reply: FastifyReply,
  rendered: Rendered,
  compress: (encoding: Encoding) => Buffer | Readable = (encoding) => compressOnce(rendered.body, encoding),
): FastifyReply {
  const { headers, encoding, isKnown } = envelopeOf(request, rendered);
  reply.headers(headers);
  if (isKnown) return reply.code(304).send();
  return reply.send(encoding === undefined ? rendered.body : compress(encoding));
}

export const acceptedEncoding = ({ headers }: Asked, body: Buffer): Encoding | undefined =>
  encodingFor(headers['accept-encoding'], body.length);
