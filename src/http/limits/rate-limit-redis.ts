import type { FastifyBaseLogger } from 'fastify';
import { Redis } from 'ioredis';
import { DEADLINES } from '../../kernel/deadlines.ts';
import { type Count, type RequestCounter, WINDOW_MS } from './request-counter.ts';

/** One step for Redis, so that no other node comes in between. Redis's own clock decides when a window ends. */
const COUNT_SCRIPT = `
local count = redis.call('HINCRBY', KEYS[1], 'count', 1)
if count == 1 then
  local time = redis.call('TIME')
  local reset = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
  redis.call('HSET', KEYS[1], 'reset', string.format('%.0f', reset))
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
return { count, redis.call('HGET', KEYS[1], 'reset') }
`;

/** After a failure Redis is left alone for a while, so that a hanging one does not slow every request down. */
const REST_MS = 5000;
const LOG_INTERVAL_MS = 60_000;

export interface RedisCounterOptions {
  redisUrl: string;
  nowMs: () => number;
  logger: Pick<FastifyBaseLogger, 'warn'>;
  /**
   * Counts while Redis does not answer: a limit per node is better than no limit and better than refusing every
   * request.
   */
  fallback: RequestCounter;
}

interface CountingRedis extends Redis {
  countCall(key: string, windowMs: number): Promise<[number, string]>;
}

function connect(redisUrl: string): CountingRedis {
  return new Redis(redisUrl, {
    lazyConnect: true,
    enableReadyCheck: false,
    enableOfflineQueue: false,
    disableClientInfo: true,
    maxRetriesPerRequest: 0,
    connectTimeout: DEADLINES.redisConnect,
    commandTimeout: DEADLINES.redisAnswer,
    // A connection without answers is closed and opened anew.
    socketTimeout: REST_MS,
    retryStrategy: (attempt) => Math.min(attempt * 200, REST_MS),
    scripts: { countCall: { lua: COUNT_SCRIPT, numberOfKeys: 1 } },
  }) as CountingRedis;
}

export async function createRedisCounter(options: RedisCounterOptions): Promise<RequestCounter> {
  const { nowMs, logger, fallback } = options;
  const redis = connect(options.redisUrl);
  let restUntilMs = 0;
  let quietUntilMs = 0;

  function report(err: unknown): void {
    const now = nowMs();
    restUntilMs = now + REST_MS;
    if (now < quietUntilMs) return;
    quietUntilMs = now + LOG_INTERVAL_MS;
    logger.warn({ err }, 'Redis does not answer; calls are counted in memory meanwhile');
  }

  async function countInRedis(key: string): Promise<Count> {
    try {
      const [count, resetMs] = await redis.countCall(`maitred:calls:${key}`, WINDOW_MS);
      return { count, resetMs: Number(resetMs) };
    } catch (error) {
      report(error);
      return fallback.hit(key);
    }
  }

  redis.on('error', report);
  await redis.connect().catch(report);

  return {
    hit: (key) => (nowMs() < restUntilMs || redis.status !== 'ready' ? fallback.hit(key) : countInRedis(key)),
    async close() {
      redis.disconnect();
      await fallback.close();
    },
  };
}
