/**
 * Resolves calls whose outcome is unknown: makes true in the venue's system what the caller was told. A call may
 * still take effect late, so the system is checked several times.
 */
import { randomUUID } from 'node:crypto';
import { inTransaction, type Sql, type Tx } from '../../../db/database.ts';
import { type Clock, nowOf } from '../../../kernel/clock.ts';
import type {
  BookingDetails,
  BookingRequest,
  Outcome,
  PlaceRequest,
  SystemBooking,
} from '../../../tms/contract.ts';
import type { Registry } from '../../../tms/registry.ts';
import type { RemoteConnector } from '../../../tms/remote.ts';
import { fits } from '../system-request.ts';
import { leaseTimes, newCall } from './claim.ts';
import * as intents from './intent-store.ts';

/**
 * Writes the system's state to the booking, so that both sides agree. False: the booking is no longer one for which
 * the system holds anything.
 */
export interface RemoteOutcomes {
  /** What the venue is told of the booking; undefined: the system should hold nothing for it any more. */
  findDetails(intent: intents.StoredIntent): Promise<BookingDetails | undefined>;
  /** It is there as it should be, perhaps at another table or under another number. */
  stayed(tx: Tx, intent: intents.StoredIntent, held: SystemBooking): Promise<boolean>;
  /** The system has moved it to the requested place, permanently. */
  moved(tx: Tx, intent: intents.StoredIntent, held: SystemBooking): Promise<boolean>;
  /** The system no longer holds it, permanently. */
  released(tx: Tx, intent: intents.StoredIntent): Promise<boolean>;
}

export interface ResolverDeps {
  sql: Sql;
  clock: Clock;
  registry: Registry;
  remoteOutcomes: RemoteOutcomes;
}

export interface Round {
  /** Aborted, the round ends with what it is at. */
  signal?: AbortSignal;
  /** Told of what will never be known. */
  givenUp?: (intent: { tms: string; bookingId: string }) => void;
}

export interface OpenIntents {
  count: number;
  /** 0 without any. */
  oldestSeconds: number;
}

/** Seconds between one look and the next; after the last the matter is closed. */
const LOOKS_APART_SECONDS = [30, 120, 600];
const RETRY_SECONDS = 60;
const BATCH = 100;

type Finding =
  /** The system agrees with what the caller was told. */
  | { kind: 'as-told'; held?: SystemBooking }
  /** It does not say, or not now. */
  | { kind: 'silent' }
  /** It cannot be brought back to that. */
  | { kind: 'moved'; held: SystemBooking }
  | { kind: 'released' }
  /** The venue has moved it: no request of ours asked for that place, and it cannot be brought back. */
  | { kind: 'moved-by-venue' };

export type Resolver = ReturnType<typeof createResolver>;

export function createResolver({ sql, clock, registry, remoteOutcomes }: ResolverDeps) {
  async function resolve(due: intents.StoredIntent, { givenUp }: Round): Promise<void> {
    const lease = { bookingId: due.bookingId, lease: randomUUID() };
    if (!(await intents.takeLease(sql, due, lease, leaseTimes(clock)))) return;
    const details = due.standing ? await remoteOutcomes.findDetails(due) : undefined;
    if (due.standing && !details) {
      await intents.finish(sql, lease);
      return;
    }
    const finding = await look(due, details);
    switch (finding.kind) {
      case 'as-told':
        return keepLooking(due, lease, finding);
      case 'silent':
        return tryLater(due, lease, givenUp);
      case 'moved':
      case 'released':
        return follow(due, lease, finding);
      case 'moved-by-venue':
        // The queue of changes, or the next look at all bookings of the system, follows it once this is over.
        return void (await intents.finish(sql, lease));
    }
  }

  async function look(due: intents.StoredIntent, details: BookingDetails | undefined): Promise<Finding> {
    const connector = registry.get(due.tms);
    if (connector?.flavour !== 'remote') return { kind: 'silent' };
    const nowMs = nowOf(clock).epochMilliseconds;
    // What stands has had its consent.
    const today = due.standing &&
      details && {
        ...due.standing,
        details,
        nowMs,
        isConfirmedByOperator: true,
        overrides: ['notice'] as const,
      };
    return restore(connector, due, today ?? undefined);
  }

  async function keepLooking(
    due: intents.StoredIntent,
    lease: intents.Lease,
    { held }: { held?: SystemBooking },
  ): Promise<void> {
    const { checks } = due;
    const seconds = LOOKS_APART_SECONDS[checks];
    const next = seconds && { checks: checks + 1, nextCheckAt: nowOf(clock).add({ seconds }) };
    await inTransaction(sql, async (tx) => {
      const isOurs = await (next ? intents.scheduleCheck(tx, lease, next) : intents.finish(tx, lease));
      if (isOurs && held && !(await remoteOutcomes.stayed(tx, due, held))) await intents.finish(tx, lease);
    });
  }

  async function tryLater(
    due: intents.StoredIntent,
    lease: intents.Lease,
    givenUp: Round['givenUp'],
  ): Promise<void> {
    const now = nowOf(clock);
    const { tms, bookingId, checks, standing, wanted } = due;
    const startMs = Math.max(standing?.startMs ?? 0, wanted?.startMs ?? 0);
    if (startMs > now.epochMilliseconds) {
      await intents.scheduleCheck(sql, lease, { checks, nextCheckAt: now.add({ seconds: RETRY_SECONDS }) });
      return;
    }
    // Once the visit has begun there is nothing left to put right.
    if (await intents.finish(sql, lease)) givenUp?.({ tms, bookingId });
  }

  async function follow(
    due: intents.StoredIntent,
    lease: intents.Lease,
    finding: Extract<Finding, { kind: 'moved' | 'released' }>,
  ): Promise<void> {
    await inTransaction(sql, async (tx) => {
      if (finding.kind === 'released') await intents.replaceRequest(tx, lease, { ...due, wanted: null });
      if (!(await intents.settle(tx, lease, leaseTimes(clock).nextCheckAt))) return;
      const isFollowed = await (finding.kind === 'moved'
        ? remoteOutcomes.moved(tx, due, finding.held)
        : remoteOutcomes.released(tx, due));
      if (!isFollowed) await intents.finish(tx, lease);
    });
  }

  /** One after the other, so that new bookings have the system to themselves most of the time. */
  async function resolveAll(due: readonly intents.StoredIntent[], round: Round, failures: unknown[]) {
    let looked = 0;
    for (const intent of due) {
      if (round.signal?.aborted) break;
      await resolve(intent, round).catch((error) => failures.push(error));
      looked += 1;
    }
    return looked;
  }

  return {
    async open(): Promise<OpenIntents> {
      const now = nowOf(clock);
      const { count, since } = await intents.countOpen(sql, now);
      return { count, oldestSeconds: since ? now.since(since).total('seconds') : 0 };
    },

    /** One round over everything that is due; says how much it has looked at. */
    async resolveDue(round: Round = {}): Promise<number> {
      const failures: unknown[] = [];
      let total = 0;
      for (let isMore = true; isMore && !round.signal?.aborted; ) {
        const due = await intents.listDue(sql, nowOf(clock), BATCH);
        const bySystem = [...Map.groupBy(due, ({ tms }) => tms).values()];
        const looked = await Promise.all(bySystem.map((each) => resolveAll(each, round, failures)));
        total += looked.reduce((sum, count) => sum + count, 0);
        isMore = due.length === BATCH;
      }
      if (failures.length > 0) throw new AggregateError(failures, 'Some calls could not be cleared up.');
      return total;
    },
  };
}

/** Looks, and writes only what it finds to be otherwise. */
async function restore(
  connector: RemoteConnector,
  { bookingId, standing, wanted, replaced }: intents.StoredIntent,
  again: BookingRequest | undefined,
): Promise<Finding> {
  const { venueId } = (standing ?? wanted) as PlaceRequest;
  const found = await connector.find(newCall(venueId), bookingId);
  if (found.kind !== 'ok') return { kind: 'silent' };
  const held = found.value;
  if (!standing || !again) {
    if (!held) return { kind: 'as-told' };
    const cancelled = await connector.cancel(newCall(venueId), bookingId);
    return { kind: cancelled.kind === 'ok' ? 'as-told' : 'silent' };
  }
  if (!held) {
    const rebooked = await connector.book(newCall(venueId), again);
    return rebooked.kind === 'refused' ? { kind: 'released' } : findingOf(rebooked);
  }
  const isAtWanted = wanted !== null && fits(held, wanted);
  if (fits(held, standing) && !isAtWanted) return { kind: 'as-told', held };
  const back = await connector.amend(newCall(venueId), again);
  if (back.kind !== 'refused') return findingOf(back);
  // The way back is closed. What can be told to have moved is followed; what an earlier request has brought somewhere
  // else is tried again, and so is what has gone meanwhile.
  if (back.reason === 'not-found' || fits(held, standing)) return { kind: 'silent' };
  if (isAtWanted) return { kind: 'moved', held };
  return { kind: replaced.some((place) => fits(held, place)) ? 'silent' : 'moved-by-venue' };
}

const findingOf = (outcome: Outcome<SystemBooking>): Finding =>
  outcome.kind === 'ok' ? { kind: 'as-told', held: outcome.value } : { kind: 'silent' };
