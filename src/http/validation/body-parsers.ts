import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { invalid, problem } from '../../kernel/problem.ts';
import type { App } from '../route.ts';
import { OPTIONAL_BODY, validatorCompiler } from './validation.ts';

/** Bookings, orders and whatever else a partner sends fit in here; a route that takes more says so. */
export const BODY_LIMIT_BYTES = 64 * 1024;
/** Under `/manage`, where one body can be a whole menu or layout. */
export const DOCUMENT_LIMIT_BYTES = 1024 * 1024;
const MAX_DEPTH = 32;
/** Small members cost far more than their bytes, so a body may have one for every so many bytes of its limit. */
const BYTES_PER_MEMBER = 12;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Members of objects and entries of lists, and how deep they are nested. */
export interface BodyMeasure {
  members: number;
  depth: number;
}

/**
 * Counts commas and brackets outside strings in one pass, so that a body with too many members or levels is refused
 * before it is parsed. Stops at the first limit that is passed. An empty object or list counts as one.
 */
export function measureJson(json: Uint8Array, max: BodyMeasure): BodyMeasure {
  let members = 0;
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let i = 0; i < json.length && members <= max.members && deepest <= max.depth; i++) {
    const byte = json[i] as number;
    if (isInString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === COMMA) members++;
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      members++;
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth--;
  }
  return { members, depth: deepest };
}

/** Keys that could reach a prototype when the object is copied or merged. `\u` could spell them. */
const MAY_POISON = /__proto__|constructor|\\u/;

function poisons(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(poisons);
  if (Object.hasOwn(value, '__proto__')) return true;
  return Object.entries(value).some(
    ([key, inner]) => (key === 'constructor' && hasPrototypeKey(inner)) || poisons(inner),
  );
}

function hasPrototypeKey(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = /line (\d+) column (\d+)/.exec(error instanceof Error ? error.message : '');
    throw invalid(
      'body',
      place ? `is not valid JSON (line ${place[1]}, column ${place[2]})` : 'is not valid JSON',
    );
  }
}

/** The value of a JSON body, or a problem that says what is wrong with it. */
export function parseJsonBody(bytes: Buffer, limitBytes = BODY_LIMIT_BYTES): unknown {
  if (!isUtf8(bytes)) throw invalid('body', 'is not UTF-8');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw invalid('body', 'begins with a byte order mark; send it without');
  }
  const max = { members: Math.floor(limitBytes / BYTES_PER_MEMBER), depth: MAX_DEPTH };
  const { members, depth } = measureJson(bytes, max);
  if (depth > max.depth) throw invalid('body', `is nested deeper than ${max.depth} levels`);
  if (members > max.members) throw invalid('body', `has more than ${max.members} fields and entries`);
  const text = bytes.toString('utf8');
  const value = parse(text);
  if (MAY_POISON.test(text) && poisons(value)) throw invalid('body', 'has a key that is not allowed');
  return value;
}

/** Clients often announce JSON and send nothing where nothing is wanted; only a route that needs a body misses it. */
function mayBeEmpty(request: FastifyRequest): boolean {
  const body = request.routeOptions.schema?.body as object | undefined;
  return request.method === 'DELETE' || body === undefined || OPTIONAL_BODY in body;
}

function refuseCompressed({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw problem('HTTP-N-415', { detail: 'Compressed bodies are not accepted.' });
  }
}

function refuseOtherCharsets({ headers: { 'content-type': type } }: FastifyRequest): void {
  const charset = type === undefined ? null : /charset\s*=\s*"?([^\s";]+)/i.exec(type);
  if (charset && charset[1]?.toLowerCase() !== 'utf-8' && charset[1]?.toLowerCase() !== 'utf8') {
    throw problem('HTTP-N-415', { detail: 'Bodies are JSON in UTF-8.' });
  }
}

/** Replaces Fastify's parsers: `application/json` and `application/*+json`, everything else is refused with 415. */
export function installJsonBody(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/(?:[a-z0-9!#$&^_.-]+\+)?json(?:$|;)/,
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES },
    (request: FastifyRequest, bytes: Buffer, done: (error: Error | null, body?: unknown) => void) => {
      try {
        refuseCompressed(request);
        refuseOtherCharsets(request);
        if (bytes.length > 0) return done(null, parseJsonBody(bytes, request.routeOptions.bodyLimit));
        if (!mayBeEmpty(request)) throw invalid('body', 'is required');
        done(null, undefined);
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

/** Routes of this scope take bodies of any type as they are: signatures are over their bytes. */
export function installRawBody(scope: App): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES },
    async (request: FastifyRequest, bytes: Buffer) => {
      refuseCompressed(request);
      return bytes;
    },
  );
}

export const rawBodyOf = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

const MEDIA_TYPE = 'application/octet-stream';

/** What the OpenAPI document says of such a body. */
export const binaryBody = (description: string) => ({
  description,
  content: {
    [MEDIA_TYPE]: { schema: { type: 'string', format: 'binary', examples: ['(bytes of the file)'] } },
  },
});

/** Routes of this scope take bytes as they are, and nothing else. */
export function installBinaryBody(scope: App, bodyLimit: number): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    MEDIA_TYPE,
    { parseAs: 'buffer', bodyLimit },
    async (request: FastifyRequest, bytes: Buffer) => {
      refuseCompressed(request);
      return bytes;
    },
  );
  // There are no fields in bytes.
  scope.setValidatorCompiler((route) =>
    route.httpPart === 'body' ? () => true : validatorCompiler(route as never),
  );
}
