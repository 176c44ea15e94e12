import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Problem } from '../../kernel/problem.ts';
import { PROBLEM_MEDIA_TYPE, problemBody, problemHeaders } from '../problems/problem-body.ts';
import { correlationIdOf, securityHeaders } from '../request-hygiene.ts';
import { tooManyCalls } from './rate-limit.ts';

const TOKENS_REMEMBERED = 1000;

/** Tokens whose last answer was 429. They get the same answer again, for less work. */
export interface OverLimit {
  note(request: IncomingMessage, answer: Answer): void;
  find(request: IncomingMessage): PlainRefusal | undefined;
}

interface Answer {
  getHeader(name: string): unknown;
}

interface Known {
  limit: number;
  resetMs: number;
  refusal: PlainRefusal;
  /** The remaining seconds that `refusal` states. */
  seconds: number;
}

export function rememberOverLimit(options: { publicUrl: string; nowMs: () => number }): OverLimit {
  const { publicUrl, nowMs } = options;
  const known = new Map<string, Known>();

  function knownAt(leftMs: number, limit: number, resetMs: number): Known {
    const refusal = plainRefusal(tooManyCalls(limit, leftMs), publicUrl, {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(resetMs / 1000),
    });
    return { limit, resetMs, refusal, seconds: Math.ceil(leftMs / 1000) };
  }

  return {
    note({ headers: { authorization: token } }, answer) {
      // Other limits answer 429 too, to callers that have calls left.
      if (token === undefined || Number(answer.getHeader('x-ratelimit-remaining') ?? 1) > 0) return;
      // Bounds the memory: any caller can send any number of invalid tokens.
      if (known.size >= TOKENS_REMEMBERED) known.clear();
      const resetMs = Number(answer.getHeader('x-ratelimit-reset')) * 1000;
      known.set(token, knownAt(resetMs - nowMs(), Number(answer.getHeader('x-ratelimit-limit')), resetMs));
    },
    find({ headers: { authorization: token } }) {
      const last = token === undefined ? undefined : known.get(token);
      if (token === undefined || last === undefined) return;
      const leftMs = last.resetMs - nowMs();
      if (leftMs <= 0) {
        known.delete(token);
        return;
      }
      if (Math.ceil(leftMs / 1000) === last.seconds) return last.refusal;
      const now = knownAt(leftMs, last.limit, last.resetMs);
      known.set(token, now);
      return now.refusal;
    },
  };
}

/** A refusal serialised once and sent many times. */
export interface PlainRefusal {
  status: number;
  /** Alternating names and values. */
  headers: string[];
  body: string;
  /** `latin1` skips the check for multi-byte characters, so it is written faster. */
  encoding: 'latin1' | 'utf8';
}

export function plainRefusal(
  problem: Problem,
  publicUrl: string,
  ownHeaders: Record<string, string> = {},
): PlainRefusal {
  // Text, because Node sends it together with the headers; a buffer is a second write and costs a third more.
  const body = JSON.stringify(problemBody(problem, { publicUrl }));
  const length = Buffer.byteLength(body);
  const headers = {
    ...securityHeaders(publicUrl),
    ...problemHeaders(problem),
    ...ownHeaders,
    'content-type': PROBLEM_MEDIA_TYPE,
    'content-length': String(length),
  };
  return {
    status: problem.status,
    headers: Object.entries(headers).flat(),
    body,
    encoding: length === body.length ? 'latin1' : 'utf8',
  };
}

/** Keeps the connection: Node reads and drops the rest of the body. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body, encoding }: PlainRefusal,
): void {
  response.writeHead(status, [...headers, 'x-correlation-id', correlationIdOf(request)]).end(body, encoding);
}
