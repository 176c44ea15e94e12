/**
 * Keeps feeds up to date. Every change leaves a mark in the database; a keeper on any node claims venues with marks,
 * and venues that are due, and has their files made. A claim is a lease: a node that dies only delays.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../db/database.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { Engine } from './engine.ts';
import type { FeedStorage } from './feed-file.ts';
import type { Made } from './make.ts';
import * as store from './store.ts';

export interface FeedSchedulerLog {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface FeedSchedulerDeps {
  sql: Sql;
  clock: Clock;
  engine: Engine;
  storage: FeedStorage;
  meters: Meters;
  log: FeedSchedulerLog;
}

export interface FeedScheduler {
  /** Finishes the venue it is at, and claims no other. */
  stop(): Promise<void>;
}

const POLL_MS = 1000;
const CLAIMED_AT_A_TIME = 4;
export const LEASE_SECONDS = 60;
const EXTEND_MS = 20_000;
const GARBAGE_EVERY_MS = 600_000;
const GARBAGE_BATCH = 500;

export function startFeedScheduler(deps: FeedSchedulerDeps): FeedScheduler {
  const { log } = deps;
  const stopping = new AbortController();
  let nextGarbageMs = 0;

  async function round(): Promise<number> {
    if (performance.now() >= nextGarbageMs) {
      nextGarbageMs = performance.now() + GARBAGE_EVERY_MS;
      await removeGarbage(deps);
    }
    return keepOnce(deps, stopping.signal);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const kept = await round().catch((err) => {
        log.error({ err }, 'Feeds could not be looked after.');
        return 0;
      });
      if (kept === 0) await sleep(POLL_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Makes the files of a few venues that wait for it; says how many. */
export async function keepOnce(deps: FeedSchedulerDeps, signal?: AbortSignal): Promise<number> {
  const { sql, clock } = deps;
  const now = nowOf(clock);
  const lease = randomUUID();
  const times = { now, leasedUntil: now.add({ seconds: LEASE_SECONDS }) };
  const waiting = await store.claimVenues(sql, lease, times, CLAIMED_AT_A_TIME);
  if (waiting.length === 0) return 0;
  let kept = 0;
  await whileExtending(deps, lease, async () => {
    for (const claim of waiting) {
      if (signal?.aborted) break;
      await keepVenue(deps, claim);
      kept += 1;
    }
  });
  return kept;
}

/** Holds what was claimed for as long as the work takes, and no longer. */
export async function whileExtending<Result>(
  { sql, clock }: Pick<FeedSchedulerDeps, 'sql' | 'clock'>,
  lease: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const until = () => nowOf(clock).add({ seconds: LEASE_SECONDS });
  const extend = () => store.extendLease(sql, lease, until()).catch(() => {});
  const extending = setInterval(extend, EXTEND_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(extending);
    await store.releaseVenues(sql, lease);
  }
}

async function keepVenue(
  { sql, clock, engine, meters, log }: FeedSchedulerDeps,
  claim: store.DueClaim,
): Promise<void> {
  const { venueId, lease, isFullDue: isFull } = claim;
  const now = nowOf(clock);
  try {
    const made = await engine.make({ venueId, lease, nowMs: now.epochMilliseconds, isFull });
    meters.add(made);
    if (made.files > 0) log.info({ venueId, ...made }, 'The feeds of a venue were made.');
  } catch (err) {
    log.error({ err, venueId }, 'The feeds of a venue could not be made, and are tried again later.');
    await store.putOff(sql, claim, nowOf(clock));
  }
}

/** Files first: what is removed and still noted is removed once more, which does no harm. */
export async function removeGarbage({
  sql,
  clock,
  storage,
}: Pick<FeedSchedulerDeps, 'sql' | 'clock' | 'storage'>) {
  for (;;) {
    const paths = await store.listGarbage(sql, nowOf(clock), GARBAGE_BATCH);
    if (paths.length === 0) return;
    await storage.remove(paths);
    await store.forgetGarbage(sql, paths);
  }
}

/** Venues of one zone are spread over this long, so that they do not all come at once. */
const SPREAD_MINUTES = 120;
const MONDAY = 1;

interface Due {
  dueAt: Temporal.Instant;
  fullDueAt: Temporal.Instant;
}

export function dueAfter(nowMs: number, venueId: VenueId, timeZone: string): Due {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone).toPlainDate();
  const at = (days: number) =>
    today
      .add({ days })
      .toZonedDateTime(timeZone)
      .add({ minutes: minutesOf(venueId) })
      .toInstant();
  const daysToMonday = (MONDAY - today.dayOfWeek + 7) % 7 || 7;
  return { dueAt: at(1), fullDueAt: at(daysToMonday) };
}

/** The same every day, and for each venue another. */
function minutesOf(venueId: VenueId): number {
  return createHash('sha256').update(venueId).digest().readUInt16BE(0) % SPREAD_MINUTES;
}

/** What this node has made since it started. */
export interface Meters {
  slots: number;
  daysCarried: number;
  add(made: Made): void;
}

export function createMeters(): Meters {
  return {
    slots: 0,
    daysCarried: 0,
    add({ slots, daysCarried }) {
      this.slots += slots;
      this.daysCarried += daysCarried;
    },
  };
}
