import { type Clock, systemClock } from '../kernel/clock.ts';
import type { Sql } from './database.ts';

/** The database's time as this node knows it: all nodes stamp, lease and schedule by the same clock. */
export interface DatabaseClock {
  now: Clock;
  /** By how much the clock of the machine is ahead of the database's; negative when it is behind. */
  aheadMs(): number;
  close(): void;
}

const MEASURE_EVERY_MS = 5000;
const FIRST_MEASUREMENTS = 3;
/** A smaller difference is noise. The time is left alone then, so that it does not jump to and fro. */
const TOLERANCE_MS = 50;

interface Measurement {
  databaseMs: number;
  /** On the clock of `performance.now()`, which is never set. */
  atMs: number;
  /** It may be wrong by half of this. */
  roundTripMs: number;
}

async function measure(sql: Sql): Promise<Measurement> {
  const began = performance.now();
  const [row] = await sql<[{ databaseMs: number }]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as "databaseMs"`;
  const roundTripMs = performance.now() - began;
  return { databaseMs: row.databaseMs, atMs: began + roundTripMs / 2, roundTripMs };
}

/**
 * Follows the clock of the database. Between two measurements it advances by the monotonic clock, so a machine whose
 * clock is wrong, or is set while the node runs, changes nothing.
 */
export async function openDatabaseClock(sql: Sql): Promise<DatabaseClock> {
  let best = await measure(sql);
  for (let count = 1; count < FIRST_MEASUREMENTS; count += 1) {
    const next = await measure(sql);
    if (next.roundTripMs < best.roundTripMs) best = next;
  }
  const nowMs = () => Math.floor(best.databaseMs + performance.now() - best.atMs);

  async function follow(): Promise<void> {
    const next = await measure(sql);
    const differenceMs = next.databaseMs - (best.databaseMs + next.atMs - best.atMs);
    if (Math.abs(differenceMs) > TOLERANCE_MS + next.roundTripMs / 2) best = next;
  }

  let isMeasuring = false;
  const timer = setInterval(async () => {
    if (isMeasuring) return;
    isMeasuring = true;
    // A database that does not answer is reported elsewhere.
    await follow().catch(() => {});
    isMeasuring = false;
  }, MEASURE_EVERY_MS);
  timer.unref();
  return {
    now: Object.assign(() => Temporal.Instant.fromEpochMilliseconds(nowMs()), { epochMilliseconds: nowMs }),
    aheadMs: () => systemClock().epochMilliseconds - nowMs(),
    close: () => clearInterval(timer),
  };
}
