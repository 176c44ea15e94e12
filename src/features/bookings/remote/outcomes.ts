/** Writes the resolver's findings to the booking, with an event for the partner. */
import type { Tx } from '../../../db/database.ts';
import { nowOf } from '../../../kernel/clock.ts';
import { markCancelled } from '../cancel.ts';
import { repriced, writeChange } from '../change.ts';
import type { Context } from '../context.ts';
import { takenOf } from '../money/ledger.ts';
import { refundOnCancelling } from '../money/refunds.ts';
import { type BookingRecord, isPlaced } from '../record.ts';
import { detailsOf, movedPlacement } from '../system-request.ts';
import type { StoredIntent } from './intent-store.ts';
import type { RemoteOutcomes } from './resolver.ts';

export function remoteOutcomesOf(context: Context): RemoteOutcomes {
  const { sql, store, clock } = context;

  /** Undefined when it is no longer placed: then it is not for a system to say what becomes of it. */
  async function lockPlaced(tx: Tx, { bookingId }: StoredIntent): Promise<BookingRecord | undefined> {
    const booking = await store.lock(tx, { kind: 'platform' }, bookingId);
    return booking && isPlaced(booking) ? booking : undefined;
  }

  return {
    async findDetails({ bookingId }) {
      const booking = await store.find(sql, { kind: 'platform' }, bookingId);
      return booking && isPlaced(booking) ? detailsOf(booking) : undefined;
    },

    async stayed(tx, intent, held) {
      const booking = await lockPlaced(tx, intent);
      if (!booking) return false;
      const placement = movedPlacement(booking, booking, held, nowOf(clock));
      if (!isSamePlacement(booking, placement)) await writeChange(tx, context, booking, placement);
      return true;
    },

    async moved(tx, intent, held) {
      const booking = await lockPlaced(tx, intent);
      const { wanted } = intent;
      if (!booking || !wanted) return false;
      const startsAt = Temporal.Instant.fromEpochMilliseconds(wanted.startMs);
      const { productId, date, minute, adults, children, spaceId } = wanted;
      const stay = { productId, date, minute, startsAt, adults, children, spaceId };
      const after: BookingRecord = {
        ...booking,
        ...stay,
        requestedDurationMinutes: wanted.durationMinutes,
        ...movedPlacement(booking, stay, held, nowOf(clock)),
      };
      await writeChange(tx, context, booking, await repriced(tx, context, booking, after));
      return true;
    },

    async released(tx, intent) {
      const booking = await lockPlaced(tx, intent);
      if (!booking) return false;
      await markCancelled(tx, context, booking, owedFor(booking, intent));
      return true;
    },
  };
}

/**
 * A cancellation by the partner is refunded by the terms of that moment; a place lost through the venue or through a
 * failed amendment is refunded in full.
 */
function owedFor(booking: BookingRecord, { wanted, isByOperator, createdAt }: StoredIntent): number {
  if (wanted || isByOperator) return takenOf(booking.payments);
  return refundOnCancelling(booking, createdAt);
}

function isSamePlacement(
  booking: BookingRecord,
  { operatorBookingId, area, tables, durationMinutes }: ReturnType<typeof movedPlacement>,
): boolean {
  return (
    booking.operatorBookingId === operatorBookingId &&
    booking.area?.id === area?.id &&
    booking.tables.join('\n') === tables.join('\n') &&
    booking.durationMinutes === durationMinutes
  );
}
