import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import { problem } from '../../kernel/problem.ts';
import type { App } from '../route.ts';

export interface LoadThresholds {
  maxHeapBytes: number;
  maxRssBytes: number;
  sampleIntervalMs: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered even under pressure: what watches the node must see that it is busy, not that it is gone. */
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
 * Refuses work with 503 while memory is short, which costs less than starting what cannot be finished. Too much work is
 * refused at the door; a loop that merely stood still must not refuse whoever comes next.
 */
export function installLoadShedding(app: App, thresholds: LoadThresholds = defaultThresholds()): void {
  app.register(underPressure, {
    maxHeapUsedBytes: thresholds.maxHeapBytes,
    maxRssBytes: thresholds.maxRssBytes,
    sampleInterval: thresholds.sampleIntervalMs,
    pressureHandler: async (request, _reply, type) => {
      if (request.routeOptions.config.isNeverShed) return;
      request.log.debug({ pressure: type }, 'request shed');
      throw problem('HTTP-R-503');
    },
  });
}
