import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import { problem } from '../../kernel/problem.ts';
import { type App, routeOf } from '../route.ts';

export interface LoadThresholds {
  maxHeapBytes: number;
  maxRssBytes: number;
  sampleIntervalMs: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered even under pressure: monitoring must see that the node is busy, not that it is gone. */
    isNeverShed?: boolean;
  }
}

/** Relative to what this process may use, so that the same limits suit a container of 512 MB and a large machine. */
export function defaultThresholds(): LoadThresholds {
  const constrained = process.constrainedMemory();
  const memoryBytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return {
    maxHeapBytes: Math.floor(getHeapStatistics().heap_size_limit * 0.9),
    maxRssBytes: Math.floor(memoryBytes * 0.9),
    sampleIntervalMs: 1000,
  };
}

/**
 * Answers 503 while memory is short, which costs less than starting requests that cannot finish. The load shedder
 * limits the amount of work; event-loop delay is not checked here, because a past stall is no reason to refuse the
 * next request.
 */
export function installLoadShedding(app: App, thresholds: LoadThresholds = defaultThresholds()): void {
  app.register(underPressure, {
    maxHeapUsedBytes: thresholds.maxHeapBytes,
    maxRssBytes: thresholds.maxRssBytes,
    sampleInterval: thresholds.sampleIntervalMs,
    pressureHandler: async (request, _reply, type) => {
      if (routeOf(request).isNeverShed) return;
      request.log.debug({ pressure: type }, 'request shed');
      throw problem('HTTP-R-503');
    },
  });
}
