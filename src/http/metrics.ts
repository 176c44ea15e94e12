import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { App } from './route.ts';

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Observe = (seconds: number) => void;

/** One observer per route and status, made at the first answer: labels are not built again for each request. */
function observerTable(histogram: Histogram<'method' | 'route' | 'status'>) {
  const byRoute = new WeakMap<FastifyContextConfig, Map<string, Observe>>();
  return (request: FastifyRequest, status: number): Observe => {
    const { config, url = 'unmatched' } = request.routeOptions;
    const observers = byRoute.getOrInsertComputed(config, () => new Map());
    return observers.getOrInsertComputed(
      `${request.method} ${status}`,
      () => histogram.labels(request.method, url, String(status)).observe,
    );
  };
}

/** The registry belongs to this app alone, so that several apps of one process do not count for each other. */
export function installMetrics(app: App): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
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

  const observerFor = observerTable(duration);
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
    observerFor(request, reply.statusCode)(reply.elapsedTime / 1000);
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
