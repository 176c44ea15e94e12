import type { IncomingHttpHeaders } from 'node:http';
import { isTracing, runInSpan, type Span, startRoot } from '../../kernel/tracing.ts';
import { routeNameOf } from '../problems/method-not-allowed.ts';
import { clientIdOf } from '../request-hygiene.ts';
import { type App, routeOf } from '../route.ts';
import type { AnsweredRequest, SentReply } from './observers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | null;
  }
}

/**
 * A span for every request but those of monitoring, in the trace that the caller names with `traceparent`. Must be
 * installed before anything that asks the database.
 */
export function installTracing(app: App): void {
  app.decorateRequest('span', null);
  if (!isTracing()) return;
  app.addHook('onRequest', (request, reply, done) => {
    if (routeOf(request).isNeverShed) return done();
    const span = startRequestSpan(request.headers, request);
    request.span = span ?? null;
    // `close` comes once for every request, also when the caller went away before the answer.
    if (span?.isSampled)
      reply.raw.on('close', () => endRequestSpan(span, request, reply, reply.raw.writableEnded));
    runInSpan(span, done);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    // What follows a body runs where the last piece of it arrived.
    if (request.span) runInSpan(request.span, done);
    else done();
  });
}

/** Undefined where the trace would begin here and is not recorded. */
export function startRequestSpan(
  { traceparent, tracestate }: IncomingHttpHeaders,
  request: AnsweredRequest,
): Span | undefined {
  return startRoot(`${request.method} ${routeNameOf(request)}`, 'server', {
    traceparent: textOf(traceparent),
    tracestate: textOf(tracestate),
  });
}

const textOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined);

export function endRequestSpan(
  span: Span,
  request: AnsweredRequest,
  { statusCode, problemCode }: Pick<SentReply, 'statusCode' | 'problemCode'>,
  isAnswered: boolean,
): void {
  if (!span.isRecording()) return;
  span.set({
    'http.request.method': request.method,
    'http.route': routeNameOf(request),
    'http.response.status_code': isAnswered ? statusCode : undefined,
    'maitred.client_id': clientIdOf(request),
    'maitred.problem_code': problemCode ?? undefined,
  });
  if (!isAnswered) span.end('caller went away');
  else span.end(statusCode >= 500 ? (problemCode ?? String(statusCode)) : undefined);
}
