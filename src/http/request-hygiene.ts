import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { App } from './route.ts';

const CORRELATION_ID = /^[\x21-\x7e]{1,128}$/;

/** The caller's own correlation id where it is safe to repeat, otherwise a new one. It names the request in every log line. */
export function correlationIdOf(request: IncomingMessage): string {
  const given = request.headers['x-correlation-id'];
  return typeof given === 'string' && CORRELATION_ID.test(given) ? given : randomUUID();
}

/** Fastify's lines per request are replaced by our single one; its lines about failing streams stay. */
export class QuietLogController extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'correlationId' });
  }
  override incomingRequest(): void {}
  override requestCompleted(): void {}
  override defaultErrorLog(): void {}
  override routeNotFound(): void {}
}

/** Sent with every answer. A route that serves a page sets a Content-Security-Policy of its own. */
export function securityHeaders(publicUrl: string): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(publicUrl.startsWith('https:')
      ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
      : {}),
  };
}

/** The one line per request. The pattern of the route stands for the path, so that no id or query value is logged. */
export function logAnswer(request: FastifyRequest, reply: FastifyReply, message = 'answered'): void {
  const clientId = request.caller?.clientId;
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? 'unmatched',
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      ...(clientId === undefined ? {} : { clientId }),
      ...(reply.problemCode ? { code: reply.problemCode } : {}),
    },
    message,
  );
}

declare module 'fastify' {
  interface FastifyReply {
    /** The code of the problem this answer carries, for the log. */
    problemCode: string | null;
  }
}

/** Must be installed before anything that can refuse a request, so that refusals carry the headers too. */
export function installHygiene(app: App, options: { publicUrl: string }): void {
  const headers = securityHeaders(options.publicUrl);
  app.decorateReply('problemCode', null);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-correlation-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    logAnswer(request, reply);
    done();
  });
  app.addHook('onRequestAbort', (request, done) => {
    request.log.info(
      { method: request.method, route: request.routeOptions.url ?? 'unmatched' },
      'caller went away',
    );
    done();
  });
}
