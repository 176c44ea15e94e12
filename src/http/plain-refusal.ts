import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Problem } from '../kernel/problem.ts';
import { PROBLEM_MEDIA_TYPE, problemBody, problemHeaders } from './problem-body.ts';
import { correlationIdOf, securityHeaders } from './request-hygiene.ts';

/** A refusal in the shape that goes over the wire, made once and sent often. */
export interface PlainRefusal {
  status: number;
  /** Names and values in turn. */
  headers: string[];
  body: string;
  /** Plain characters are written sooner when nobody looks for others among them. */
  encoding: 'latin1' | 'utf8';
}

export function plainRefusal(
  problem: Problem,
  publicUrl: string,
  ownHeaders: Record<string, string> = {},
): PlainRefusal {
  // As text, which Node sends together with the headers; bytes would be written beside them, at a third more.
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

/** The connection stays: what is left of a body is read and dropped by Node. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body, encoding }: PlainRefusal,
): void {
  response.writeHead(status, [...headers, 'x-correlation-id', correlationIdOf(request)]).end(body, encoding);
}
