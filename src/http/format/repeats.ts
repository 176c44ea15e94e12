/**
 * Answers again what is kept, before Fastify sees the request: routing, its objects and its hooks cost more than all that
 * has to be done for such a request. It is limited to plain reads of callers that are known; everything that could end in
 * anything but the kept answer goes on to Fastify, which refuses it, compresses it or makes it anew.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { SANDBOX_FAULT } from '../../kernel/sandbox-faults.ts';
import { runInSpan } from '../../kernel/tracing.ts';
import { type Caller, SCOPES } from '../auth/caller.ts';
import { type Identification, partnerReference } from '../auth/identify.ts';
import { takeOver } from '../limits/load-shedder.ts';
import { type RateLimiter, rateHeaders } from '../limits/rate-limit.ts';
import type { Count } from '../limits/request-counter.ts';
import { type AnsweredRequest, observersOf } from '../observability/observers.ts';
import { endRequestSpan, startRequestSpan } from '../observability/tracing.ts';
import { beginAnswer, correlationIdOf, securityHeaders } from '../request-hygiene.ts';
import type { App } from '../route.ts';
import type { Answers, KeptAnswer } from './answer-cache.ts';
import { canSendLines, headLines, sendLines } from './ready-head.ts';
import { type Envelope, envelopeOf } from './render.ts';

export interface RepeatsDeps {
  answers: Pick<Answers, 'find'>;
  identity: Pick<Identification, 'findCaller' | 'requireScope'>;
  limiter: RateLimiter;
}

interface Found {
  caller: Caller;
  kept: KeptAnswer;
  envelope: Envelope;
  body: Buffer;
  limiter: RateLimiter;
}

/** Hooks decide about requests with one of these. */
const DECIDED_BY_HOOKS = [
  'content-length',
  'transfer-encoding',
  'expect',
  'if-match',
  'if-unmodified-since',
  SANDBOX_FAULT.toLowerCase(),
];

const isPlain = (headers: IncomingHttpHeaders) =>
  DECIDED_BY_HOOKS.every((name) => headers[name] === undefined);

/** Must be installed before the load shedder, which admits requests to it; repeats once it is given what it needs. */
export function installRepeats(app: App, { publicUrl }: { publicUrl: string }): (deps: RepeatsDeps) => void {
  const security = securityHeaders(publicUrl);
  const securityLines = headLines(security);
  const linesByBody = new WeakMap<Buffer, string>();
  const observers = observersOf(app);
  let deps: RepeatsDeps | undefined;
  const handle = takeOver(app.server, (request, response) => {
    const found = deps && findAnswer(deps, request, response);
    if (found) countAndSend(found, request, response);
    else handle(request, response);
  });
  // Fastify closes connections with their next answer.
  app.addHook('preClose', async () => {
    deps = undefined;
  });
  return (given) => {
    deps = given;
  };

  /** Whatever is thrown here is thrown again, and answered, by the hooks. */
  function findAnswer(
    { answers, identity, limiter }: RepeatsDeps,
    request: IncomingMessage,
    response: ServerResponse,
  ): Found | undefined {
    const { method, headers } = request;
    if (method !== 'GET' || headers.authorization === undefined || !isPlain(headers)) return undefined;
    if (app.isUnderPressure()) return undefined;
    try {
      beginAnswer(request, response);
      const caller = identity.findCaller(headers.authorization, partnerReference(request));
      const kept = caller && answers.find(request, caller);
      const scope = SCOPES.find((each) => each === kept?.route.access);
      if (!kept || !scope) return undefined;
      identity.requireScope(caller, scope);
      const envelope = envelopeOf(request, kept);
      const { encoding } = envelope;
      const body = encoding === undefined ? kept.body : kept.forms.find(encoding);
      return body && { caller, kept, envelope, body, limiter };
    } catch {
      return undefined;
    }
  }

  function countAndSend(found: Found, request: IncomingMessage, response: ServerResponse): void {
    const { limiter, caller } = found;
    const goOn = (count: Count | undefined) => {
      // The caller has gone while Redis was asked.
      if (response.destroyed) return;
      // Counted once more there, which changes nothing for a caller over its limit.
      if (count && count.count > limiter.limit) handle(request, response);
      else send(found, request, response, count && rateHeaders(limiter, count));
    };
    const counted = limiter.limit === 0 ? undefined : limiter.hit(caller.clientId);
    if (counted instanceof Promise) counted.then(goOn, () => handle(request, response));
    else goOn(counted);
  }

  function send(
    found: Found,
    request: IncomingMessage,
    response: ServerResponse,
    limits?: ReturnType<typeof rateHeaders>,
  ): void {
    const { headers, isKnown } = found.envelope;
    const beganMs = performance.now();
    const id = correlationIdOf(request);
    const answered = answeredRequest(app, id, found);
    const span = startRequestSpan(request.headers, answered);
    for (const observe of observers.begun) observe(response);
    const tell = () => {
      const elapsedTime = performance.now() - beganMs;
      const reply = { statusCode: response.statusCode, elapsedTime, problemCode: null, toolName: null };
      if (response.writableFinished) for (const observe of observers.answered) observe(answered, reply);
      else for (const observe of observers.abandoned) observe(answered, elapsedTime);
      if (span) endRequestSpan(span, answered, reply, response.writableFinished);
    };
    response.on('close', () => runInSpan(span, tell));
    const own = { 'x-correlation-id': id, ...limits };
    if (isKnown) response.writeHead(304, { ...security, ...own, ...headers }).end();
    else if (canSendLines(response)) {
      const lines = securityLines + headLines(own) + linesOfBody(found);
      sendLines(response, lines, found.body, app.server.keepAliveTimeout / 1000);
    } else {
      const all = { ...security, ...own, ...headers, 'content-length': found.body.length };
      response.writeHead(200, all).end(found.body);
    }
  }

  /** The same each time that this body is sent whole. */
  function linesOfBody({ body, envelope: { headers } }: Found): string {
    return linesByBody.getOrInsertComputed(body, () =>
      headLines({ ...headers, 'content-length': body.length }),
    );
  }
}

const answeredRequest = (
  app: App,
  id: string,
  { caller, kept: { route, params } }: Found,
): AnsweredRequest => ({
  id,
  method: 'GET',
  params,
  caller,
  actor: null,
  span: null,
  place: null,
  routeFacts: route,
  routeOptions: { config: route },
  server: app,
});
