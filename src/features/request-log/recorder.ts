/**
 * Writes calls in batches. A request only adds a row to a list in memory; the list is bounded, and what does not fit
 * while the database is away is dropped and counted.
 */

import type { Sql } from '../../db/database.ts';
import { makePartitions, type PartitionedTable } from '../../db/partitions.ts';
import type { AnsweredCall } from '../../http/observability/answered-calls.ts';
import { idsAt } from '../../kernel/crypto.ts';
import { DEADLINES } from '../../kernel/deadlines.ts';
import type { Log } from '../../kernel/log.ts';
import { codeOf } from '../../kernel/problem.ts';
import { outsideRequest } from '../../kernel/request-scope.ts';
import { type InsertOptions, insertRequests, type NewRequest } from './store.ts';

export interface Recorder {
  note(call: AnsweredCall): void;
  /** Resolves when everything noted so far is written, or has failed once. */
  flush(): Promise<void>;
  /** Writes what is left, for as long as that may take. */
  close(): Promise<void>;
  counts: { written: number; dropped: number };
}

const WRITE_EVERY_MS = 1000;
const BATCH = 500;
/** Some megabytes. */
const MOST_WAITING = 20_000;
/** A second apart. Then the batch is dropped, in case it is the batch that is wrong. */
const ATTEMPTS = 30;

export function createRecorder({ sql, log }: { sql: Sql; log: Pick<Log, 'warn'> }): Recorder {
  const counts = { written: 0, dropped: 0 };
  let waiting: AnsweredCall[] = [];
  /** The first of those that wait, as they were sent last: whether they were written is not known. */
  let unsure: NewRequest[] = [];
  let failures = 0;
  let flushing: Promise<void> | undefined;
  const timer = outsideRequest(() => setInterval(() => void flush(), WRITE_EVERY_MS).unref());

  /** One batch after the other, until none is left or one has failed. */
  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const isRepeated = unsure.length > 0;
      const rows = isRepeated ? unsure : rowsOf(waiting.slice(0, BATCH));
      try {
        await write(sql, rows, { isRepeated });
        counts.written += rows.length;
      } catch (err) {
        failures += 1;
        unsure = rows;
        if (failures === 1) log.warn({ err, waiting: waiting.length }, 'The request log cannot be written.');
        if (failures < ATTEMPTS) return;
        counts.dropped += rows.length;
      }
      failures = 0;
      unsure = [];
      waiting = waiting.slice(rows.length);
    }
  }

  /** Outside of the request that adds the last row of a batch: it may be over before the batch is written. */
  function flush(): Promise<void> {
    flushing ??= outsideRequest(writeAll).finally(() => {
      flushing = undefined;
    });
    return flushing;
  }

  return {
    counts,
    note(call) {
      if (waiting.length >= MOST_WAITING) {
        counts.dropped += 1;
        return;
      }
      waiting.push(call);
      if (waiting.length === BATCH && failures === 0) void flush();
    },
    flush,
    async close() {
      clearInterval(timer);
      let giveUp: NodeJS.Timeout | undefined;
      const tooLate = new Promise<void>((resolve) => {
        giveUp = setTimeout(resolve, DEADLINES.stopRequestLog);
      });
      // The flush under way may have begun before the last rows came.
      await Promise.race([flush().then(flush), tooLate]);
      clearTimeout(giveUp);
      counts.dropped += waiting.length;
      waiting = [];
    },
  };
}

/** Pages of the log begin at an id, which says when. */
function rowsOf(calls: readonly AnsweredCall[]): NewRequest[] {
  const idOf = idsAt();
  return calls.map((call) => ({ ...call, id: idOf(call.arrivedMs) }));
}

export const REQUEST_LOG: PartitionedTable = { name: 'request_log', every: 'day', column: 'at', key: 'time' };
const NO_PARTITION = '23514';

/** The job makes partitions ahead. Where it has not run, or the clock is wrong, they are made when they are needed. */
async function write(sql: Sql, rows: readonly NewRequest[], options: InsertOptions): Promise<void> {
  try {
    await insertRequests(sql, rows, options);
  } catch (error) {
    if (codeOf(error) !== NO_PARTITION) throw error;
    const arrivals = rows.map(({ arrivedMs }) => Temporal.Instant.fromEpochMilliseconds(arrivedMs));
    const days = new Map(arrivals.map((at) => [at.toString().slice(0, 10), at]));
    for (const at of days.values()) await makePartitions(sql, REQUEST_LOG, at);
    await insertRequests(sql, rows, options);
  }
}
