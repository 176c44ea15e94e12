import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../kernel/problem.ts';
import { coversEtag, etagOf } from './etag.ts';

export interface SentFile {
  /** Closed when it has been sent, or when it need not be. */
  file: FileHandle;
  contentType: string;
  cacheControl: string;
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
 * Sends a file, a part of it, or word that the caller has it (RFC 9110, 13 and 14). Everything is said about the one
 * file that is open, so that headers and bytes belong together even if another takes its name meanwhile.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, contentType, cacheControl }: SentFile,
): Promise<FastifyReply> {
  const facts = await file.stat();
  const { size } = facts;
  const validators = validatorsOf(facts);
  const isHead = request.method === 'HEAD';
  const isKnown = isNotModified(request.headers, validators);
  const part = isHead || isKnown ? undefined : wantedPart(request.headers, validators, size);
  if (isHead || isKnown || part === 'beyond') await file.close();
  if (part === 'beyond') throw problem('HTTP-N-416', { headers: { 'content-range': `bytes */${size}` } });

  reply.headers({
    etag: validators.etag,
    // The date of a file may lie a little ahead, and must not in an answer.
    'last-modified': new Date(Math.min(validators.modifiedMs, Date.now())).toUTCString(),
    'cache-control': cacheControl,
  });
  if (isKnown) return reply.code(304).send();
  const length = part ? part.end - part.start + 1 : size;
  reply.headers({ 'accept-ranges': 'bytes', 'content-type': contentType, 'content-length': length });
  if (isHead) return reply.send();
  if (part) reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${size}`);
  return reply.send(file.createReadStream(part));
}

/** A file that is never written to again is known by these; they are hashed, since its number is nobody's business. */
function validatorsOf({ ino, mtimeMs, size }: Stats): Validators {
  return {
    etag: etagOf(Buffer.from(`${ino} ${mtimeMs} ${size}`), 'file'),
    modifiedMs: Math.floor(mtimeMs / 1000) * 1000,
  };
}

function isNotModified(headers: IncomingHttpHeaders, { etag, modifiedMs }: Validators): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined) return coversEtag(known, etag);
  return modifiedMs <= dateOf(headers['if-modified-since']);
}

/** `NaN`, which compares with nothing, unless it is a date exactly as we write it. */
function dateOf(text: string | undefined): number {
  const date = new Date(text ?? Number.NaN);
  return date.toUTCString() === text ? date.getTime() : Number.NaN;
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
