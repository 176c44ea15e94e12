import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ReadCache } from '../../db/read-cache.ts';
import { problem } from '../../kernel/problem.ts';
import { EncodedForms, type Encoding, encodingFor } from './compression.ts';
import { dateOf, encodedEtag, etagOf, findKnownEtag } from './etag.ts';

export interface SentFile {
  /** Closed when it has been sent, or when it need not be. */
  file: FileHandle;
  contentType: string;
  cacheControl: string;
  /** Compressed for callers that accept an encoding, except for range requests: ranges are those of the file. */
  isCompressible?: boolean;
}

/** What tells one state of a file from another. */
interface Validators {
  etag: string;
  /** In whole seconds, as HTTP has them. */
  modifiedMs: number;
}

interface Part {
  start: number;
  /** Included. */
  end: number;
}

/**
 * Sends a file, a range of it, or 304 (RFC 9110, 13 and 14). All headers describe the one open file, so that headers
 * and bytes match even if another file takes its name meanwhile.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, contentType, cacheControl, isCompressible = false }: SentFile,
): Promise<FastifyReply> {
  const { headers } = request;
  const facts = await file.stat();
  const { size } = facts;
  const validators = validatorsOf(facts);
  const isHead = request.method === 'HEAD';
  const encoding =
    isCompressible && headers.range === undefined ? encodingFor(headers['accept-encoding'], size) : undefined;
  const known = findKnown(headers, validators, encoding);
  const part = isHead || known ? undefined : wantedPart(headers, validators, size);
  const encoded = encoding && !known ? await readEncoded(file, validators.etag, encoding) : undefined;
  if (isHead || known || encoded || part === 'beyond') await file.close();
  if (part === 'beyond') throw problem('HTTP-N-416', { headers: { 'content-range': `bytes */${size}` } });

  reply.headers({
    etag: known ?? encodedEtag(validators.etag, encoding),
    // The date of a file may lie a little ahead, and must not in an answer.
    'last-modified': new Date(Math.min(validators.modifiedMs, Date.now())).toUTCString(),
    'cache-control': cacheControl,
    ...(isCompressible && { vary: 'Accept-Encoding' }),
  });
  if (known) return reply.code(304).send();
  const length = part ? part.end - part.start + 1 : (encoded?.length ?? size);
  reply.headers({ 'accept-ranges': 'bytes', 'content-type': contentType, 'content-length': length });
  if (encoding) reply.header('content-encoding', encoding);
  if (isHead) return reply.send();
  if (encoded) return reply.send(encoded);
  if (part) reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${size}`);
  return reply.send(file.createReadStream(part));
}

const kept = new ReadCache<EncodedForms>('feed_indexes', () => true);

/** The tag stands for the bytes of a file, so what is kept under it never grows old. */
async function readEncoded(file: FileHandle, etag: string, encoding: Encoding): Promise<Buffer> {
  const known = kept.get(etag);
  const form = known?.find(encoding);
  if (form) return form;
  const forms = known ?? new EncodedForms(await file.readFile(), 'kept');
  const made = await forms.make(encoding);
  kept.keep(kept.beginRead(), etag, forms, forms.bytes, []);
  return made;
}

/** These identify a file that is never written again; they are hashed, since the inode number is not public. */
function validatorsOf({ ino, mtimeMs, size }: Stats): Validators {
  return {
    etag: etagOf(Buffer.from(`${ino} ${mtimeMs} ${size}`), 'file'),
    modifiedMs: Math.floor(mtimeMs / 1000) * 1000,
  };
}

/** The tag of what the caller has, if that is what it would be sent. */
function findKnown(
  headers: IncomingHttpHeaders,
  { etag, modifiedMs }: Validators,
  encoding: Encoding | undefined,
): string | undefined {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return findKnownEtag(tags, etag, encoding);
  return modifiedMs <= dateOf(headers['if-modified-since']) ? encodedEtag(etag, encoding) : undefined;
}

const RANGE = /^bytes=(\d*)-(\d*)$/i;

/** Undefined: all of it, which is also the answer to several parts at once and to what makes no sense. */
function wantedPart(
  { range, 'if-range': state }: IncomingHttpHeaders,
  { etag, modifiedMs }: Validators,
  size: number,
): Part | 'beyond' | undefined {
  const [, first = '', last = ''] = RANGE.exec(range ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (state !== undefined && state !== etag && dateOf(String(state)) !== modifiedMs) return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start < size ? { start, end } : 'beyond';
}
