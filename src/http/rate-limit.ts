import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import { type Problem, problem } from '../kernel/problem.ts';
import { type Count, type RequestCounter, WINDOW_MS } from './rate-limit-counter.ts';
import { createMemoryCounter } from './rate-limit-memory.ts';

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

function judge(limiter: RateLimiter, { count, resetMs }: Count, reply: FastifyReply): void {
  reply.headers({
    'x-ratelimit-limit': limiter.limit,
    'x-ratelimit-remaining': Math.max(0, limiter.limit - count),
    'x-ratelimit-reset': Math.ceil(resetMs / 1000),
  });
  if (count <= limiter.limit) return;
  throw tooManyCalls(limiter.limit, resetMs - limiter.nowMs());
}

export function tooManyCalls(limit: number, leftMs: number): Problem {
  const waitMs = Math.min(WINDOW_MS, Math.max(0, leftMs));
  return problem('RATE-R-001', {
    detail: `More than ${limit} calls in ${WINDOW_MS / 1000} seconds.`,
    retryAfterSeconds: waitMs / 1000,
  });
}
