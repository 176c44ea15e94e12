import type { FastifyReply, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { Durations, durationHistogram } from './durations.ts';
import { findInTime } from './health.ts';
import { routeNameOf } from './method-not-allowed.ts';
import type { App } from './route.ts';

/** Found by what the request brings along; names are put together once per series, not for every answer. */
function durationTable() {
  const byName = new Map<string, Durations>();
  const byRoute = new WeakMap<object, Map<string, Map<number, Durations>>>();

  function named(method: string, route: string, status: string): Durations {
    return byName.getOrInsertComputed(
      `${method} ${route} ${status}`,
      () => new Durations({ method, route, status }),
    );
  }

  return {
    all: () => byName.values(),
    of(request: FastifyRequest, status: number): Durations {
      const { method } = request;
      return byRoute
        .getOrInsertComputed(request.place ?? request.routeOptions.config, () => new Map())
        .getOrInsertComputed(method, () => new Map())
        .getOrInsertComputed(status, () => named(method, routeNameOf(request), String(status)));
    },
  };
}

export interface DatabaseGauge {
  name: string;
  help: string;
  read: () => Promise<number>;
}

/**
 * What only the database knows. Where it does not say so in time there is no value rather than an old one, and
 * everything else is still told: this is when somebody looks.
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

export interface GuardedSystem {
  slug: string;
  /** It has been failing, and is not called for a while. */
  isResting(): boolean;
}

/** One series for each system over the network. */
export function systemMetrics(registry: Registry, systems: readonly GuardedSystem[]): void {
  new Gauge({
    name: 'tms_breaker_open',
    help: '1 while this node does not call the system because it has been failing, else 0.',
    labelNames: ['tms'],
    registers: [registry],
    collect() {
      for (const system of systems) this.set({ tms: system.slug }, system.isResting() ? 1 : 0);
    },
  });
}

/** The registry belongs to this app alone, so that several apps of one process do not count for each other. */
export function installMetrics(app: App): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = durationTable();
  registry.registerMetric(
    durationHistogram(
      'http_request_duration_seconds',
      'Time from the arrival of a request to the end of its answer.',
      durations.all,
    ),
  );
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
  app.addHook('onRequest', (_request, reply, done) => {
    inFlight++;
    // `close` comes once for every request, also when the caller went away before the answer.
    reply.raw.on('close', leave);
    done();
  });
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    durations.of(request, reply.statusCode).add(reply.elapsedTime / 1000);
    done();
  });

  const config = { access: 'public', isNeverShed: true } as const;
  app.get('/metrics', { config, schema: { hide: true } }, async (_request, reply) => {
    return reply
      .type(registry.contentType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics());
  });
  return registry;
}
