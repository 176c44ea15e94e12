/** Housekeeping of holds. Places come free by clock; this job records the events of it and deletes old rows. */
import { inTransaction } from '../../../db/database.ts';
import { nowOf, timestampOf } from '../../../kernel/clock.ts';
import { clockTime } from '../../../kernel/zone-time.ts';
import type { NewEvent } from '../../events/service.ts';
import type { Context } from '../context.ts';
import type { HoldRecord } from './record.ts';
import { deleteEnded, takeExpired } from './store.ts';

const BATCH = 100;
/** A node whose clock is a little behind may still be using one. */
const GRACE_SECONDS = 5;
const KEPT_HOURS = 7 * 24;

/** Returns how many holds were found to have expired; each is told once. */
export async function sweepHolds(context: Context, signal?: AbortSignal): Promise<number> {
  const { sql, clock, events, holdCounts } = context;
  const before = nowOf(clock).subtract({ seconds: GRACE_SECONDS });
  let total = 0;
  const sweep = () =>
    inTransaction(sql, async (tx) => {
      const expired = await takeExpired(tx, before, BATCH);
      if (expired.length > 0) await events.append(tx, ...expired.map(expiryOf));
      return expired.length;
    });
  for (let swept = BATCH; swept === BATCH && !signal?.aborted; ) {
    swept = await sweep();
    holdCounts.add('expired', swept);
    total += swept;
  }
  const keptFrom = nowOf(clock).subtract({ hours: KEPT_HOURS });
  while (!signal?.aborted && (await deleteEnded(sql, keptFrom, BATCH)) === BATCH);
  return total;
}

const expiryOf = (hold: HoldRecord): NewEvent => ({
  type: 'hold.expired',
  partnerId: hold.partnerId,
  venueId: hold.venueId,
  occurredAt: hold.expiresAt,
  content: {
    holds: [
      {
        id: hold.id,
        compositeId: hold.productId,
        date: hold.date,
        time: clockTime(hold.minute),
        partySize: hold.adults,
        children: hold.children,
        expiresAt: timestampOf(hold.expiresAt),
      },
    ],
  },
});
