import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../kernel/problem.ts';
import { withoutEncoding } from './etag.ts';
import type { App } from './route.ts';
import { dateOf } from './send-file.ts';

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
