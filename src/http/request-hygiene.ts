import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyRequest, LogController } from 'fastify';
import { invalid, type Problem, problem } from '../kernel/problem.ts';
import { memoize } from './format/memoize.ts';
import { logPlainLine } from './observability/logging.ts';
import { type AnsweredRequest, observersOf, type SentReply } from './observability/observers.ts';
import { routeNameOf } from './problems/method-not-allowed.ts';
import { type App, routeOf } from './route.ts';

const CORRELATION_LABEL = 'correlationId';
const CORRELATION_ID = /^[\x21-\x7e]{1,128}$/;

/** The caller's own correlation id where it is safe to repeat, otherwise a new one. It names the request in every log line. */
export function correlationIdOf(request: IncomingMessage): string {
  const given = request.headers['x-correlation-id'];
  return typeof given === 'string' && CORRELATION_ID.test(given) ? given : randomUUIDv7();
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

/**
 * The one log line per request. It has the pattern of the route instead of the path, so that no id or query value is
 * logged.
 */
export function logAnswer(request: AnsweredRequest, reply: SentReply): void {
  const answered = {
    [CORRELATION_LABEL]: request.id,
    method: request.method,
    route: routeNameOf(request),
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    clientId: clientIdOf(request),
    code: reply.problemCode ?? undefined,
    tool: reply.toolName ?? undefined,
    traceId: request.span?.isSampled ? request.span.traceId : undefined,
  };
  logPlainLine(request.server.log, answered, 'answered');
}

/** Under `/manage` the caller may be a person instead of a client. */
export function clientIdOf({ caller, actor }: Pick<FastifyRequest, 'caller' | 'actor'>): string | undefined {
  return caller?.clientId ?? (actor?.kind === 'client' ? actor.id : undefined);
}

declare module 'fastify' {
  interface FastifyReply {
    /** The code of the problem this answer carries, for the log. */
    problemCode: string | null;
    /** The MCP tool that this answer comes from, for the log. */
    toolName: string | null;
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

/** The request was refused before all of it had come, and what is wrong now is its rest. */
export function isAnsweredEarly(socket: AnsweredSocket): boolean {
  const answer = socket[LAST_ANSWER];
  return answer?.writableFinished === true && !answer.req.complete;
}

const HOST = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const HOSTS_BYTES = 128 * 1024;
const isHost = memoize(HOSTS_BYTES, (host) => HOST.test(host) && URL.canParse(`http://${host}`));

/** RFC 9112, 3.2. Addresses are built from the host in places that are not ours, and fail on anything else. */
function assertHost({ headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined) {
    if (httpVersion === '1.1') throw invalid('Host', 'is required');
  } else if (!isHost(headers.host)) throw invalid('Host', 'must be one host name or address');
}

/** Of addresses and headers together, in the parser; twice what an address may have, so that a long one is seen whole. */
export const MAX_HEADER_BYTES = 32 * 1024;
export const MAX_URL_LENGTH = 16 * 1024;
/** The parser silently drops headers beyond 2,000. */
const MAX_HEADERS = 1_000;

export function oversizeOf({ url = '', rawHeaders }: IncomingMessage): Problem | undefined {
  if (url.length > MAX_URL_LENGTH) return problem('HTTP-N-414');
  // `rawHeaders` alternates names and values.
  return rawHeaders.length > 2 * MAX_HEADERS ? problem('HTTP-N-431') : undefined;
}

/**
 * Node would send `100 Continue` as soon as the headers are there. It is sent when the body is about to be read
 * instead, so that a request that is refused before, or announces too much, is not asked for its body. The caller may
 * then send it or not (RFC 9110, 10.1.1), so such a connection cannot be used again.
 */
function continueWhenRead(app: App): void {
  const expecting = new WeakMap<IncomingMessage, { shouldKeepAlive: boolean }>();
  app.server.on('checkContinue', (request, response) => {
    expecting.set(request, { shouldKeepAlive: response.shouldKeepAlive });
    response.shouldKeepAlive = false;
    app.server.emit('request', request, response);
  });
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const expected = request.raw.headers.expect === undefined ? undefined : expecting.get(request.raw);
    if (expected === undefined) return done();
    if (Number(request.headers['content-length']) > request.routeOptions.bodyLimit)
      throw problem('HTTP-N-413');
    reply.raw.shouldKeepAlive = expected.shouldKeepAlive;
    reply.raw.writeContinue();
    done();
  });
}

/** What comes before all else: refuses a request whose head is not as it has to be. */
export function beginAnswer(request: IncomingMessage, response: ServerResponse): void {
  (request.socket as AnsweredSocket)[LAST_ANSWER] = response;
  const oversize = oversizeOf(request);
  if (oversize) throw oversize;
  assertHost(request);
}

/** Must be installed before anything that can refuse a request, so that refusals carry the headers too. */
export function installHygiene(app: App, options: { publicUrl: string }): void {
  const headers = securityHeaders(options.publicUrl);
  app.decorateReply('problemCode', null);
  app.decorateReply('toolName', null);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-correlation-id', request.id);
    beginAnswer(request.raw, reply.raw);
    done();
  });
  observersOf(app).answered.push((request, reply) => {
    // Monitoring asks every few seconds, which would hide what callers do.
    if (!routeOf(request).isNeverShed) logAnswer(request, reply);
  });
  // An unknown expectation may be ignored (RFC 9110, 10.1.1); Node would answer a bare 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  continueWhenRead(app);
  app.addHook('onRequestAbort', (request, done) => {
    request.log.info({ method: request.method, route: routeNameOf(request) }, 'caller went away');
    done();
  });
}
