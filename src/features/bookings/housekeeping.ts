/** What happens to bookings with time: visits end, guests are forgotten. */

import { inTransaction, type Tx } from '../../db/database.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { nowOf } from '../../kernel/clock.ts';
import { withLockedBooking } from './access.ts';
import { recordChange, writeChange } from './change.ts';
import type { Context } from './context.ts';
import { addUpCounts, claimKnown, claimOver, forgetGuests } from './operator/store.ts';

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
      if (booking) await writeChange(tx, context, booking, { status: 'completed' });
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
