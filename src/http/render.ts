import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../kernel/problem.ts';
import { coversEtag, etagOf } from './etag.ts';
import { type Format, negotiate } from './negotiation.ts';
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

/** The form the caller asked for; throws `HTTP-N-406` when it takes none of ours. */
export function formatOf(request: FastifyRequest): Format {
  const interfaceName = request.routeOptions.config.interface ?? 'venue';
  const format = negotiate(request.headers.accept, interfaceName);
  if (format) return format;
  const vendor = interfaceName === 'listings' ? ', application/vnd.service.toon+json' : '';
  throw problem('HTTP-N-406', {
    detail: `This is available as application/json, text/toon${vendor}, and Accept allows none of these.`,
  });
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

/**
 * Sends what was true at the moment of asking and may not be a moment later: nobody may keep it, so it carries no
 * validator. Whoever has the JSON of its parts puts it together with `writeJson`.
 */
export function sendLive<Value extends object>(
  reply: FastifyReply,
  value: Value,
  format: Format,
  writeJson: (value: Value) => string = liveJson,
): FastifyReply {
  const text = format === 'json' ? writeJson(value) : textOf(value, format);
  return reply
    .header('vary', 'Accept')
    .header('cache-control', 'no-store')
    .header('content-type', CONTENT_TYPES[format])
    .send(text);
}

const jsonTexts = new WeakMap<object, string>();

/** A value that is sent again, as the very same object, need not be written out again. */
export function liveJson(value: object): string {
  return jsonTexts.getOrInsertComputed(value, JSON.stringify);
}

/**
 * Sends a rendered body, or 304 without one when the caller already has it. Only reads carry a validator: after a
 * write it would claim that the request's own bytes are what is stored (RFC 9110, 9.3.4).
 */
export function sendRendered(request: FastifyRequest, reply: FastifyReply, rendered: Rendered): FastifyReply {
  reply.header('vary', 'Accept').header('cache-control', 'private, no-cache');
  if (request.method === 'GET' || request.method === 'HEAD') {
    reply.header('etag', rendered.etag);
    const known = request.headers['if-none-match'];
    if (known !== undefined && coversEtag(known, rendered.etag)) return reply.code(304).send();
  }
  return reply.header('content-type', rendered.contentType).send(rendered.body);
}
