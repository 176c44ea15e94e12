import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { Counter } from 'prom-client';
import { problem } from '../../kernel/problem.ts';
import type { App } from '../route.ts';
import { type AdmissionLimits, createAdmission, DEFAULT_LIMITS, type Refusal } from './admission.ts';
import { createWaitingRoom } from './admission-queue.ts';
import { type PlainRefusal, plainRefusal, rememberOverLimit, sendRefusal } from './over-limit.ts';

export interface DoorOptions {
  publicUrl: string;
  /** Settles when the database has answered. */
  probe: () => Promise<unknown>;
  /** Of the clock that rate limits go by. */
  nowMs: () => number;
  limits?: AdmissionLimits | undefined;
}

export interface Door {
  /** What was refused here, for the metrics. */
  shed: Counter;
}

/**
 * Stands in front of Fastify and refuses what the node cannot do in time (`admission.ts`). There a refusal costs a
 * fraction of what the same answer would cost from within, and that fraction decides how much is left for the rest.
 * Must be installed before the routes, which say whether they may be refused.
 */
export function installDoor(app: App, options: DoorOptions): Door {
  const { publicUrl, probe, limits = DEFAULT_LIMITS } = options;
  const handle = takeOver(app.server, receive);
  // Unlike the clock of the rate limits it is never put back.
  const stopwatch = { nowMs: () => performance.now() };
  const admission = createAdmission({ limits, begin, probe, ...stopwatch });
  const room = createWaitingRoom({ maxWaitMs: limits.maxWaitMs, enter, refuse, ...stopwatch });
  const overLimit = rememberOverLimit(options);
  const tooBusy = plainRefusal(problem('HTTP-R-503'), publicUrl);
  const shed = new Counter({
    name: 'http_requests_shed_total',
    help: 'Requests refused unread because the node was busy, by why: turn, queue, or the limit of their caller.',
    labelNames: ['reason'],
    registers: [],
  });
  const count = { turn: shed.labels('turn'), queue: shed.labels('queue'), limit: shed.labels('limit') };
  const summary = summaryOf(app.log);

  function note(reason: Reason): void {
    count[reason].inc();
    summary.add(reason);
  }
  const paths = watchPaths(app);

  function begin(response: ServerResponse): void {
    room.refuseLate();
    // Whoever went away while waiting wants no answer.
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

  /** For a caller that has no calls left. */
  function refusalOf(request: IncomingMessage, url: string): PlainRefusal | undefined {
    if (!admission.isBusy()) return;
    const refusal = overLimit.find(request);
    if (!refusal || paths.isPublic(url)) return;
    note('limit');
    return refusal;
  }

  function enter(response: ServerResponse): Refusal | undefined {
    // Whoever went away while waiting for room needs none.
    if (response.destroyed) return;
    const reason = admission.enter(response);
    // `close` comes once for every request, also when the caller went away before the answer.
    if (reason === undefined) response.on('close', leave);
    return reason;
  }

  function refuse(response: ServerResponse, reason: Refusal): void {
    note(reason);
    sendRefusal(response.req, response, tooBusy);
  }

  app.addHook('onResponse', (request, reply, done) => {
    // Of callers that nobody knows, it is their address that has no calls left.
    if (reply.statusCode === 429 && (request.caller ?? request.actor)) overLimit.note(request.raw, reply);
    done();
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

/** A line for each would be the most of what a node writes just when it has no time for it. */
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

/** Puts a listener in the place of those that are there; returns them. Injected requests do not come this way. */
function takeOver(server: Server, listener: RequestListener): RequestListener {
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', listener);
  return (request, response) => {
    for (const handle of handlers) handle(request, response);
  };
}

/** What routes say about themselves, for those who decide before the router does. */
function watchPaths(app: App) {
  const neverShed = new Set<string>();
  const publicPrefixes: string[] = [];
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.isNeverShed) neverShed.add(url);
    if (config?.access === 'public') publicPrefixes.push(url.replace(/[:*].*/, ''));
  });
  return {
    /** What watches the node must see that it is busy, not that it is gone. */
    isNeverShed(url: string): boolean {
      const end = url.indexOf('?');
      return neverShed.has(end < 0 ? url : url.slice(0, end));
    },
    /** No rate limit holds there. */
    isPublic: (url: string) => publicPrefixes.some((prefix) => url.startsWith(prefix)),
  };
}
