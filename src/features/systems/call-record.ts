/** Adds up how calls of systems go: by the minute in the database, where all nodes add to it, and in the metrics. */

import { Counter, Histogram, type Registry } from 'prom-client';
import type { Sql } from '../../db/database.ts';
import { type Clock, epochMilliseconds } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { CallObserver, ObservedCall } from '../../tms/resilience.ts';
import { addCalls, forgetCalls, type MinuteOfCalls } from './call-store.ts';
import { problemSentence } from './problem-sentence.ts';

export interface CallRecord {
  observe: CallObserver;
  /** Writes what is waiting; figures that are read afterwards have it. */
  flush(): Promise<void>;
  /** Removes what is older than a day. */
  forget(): Promise<void>;
  register(registry: Registry): void;
  close(): Promise<void>;
}

export interface CallRecordDeps {
  sql: Sql;
  clock: Clock;
  log: Pick<Log, 'warn'>;
}

/** Upper bounds; what took longer is counted after the last of them. */
export const DURATION_BOUNDS_MS = [10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000] as const;

const FLUSH_MS = 3000;
const MINUTE_MS = 60_000;
/** While the database is away no more is remembered than this. */
const MOST_WAITING = 5000;

export function createCallRecord({ sql, clock, log }: CallRecordDeps): CallRecord {
  const counter = new Counter({
    name: 'tms_calls_total',
    help: 'Calls of systems over the network, by how they ended.',
    labelNames: ['tms', 'operation', 'outcome'],
    registers: [],
  });
  const histogram = new Histogram({
    name: 'tms_call_duration_seconds',
    help: 'Time of such calls, waiting and retrying included.',
    labelNames: ['tms', 'operation'],
    buckets: DURATION_BOUNDS_MS.map((ms) => ms / 1000),
    registers: [],
  });
  let waiting = new Map<string, MinuteOfCalls>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  /** What was not called says nothing of the system, and neither does a caller that has gone. */
  function observe(call: ObservedCall): void {
    const { tms, operation, result, tookMs } = call;
    counter.inc({ tms, operation, outcome: result });
    if (result === 'not_called' || result === 'abandoned') return;
    histogram.observe({ tms, operation }, tookMs / 1000);
    remember(minuteOf(call, epochMilliseconds(clock)));
    timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
  }

  function remember(minute: MinuteOfCalls): void {
    const key = [minute.tms, minute.operatorId, minute.minuteMs, minute.operation].join(' ');
    const before = waiting.get(key);
    if (before) waiting.set(key, sumOf(before, minute));
    else if (waiting.size < MOST_WAITING) waiting.set(key, minute);
  }

  async function write(): Promise<void> {
    const minutes = [...waiting.values()];
    waiting = new Map();
    if (minutes.length === 0) return;
    try {
      await addCalls(sql, minutes);
    } catch (err) {
      log.warn({ err }, 'How calls of systems went cannot be written.');
      for (const minute of minutes) remember(minute);
    }
  }

  /** One at a time, so that two of this node do not wait for each other's rows. */
  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    await writing;
    writing ??= write().finally(() => {
      writing = undefined;
    });
    await writing;
  }

  return {
    observe,
    flush,
    forget: () => forgetCalls(sql, clock().subtract({ hours: 24 })),
    register(registry) {
      registry.registerMetric(counter);
      registry.registerMetric(histogram);
    },
    async close() {
      await flush();
      clearTimeout(timer);
    },
  };
}

function minuteOf(call: ObservedCall, nowMs: number): MinuteOfCalls {
  const { tms, operatorId, operation, result, tookMs, outcome } = call;
  const isFault = result !== 'ok' && result !== 'refused';
  const durations = Array.from({ length: DURATION_BOUNDS_MS.length + 1 }, () => 0);
  const bucket = DURATION_BOUNDS_MS.findIndex((bound) => tookMs <= bound);
  durations[bucket === -1 ? DURATION_BOUNDS_MS.length : bucket] = 1;
  const took = Math.round(tookMs);
  return {
    tms,
    operatorId,
    operation,
    minuteMs: nowMs - (nowMs % MINUTE_MS),
    calls: 1,
    refused: result === 'refused' ? 1 : 0,
    failed: result === 'unavailable' || result === 'rate_limited' ? 1 : 0,
    inDoubt: result === 'in_doubt' ? 1 : 0,
    totalMs: took,
    maxMs: took,
    durations,
    lastMs: nowMs,
    lastError: isFault ? problemSentence(outcome) : null,
    lastErrorMs: isFault ? nowMs : null,
  };
}

const sumOf = (a: MinuteOfCalls, b: MinuteOfCalls): MinuteOfCalls => ({
  ...a,
  calls: a.calls + b.calls,
  refused: a.refused + b.refused,
  failed: a.failed + b.failed,
  inDoubt: a.inDoubt + b.inDoubt,
  totalMs: a.totalMs + b.totalMs,
  maxMs: Math.max(a.maxMs, b.maxMs),
  durations: a.durations.map((count, index) => count + (b.durations[index] ?? 0)),
  lastMs: Math.max(a.lastMs, b.lastMs),
  lastError: b.lastError ?? a.lastError,
  lastErrorMs: b.lastErrorMs ?? a.lastErrorMs,
});

/** The bound below which so many of the calls were; the longest call, where the bounds end. */
export function quantileMs(durations: readonly number[], share: number, maxMs: number): number | null {
  const calls = durations.reduce((sum, count) => sum + count, 0);
  if (calls === 0) return null;
  let seen = 0;
  for (const [index, count] of durations.entries()) {
    seen += count;
    if (seen >= share * calls) return Math.min(DURATION_BOUNDS_MS[index] ?? maxMs, maxMs);
  }
  return maxMs;
}
