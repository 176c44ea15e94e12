import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import type { Replicas } from '../../db/reads.ts';
import { CACHE_BYTES, cacheBytes } from '../../kernel/cache-budget.ts';
import { EncodedForms, encodingFor } from '../format/compression.ts';
import { routeNameOf } from '../problems/method-not-allowed.ts';
import { type App, routeOf } from '../route.ts';
import { findInTime } from './health.ts';
import { type AnsweredRequest, observersOf } from './observers.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Node knows some forty methods, and a caller may send any of them. */
const methodLabel = (method: string) => (METHODS.has(method) ? method : 'other');

/** What answers to one method at one route are measured by. */
interface Measured {
  durations: Durations;
  byStatus: Map<number, { method: string; route: string; status: string; count: number }>;
}

/**
 * Found by what the request brings along; names are put together once per series, not for every answer. Durations are
 * kept by route and method alone, as one of them is fifteen lines; what has no route shares one of each method.
 */
function measuredAnswers() {
  const byName = new Map<string, Measured>();
  const durationsByName = new Map<string, Durations>();
  const byRoute = new WeakMap<object, Map<string, Measured>>();

  function measured(method: string, request: AnsweredRequest): Measured {
    const route = routeOf(request).url ?? 'unmatched';
    return byName.getOrInsertComputed(`${method} ${routeNameOf(request)}`, () => ({
      durations: durationsByName.getOrInsertComputed(
        `${method} ${route}`,
        () => new Durations({ method, route }),
      ),
      byStatus: new Map(),
    }));
  }

  return {
    durations: () => durationsByName.values(),
    counts: () => [...byName.values()].flatMap(({ byStatus }) => [...byStatus.values()]),
    add(request: AnsweredRequest, status: number, seconds: number): void {
      const { durations, byStatus } = byRoute
        .getOrInsertComputed(request.place ?? routeOf(request), () => new Map())
        .getOrInsertComputed(request.method, () => measured(methodLabel(request.method), request));
      durations.add(seconds);
      const known = byStatus.get(status);
      if (known) known.count += 1;
      else {
        const { method } = durations.labels;
        byStatus.set(status, { method, route: routeNameOf(request), status: String(status), count: 1 });
      }
    },
  };
}

export interface DatabaseGauge {
  name: string;
  help: string;
  read: () => Promise<number>;
}

/**
 * A gauge read from the database. If the database does not answer in time, the gauge has no value rather than an old
 * one, and all other metrics are still served: this is when operators look at them.
 */
export function databaseGauge(registry: Registry, { name, help, read }: DatabaseGauge): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await findInTime(read);
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}

type Counted = { count: number } & Partial<Record<string, string | number>>;

/** A counter that this node keeps itself and that is read when metrics are. */
export function nodeCounter(
  registry: Registry,
  options: { name: string; help: string; labelNames?: string[]; read(): number | Iterable<Counted> },
): void {
  const { read, ...described } = options;
  new Counter({
    ...described,
    registers: [registry],
    collect() {
      this.reset();
      const now = read();
      if (typeof now === 'number') this.inc(now);
      else for (const { count, ...labels } of now) this.inc(labels, count);
    },
  });
}

export interface GuardedSystem {
  slug: string;
  /** It has been failing, and is not called for a while. */
  isResting(): boolean;
}

/** One series for each system over the network. */
export function systemMetrics(registry: Registry, listSystems: () => readonly GuardedSystem[]): void {
  new Gauge({
    name: 'tms_breaker_open',
    help: '1 while this node does not call the system because it has been failing, else 0.',
    labelNames: ['tms'],
    registers: [registry],
    collect() {
      this.reset();
      for (const system of listSystems()) this.set({ tms: system.slug }, system.isResting() ? 1 : 0);
    },
  });
}

/** Where reads went; nothing without standbys. */
export function readMetrics(registry: Registry, replicas: Replicas | undefined): void {
  if (!replicas) return;
  nodeCounter(registry, {
    name: 'db_reads_total',
    help: 'Reads that a standby may answer, by where they went and why.',
    labelNames: ['on', 'reason'],
    read: () =>
      replicas.counts.entries().map(([reason, count]) => ({
        on: reason === 'caught_up' ? 'replica' : 'primary',
        reason,
        count,
      })),
  });
  new Gauge({
    name: 'db_replica_lag_bytes',
    help: 'How much of the write-ahead log the standby has yet to replay; absent while it does not answer.',
    labelNames: ['host'],
    registers: [registry],
    async collect() {
      const lags = await findInTime(replicas.lags);
      this.reset();
      for (const { host, bytes } of lags ?? []) this.set({ host }, bytes);
    },
  });
}

/** What the caches of this node hold, and what they may. */
export function cacheMetrics(registry: Registry): void {
  new Gauge({
    name: 'cache_bytes',
    help: 'Estimated memory of what this node keeps, by cache.',
    labelNames: ['cache'],
    registers: [registry],
    collect() {
      for (const [cache, bytes] of cacheBytes()) this.set({ cache }, bytes);
    },
  });
  new Gauge({
    name: 'cache_max_bytes',
    help: 'The most that each cache may take.',
    labelNames: ['cache'],
    registers: [registry],
    collect() {
      for (const [cache, bytes] of Object.entries(CACHE_BYTES)) this.set({ cache }, bytes);
    },
  });
}

/** The registry belongs to this app alone, so that several apps of one process do not count for each other. */
export function installMetrics(app: App): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const answers = measuredAnswers();
  registry.registerMetric(
    durationHistogram(
      'http_request_duration_seconds',
      'Time from the arrival of a request to the end of its answer.',
      answers.durations,
    ),
  );
  nodeCounter(registry, {
    name: 'http_requests_total',
    help: 'Answers, by status.',
    labelNames: ['method', 'route', 'status'],
    read: () => answers.counts(),
  });
  let inFlight = 0;
  new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests that have arrived and are not answered yet.',
    registers: [registry],
    collect() {
      this.set(inFlight);
    },
  });

  const leave = () => {
    inFlight--;
  };
  const observers = observersOf(app);
  observers.begun.push((response) => {
    inFlight++;
    // `close` comes once for every request, also when the caller went away before the answer.
    response.on('close', leave);
  });
  app.addHook('onRequest', (_request, reply, done) => {
    for (const observe of observers.begun) observe(reply.raw);
    done();
  });
  observers.answered.push((request, reply) =>
    answers.add(request, reply.statusCode, reply.elapsedTime / 1000),
  );

  serveMetrics(app, registry);
  return registry;
}

interface Figures {
  body: Buffer;
  forms: EncodedForms;
}

async function collect(registry: Registry): Promise<Figures> {
  const body = Buffer.from(await registry.metrics());
  return { body, forms: new EncodedForms(body, 'once') };
}

/** So many answers may wait to be read, each with its own figures, before the last one is given again. */
const UNREAD_ANSWERS = 4;
const OLDEST_MS = 5000;

/**
 * Monitoring needs it most when the node is busy, so `/metrics` is never shed. Its cost is bounded otherwise:
 * requests share the figures while they are being made, and while earlier answers are still unread.
 */
function serveMetrics(app: App, registry: Registry): void {
  const config = { access: 'public', isNeverShed: true, isCounted: true } as const;
  let last: { figures: Promise<Figures>; madeMs: number; isMade: boolean } | undefined;
  let unread = 0;
  const leave = () => {
    unread -= 1;
  };

  function figuresNow(): Promise<Figures> {
    const nowMs = performance.now();
    if (last && !last.isMade) return last.figures;
    if (last && unread > UNREAD_ANSWERS && nowMs - last.madeMs < OLDEST_MS) return last.figures;
    const figures = collect(registry);
    const made = { figures, madeMs: nowMs, isMade: false };
    last = made;
    figures.then(
      () => {
        made.isMade = true;
      },
      () => {
        last = undefined;
      },
    );
    return figures;
  }

  app.get('/metrics', { config, schema: { hide: true } }, async (request, reply) => {
    unread += 1;
    reply.raw.on('close', leave);
    const { body, forms } = await figuresNow();
    const encoding = encodingFor(request.headers['accept-encoding'], body.length);
    reply.headers({ 'cache-control': 'no-store', vary: 'Accept-Encoding' }).type(registry.contentType);
    if (encoding === undefined) return reply.send(body);
    const form = forms.find(encoding) ?? (await forms.make(encoding));
    return reply.header('content-encoding', encoding).send(form);
  });
}

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

interface Labels {
  method: string;
  route: string;
}

/** How long answers with the same labels took. */
class Durations {
  readonly labels: Labels;
  /** So many fell into each bucket and into none of those before it; the last has no end. */
  readonly counts = new Float64Array(BUCKETS_SECONDS.length + 1);
  sumSeconds = 0;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  add(seconds: number): void {
    const bucket = BUCKETS_SECONDS.findIndex((end) => seconds <= end);
    const index = bucket < 0 ? BUCKETS_SECONDS.length : bucket;
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sumSeconds += seconds;
  }
}

/**
 * Durations as a histogram of prom-client, whose own one checks and hashes the labels again each time it is told
 * something, at the cost of a log line.
 */
function durationHistogram(name: string, help: string, all: () => Iterable<Durations>): Metric {
  const histogram = {
    name,
    help,
    type: 'histogram',
    get: async () => ({ name, help, type: 'histogram', values: [...all()].flatMap(samplesOf) }),
  };

  function samplesOf({ labels, counts, sumSeconds }: Durations) {
    let count = 0;
    const buckets = [...counts].map((more, index) => {
      count += more;
      const le = BUCKETS_SECONDS[index] ?? '+Inf';
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sumSeconds },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }

  // A registry asks no more of a metric than this.
  return histogram as unknown as Metric;
}
