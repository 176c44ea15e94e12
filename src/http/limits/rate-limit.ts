import type {
  FastifyBaseLogger,
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
  RouteOptions,
} from 'fastify';
import { networkOf } from '../../kernel/network.ts';
import { type Problem, problem } from '../../kernel/problem.ts';
import { type App, routeOf } from '../route.ts';
import { type Count, createMemoryCounter, type RequestCounter, WINDOW_MS } from './request-counter.ts';

export interface RateLimiter extends RequestCounter {
  /** Calls per window; 0 means that there is no limit. */
  limit: number;
  nowMs: () => number;
}

export interface RateLimiterOptions {
  limit: number;
  nowMs: () => number;
  /** Unset: every node counts for itself. */
  redisUrl?: string | undefined;
  logger: Pick<FastifyBaseLogger, 'warn'>;
}

export async function createRateLimiter(options: RateLimiterOptions): Promise<RateLimiter> {
  const { limit, nowMs, redisUrl, logger } = options;
  const memory = createMemoryCounter({ nowMs });
  if (redisUrl === undefined || limit === 0) return { ...memory, limit, nowMs };
  const { createRedisCounter } = await import('./rate-limit-redis.ts');
  return { ...(await createRedisCounter({ redisUrl, nowMs, logger, fallback: memory })), limit, nowMs };
}

/** Counts one call of `key`, says so in the headers of its answer, and throws `RATE-R-001` when it was one too many. */
export function countRequest(limiter: RateLimiter, key: string, reply: FastifyReply): void | Promise<void> {
  if (limiter.limit === 0) return;
  const counted = limiter.hit(key);
  if (counted instanceof Promise) return counted.then((count) => judge(limiter, count, reply));
  judge(limiter, counted, reply);
}

function judge(limiter: RateLimiter, count: Count, reply: FastifyReply): void {
  reply.headers(rateHeaders(limiter, count));
  if (count.count <= limiter.limit) return;
  throw tooManyCalls(limiter.limit, count.resetMs - limiter.nowMs());
}

/** What a counted call is told of its limit. */
export const rateHeaders = ({ limit }: RateLimiter, { count, resetMs }: Count) => ({
  'x-ratelimit-limit': limit,
  'x-ratelimit-remaining': Math.max(0, limit - count),
  'x-ratelimit-reset': Math.ceil(resetMs / 1000),
});

export function tooManyCalls(limit: number, leftMs: number): Problem {
  const waitMs = Math.min(WINDOW_MS, Math.max(0, leftMs));
  return problem('RATE-R-001', {
    detail: `More than ${limit} calls in ${WINDOW_MS / 1000} seconds.`,
    retryAfterSeconds: waitMs / 1000,
  });
}

/** Public pages may be read so much more often than a client may call. */
export const PUBLIC_CALLS_PER_CALL = 3;

interface PublicLimit {
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
    const group = routeOf(request).isNeverShed ? 'watching' : 'reading';
    const { count: calls, resetMs } = counter.hit(`${group} ${networkOf(request.ip)}`);
    done(calls > limit ? tooManyCalls(limit, resetMs - nowMs()) : undefined);
  }

  app.addHook('onRoute', (route: RouteOptions) => {
    if (route.config?.isCounted) route.onRequest = [count, ...[route.onRequest ?? []].flat()];
  });
}
