import type { FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify';
import { networkOf } from '../kernel/network.ts';
import { tooManyCalls } from './rate-limit.ts';
import { createMemoryCounter } from './rate-limit-memory.ts';
import type { App } from './route.ts';

/** Public pages may be read so much more often than a client may call. */
export const PUBLIC_CALLS_PER_CALL = 3;

export interface PublicLimit {
  /** Calls per minute; 0 means that there is no limit. */
  limit: number;
  nowMs: () => number;
}

/**
 * Public routes that say so (`isCounted`) take a limited number of calls from one network, on this node. The answers are
 * for every caller and may be cached, so they do not say what the limit of one caller is. What watches the node
 * (`isNeverShed`) is counted apart, so that readers of pages cannot use up the calls of a health check behind the same
 * proxy. Must be installed before the routes.
 */
export function countByAddress(app: App, { limit, nowMs }: PublicLimit): void {
  if (limit === 0) return;
  const counter = createMemoryCounter({ nowMs });

  function count(request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction): void {
    const group = request.routeOptions.config.isNeverShed ? 'watching' : 'reading';
    const { count: calls, resetMs } = counter.hit(`${group} ${networkOf(request.ip)}`);
    done(calls > limit ? tooManyCalls(limit, resetMs - nowMs()) : undefined);
  }

  app.addHook('onRoute', (route: RouteOptions) => {
    if (route.config?.isCounted) route.onRequest = [count, ...[route.onRequest ?? []].flat()];
  });
}
