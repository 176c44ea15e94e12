import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Problem } from '../kernel/problem.ts';
import { PROBLEM_MEDIA_TYPE, problemBody, problemHeaders } from './problem-body.ts';
import { correlationIdOf, securityHeaders } from './request-hygiene.ts';
import { logAnswered } from './request-log.ts';

/** A refusal in the shape that goes over the wire, made once and sent often. */
export interface PlainRefusal {
  status: number;
  code: string;
  /** Names and values in turn. */
  headers: string[];
  body: string;
}

export function plainRefusal(
  problem: Problem,
  publicUrl: string,
  ownHeaders: Record<string, string> = {},
): PlainRefusal {
  // As text, which Node sends together with the headers; bytes would be written beside them, at a third more.
  const body = JSON.stringify(problemBody(problem, { publicUrl }));
  const headers = {
    ...securityHeaders(publicUrl),
    ...problemHeaders(problem),
    ...ownHeaders,
    'content-type': PROBLEM_MEDIA_TYPE,
    'content-length': String(Buffer.byteLength(body)),
  };
  return { status: problem.status, code: problem.code, headers: Object.entries(headers).flat(), body };
}

/** In the log, where the pattern of the route would be: nobody has looked for one. */
const ROUTE = 'shed';

/** The connection stays: what is left of a body is read and dropped by Node. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, headers, body }: PlainRefusal,
  log: FastifyBaseLogger,
): void {
  const correlationId = correlationIdOf(request);
  response.writeHead(status, [...headers, 'x-correlation-id', correlationId]).end(body);
  logAnswered(log, {
    correlationId,
    method: request.method ?? '',
    route: ROUTE,
    status,
    durationMs: 0,
    clientId: undefined,
    code,
  });
}
