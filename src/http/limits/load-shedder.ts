import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, onSendHookHandler } from 'fastify';
import { Counter } from 'prom-client';
import { problem } from '../../kernel/problem.ts';
import type { App } from '../route.ts';
import { type AdmissionLimits, createAdmission, DEFAULT_LIMITS, type Refusal } from './admission.ts';
import { createAdmissionQueue } from './admission-queue.ts';
import { type PlainRefusal, plainRefusal, rememberOverLimit, sendRefusal } from './over-limit.ts';

export interface LoadShedderOptions {
  publicUrl: string;
  /** Settles when the database has answered. */
  probe: () => Promise<unknown>;
  /** The clock of the rate limits. */
  nowMs: () => number;
  limits?: AdmissionLimits | undefined;
}

export interface LoadShedder {
  /** Counts the refused requests, for the metrics. */
  shed: Counter;
}

/**
 * Sits in front of Fastify and refuses what the node cannot serve in time (`admission.ts`). A refusal here costs a
 * fraction of the same answer from Fastify, which leaves more time for admitted requests. Must be installed before
 * the routes, which declare whether they may be refused.
 */
export function installLoadShedder(app: App, options: LoadShedderOptions): LoadShedder {
  const { publicUrl, probe, limits = DEFAULT_LIMITS } = options;
  const handle = takeOver(app.server, receive);
  // Monotonic, unlike the clock of the rate limits.
  const stopwatch = { nowMs: () => performance.now() };
  const admission = createAdmission({ limits, begin, probe, ...stopwatch });
  const room = createAdmissionQueue({ maxWaitMs: limits.maxWaitMs, enter, refuse, ...stopwatch });
  const overLimit = rememberOverLimit(options);
  const tooBusy = plainRefusal(problem('HTTP-R-503'), publicUrl);
  const shed = new Counter({
    name: 'http_requests_shed_total',
    help: 'Requests refused unread because the node was busy, by why: tick, queue, or the limit of their caller.',
    labelNames: ['reason'],
    registers: [],
  });
  const count = { tick: shed.labels('tick'), queue: shed.labels('queue'), limit: shed.labels('limit') };
  const summary = summaryOf(app.log);

  function note(reason: Reason): void {
    count[reason].inc();
    summary.add(reason);
  }
  const paths = watchPaths(app);

  function begin(response: ServerResponse): void {
    room.refuseLate();
    // The caller may have disconnected while its request was queued.
    if (!response.destroyed) handle(response.req, response);
  }

  function leave(this: ServerResponse): void {
    admission.leave(this);
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const url = request.url ?? '';
    if (paths.isNeverShed(url)) {
      handle(request, response);
      return;
    }
    const refusal = refusalOf(request, url);
    if (refusal) {
      sendRefusal(request, response, refusal);
      return;
    }
    const reason = enter(response);
    if (reason !== undefined) room.add(response, reason);
  }

  /** For a caller over its rate limit. */
  function refusalOf(request: IncomingMessage, url: string): PlainRefusal | undefined {
    if (!admission.isBusy()) return;
    const refusal = overLimit.find(request);
    if (!refusal || paths.isPublic(url)) return;
    note('limit');
    return refusal;
  }

  function enter(response: ServerResponse): Refusal | undefined {
    // A caller that disconnected while queued needs no admission.
    if (response.destroyed) return;
    const reason = admission.enter(response);
    // `close` fires once per request, also when the caller disconnects before the answer.
    if (reason === undefined) response.on('close', leave);
    return reason;
  }

  function refuse(response: ServerResponse, reason: Refusal): void {
    note(reason);
    sendRefusal(response.req, response, tooBusy);
  }

  app.addHook('onResponse', (request, reply, done) => {
    // An unidentified caller is over the limit of its address, not of its token.
    if (reply.statusCode === 429 && (request.caller ?? request.actor)) overLimit.note(request.raw, reply);
    done();
  });
  // A stream that has begun is no work that others wait for.
  app.addHook('onRoute', (route) => {
    if (!route.config?.isEndless) return;
    const release: onSendHookHandler = (_request, reply, payload, done) => {
      admission.leave(reply.raw);
      done(null, payload);
    };
    route.onSend = [...[route.onSend ?? []].flat(), release];
  });
  app.addHook('onClose', async () => {
    room.close();
    admission.stop();
    summary.stop();
  });
  return { shed };
}

type Reason = Refusal | 'limit';

const SUMMARY_MS = 1000;

/** One log line per second: a line per refusal would be most of the log output of a node that has no time for it. */
function summaryOf(log: FastifyBaseLogger) {
  let refused: Partial<Record<Reason, number>> = {};
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    log.warn({ refused }, 'requests refused because the node is busy');
    refused = {};
    timer = undefined;
  };
  return {
    add(reason: Reason): void {
      refused[reason] = (refused[reason] ?? 0) + 1;
      timer ??= setTimeout(tell, SUMMARY_MS).unref();
    },
    stop(): void {
      if (timer === undefined) return;
      clearTimeout(timer);
      tell();
    },
  };
}

/** Replaces the server's request listeners and returns them. Injected requests do not pass through here. */
export function takeOver(server: Server, listener: RequestListener): RequestListener {
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', listener);
  return (request, response) => {
    for (const handle of handlers) handle(request, response);
  };
}

/** What routes declare in their configuration, for decisions made before routing. */
function watchPaths(app: App) {
  const neverShed = new Set<string>();
  const publicPaths = new Set<string>();
  const publicPrefixes: string[] = [];
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.isNeverShed) neverShed.add(url);
    if (config?.access !== 'public') return;
    const prefix = url.replace(/[:*].*/, '');
    if (prefix === url) publicPaths.add(url);
    else publicPrefixes.push(prefix);
  });
  const pathOf = (url: string) => {
    const end = url.indexOf('?');
    return end < 0 ? url : url.slice(0, end);
  };
  return {
    /** Monitoring must see that the node is busy, not that it is gone. */
    isNeverShed: (url: string) => neverShed.has(pathOf(url)),
    /** No rate limit applies to public routes. */
    isPublic: (url: string) =>
      publicPaths.has(pathOf(url)) || publicPrefixes.some((prefix) => url.startsWith(prefix)),
  };
}
