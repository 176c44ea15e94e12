import type { FastifyReply, FastifyRequest } from 'fastify';
import { isTracing, runInSpan, type Span, startRoot } from '../../kernel/tracing.ts';
import { routeNameOf } from '../problems/method-not-allowed.ts';
import { clientIdOf } from '../request-hygiene.ts';
import { type App, routeOf } from '../route.ts';

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
    const { traceparent, tracestate } = request.headers;
    const name = `${request.method} ${routeNameOf(request)}`;
    const span = startRoot(name, 'server', {
      traceparent: textOf(traceparent),
      tracestate: textOf(tracestate),
    });
    request.span = span ?? null;
    // `close` comes once for every request, also when the caller went away before the answer.
    if (span?.isSampled) reply.raw.on('close', () => endSpan(request, reply));
    runInSpan(span, done);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    // What follows a body runs where the last piece of it arrived.
    if (request.span) runInSpan(request.span, done);
    else done();
  });
}

const textOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined);

function endSpan(request: FastifyRequest, reply: FastifyReply): void {
  const { span } = request;
  if (!span?.isRecording()) return;
  const isAnswered = reply.raw.writableEnded;
  span.set({
    'http.request.method': request.method,
    'http.route': routeNameOf(request),
    'http.response.status_code': isAnswered ? reply.statusCode : undefined,
    'maitred.client_id': clientIdOf(request),
    'maitred.problem_code': reply.problemCode ?? undefined,
  });
  if (!isAnswered) span.end('caller went away');
  else span.end(reply.statusCode >= 500 ? (reply.problemCode ?? String(reply.statusCode)) : undefined);
}
