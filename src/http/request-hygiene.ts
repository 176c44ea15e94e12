import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { invalid } from '../kernel/problem.ts';
import { routeNameOf } from './method-not-allowed.ts';
import { remember } from './remember.ts';
import { logAnswered } from './request-log.ts';
import type { App } from './route.ts';

const CORRELATION_LABEL = 'correlationId';
const CORRELATION_ID = /^[\x21-\x7e]{1,128}$/;

/** The caller's own correlation id where it is safe to repeat, otherwise a new one. It names the request in every log line. */
export function correlationIdOf(request: IncomingMessage): string {
  const given = request.headers['x-correlation-id'];
  return typeof given === 'string' && CORRELATION_ID.test(given) ? given : randomUUID();
}

/** Fastify's lines per request are replaced by our single one; its lines about failing streams stay. */
export class QuietLogController extends LogController {
  constructor() {
    super({ requestIdLogLabel: CORRELATION_LABEL });
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
export function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  // Written to the node's log, which spares most requests a log of their own.
  logAnswered(request.server.log, {
    correlationId: request.id,
    method: request.method,
    route: routeNameOf(request),
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    clientId: clientIdOf(request),
    code: reply.problemCode ?? undefined,
  });
}

/** Under `/manage` a person may call, who is no client. */
function clientIdOf({ caller, actor }: FastifyRequest): string | undefined {
  return caller?.clientId ?? (actor?.kind === 'client' ? actor.id : undefined);
}

declare module 'fastify' {
  interface FastifyReply {
    /** The code of the problem this answer carries, for the log. */
    problemCode: string | null;
  }
}

/** On the socket itself: an entry of a weak map for each request is more work for the collector. */
const LAST_ANSWER = Symbol('the last answer');
type AnsweredSocket = Socket & { [LAST_ANSWER]?: ServerResponse };

/** The answer that is still owed for a request that has arrived whole on this connection. */
export function pendingAnswer(socket: AnsweredSocket): ServerResponse | undefined {
  const answer = socket[LAST_ANSWER];
  return answer?.req.complete && !answer.writableFinished ? answer : undefined;
}

const HOST = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const HOSTS_REMEMBERED = 100;
const isHost = remember(HOSTS_REMEMBERED, (host) => HOST.test(host) && URL.canParse(`http://${host}`));

/** RFC 9112, 3.2. Addresses are built from the host in places that are not ours, and fail on anything else. */
function assertHost({ headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined) {
    if (httpVersion === '1.1') throw invalid('Host', 'is required');
  } else if (!isHost(headers.host)) throw invalid('Host', 'must be one host name or address');
}

/** Must be installed before anything that can refuse a request, so that refusals carry the headers too. */
export function installHygiene(app: App, options: { publicUrl: string }): void {
  const headers = securityHeaders(options.publicUrl);
  app.decorateReply('problemCode', null);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-correlation-id', request.id);
    (request.raw.socket as AnsweredSocket)[LAST_ANSWER] = reply.raw;
    assertHost(request.raw);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    logAnswer(request, reply);
    done();
  });
  // An expectation that nobody knows may be passed over (RFC 9110, 10.1.1); Node would answer a bare 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequestAbort', (request, done) => {
    request.log.info({ method: request.method, route: routeNameOf(request) }, 'caller went away');
    done();
  });
}
