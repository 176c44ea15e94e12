/** What happens to bookings with time: visits end, guests are forgotten. */

import { inTransaction, type Tx } from '../../db/database.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { nowOf } from '../../kernel/clock.ts';
import { withLockedBooking } from './access.ts';
import { recordChange, writeChange } from './change.ts';
import type { Context } from './context.ts';
import { addHashes, claimProgress, listAfter, saveProgress } from './guest-search/store.ts';
import { addUpCounts, claimKnown, claimOver, forgetGuests } from './operator/store.ts';
import { visitFor } from './record.ts';

const BATCH = 100;
const COUNTS_AT_A_TIME = 100_000;
const HOURS_UNTIL_COMPLETED = 24;

/**
 * A confirmed booking without a reported outcome counts as completed a day after its visit. One that cannot be read
 * does not hold up the others.
 */
export async function completeVisits(context: Context): Promise<number> {
  const endedBefore = nowOf(context.clock).subtract({ hours: HOURS_UNTIL_COMPLETED });
  const unreadable = new Map<string, unknown>();
  const claimed = await inBatches(context, async (tx) => {
    const ids = await claimOver(tx, endedBefore, [...unreadable.keys()], BATCH);
    for (const id of ids) {
      const booking = await context.store
        .find(tx, { kind: 'platform' }, id)
        .catch((error) => void unreadable.set(id, error));
      if (!booking) continue;
      const status = 'completed';
      await writeChange(tx, context, booking, { status, visit: visitFor(status, booking.visit) });
    }
    return ids.length;
  });
  if (unreadable.size > 0)
    throw new AggregateError(
      unreadable.values(),
      `Visits that cannot be completed: ${[...unreadable.keys()].join(', ')}.`,
    );
  return claimed;
}

/** Forgets the guests whose visit is longer ago than they are to be known. */
export async function forgetOldGuests(context: Context, days: number): Promise<number> {
  const startedBefore = nowOf(context.clock).subtract({ hours: 24 * days });
  return inBatches(context, async (tx) => {
    const ids = await claimKnown(tx, startedBefore, BATCH);
    await forget(tx, context, ids);
    return ids.length;
  });
}

/** Forgets the guest of one booking now. Everything else of the booking stays. */
export function forgetGuest(context: Context, caller: Caller, id: string): Promise<void> {
  return withLockedBooking(context, caller, id, async (tx, booking) => {
    await forget(tx, context, [booking.id]);
    if (booking.guest !== null) await recordChange(tx, context, booking, { ...booking, guest: null });
  });
}

/** So that asking how many bookings there are takes no longer the more have been made. */
export function addUpBookings({ sql }: Context): Promise<number> {
  return addUpCounts(sql, COUNTS_AT_A_TIME);
}

/** So many are looked at in one transaction. */
const HASHED_AT_A_TIME = 500;
/** Nodes of the version before, which write no hashes, may have run for a while after the first pass. */
const LOOKED_BACK_HOURS = 48;

/**
 * Writes the hashes by which guests are found for bookings that have none: those made before there were any, and all of
 * them when the encryption key is another one. Returns whether all were looked at; a later call goes on.
 */
export async function hashGuests({ sql, clock, store }: Context, signal: AbortSignal): Promise<boolean> {
  const { keyId, ...hashing } = store.guestHashing;
  const now = nowOf(clock);
  while (!signal.aborted) {
    const isDone = await inTransaction(sql, async (tx) => {
      const progress = await claimProgress(tx, keyId);
      if (!progress) return true;
      if (progress.finishedAt && hoursBetween(progress.finishedAt, now) < 1) return true;
      const lastId = progress.finishedAt ? idBefore(now, LOOKED_BACK_HOURS) : progress.lastId;
      const found = await listAfter(tx, keyId, lastId, HASHED_AT_A_TIME);
      await addHashes(tx, keyId, found.flatMap(hashing.itemOf));
      const isLast = found.length < HASHED_AT_A_TIME;
      await saveProgress(tx, keyId, {
        lastId: found.at(-1)?.id ?? lastId,
        lookedAt: progress.lookedAt + found.length,
        finishedAt: isLast ? now : null,
      });
      return isLast;
    });
    if (isDone) return true;
  }
  return false;
}

const hoursBetween = (from: Temporal.Instant, to: Temporal.Instant) => from.until(to).total('hours');

/** Ids begin with their time. */
function idBefore(now: Temporal.Instant, hours: number): string {
  const hex = (now.epochMilliseconds - hours * 3_600_000).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

async function forget(tx: Tx, { events, notices }: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await forgetGuests(tx, ids);
  await events.forget(tx, ids);
  await notices.forget(tx, ids);
}

async function inBatches({ sql }: Context, batch: (tx: Tx) => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const done = await inTransaction(sql, batch);
    total += done;
    if (done < BATCH) return total;
  }
}
