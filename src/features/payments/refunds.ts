import type { Tx } from '../../db/database.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import type { BookingRecord } from '../bookings/record.ts';
import type { RefundTerm } from '../venues/document.ts';
import { balanceOf, paidOf, takenOf } from './ledger.ts';
import { mostOf } from './options.ts';
import type { PaymentRecord } from './record.ts';
import { insertRefund, type RefundReason } from './store.ts';

const MS_PER_HOUR = 3_600_000;

/** What is given back of what we have taken when a booking is cancelled now; terms that say nothing give back all. */
export function refundOnCancelling(
  { payments, startsAt }: Pick<BookingRecord, 'payments' | 'startsAt'>,
  terms: readonly RefundTerm[],
  now: Temporal.Instant,
): number {
  const taken = takenOf(payments);
  if (terms.length === 0) return taken;
  const hoursLeft = (startsAt.epochMilliseconds - now.epochMilliseconds) / MS_PER_HOUR;
  const percent = Math.max(
    0,
    ...terms.filter(({ hoursBefore }) => hoursLeft >= hoursBefore).map((term) => term.percent),
  );
  return Math.floor((taken * percent) / 100);
}

/** After tickets were given back: what has been paid beyond what the rest costs, as far as we have it. */
export function refundOfSurplus(booking: BookingRecord): number {
  return Math.max(0, Math.min(takenOf(booking.payments), paidOf(booking) - balanceOf(booking)));
}

/** Of a payment that has come in: all of it when the booking is no more, or else what is beyond all that is asked for. */
export function refundOnArrival(
  booking: BookingRecord,
  { amountPence }: PaymentRecord,
): { amountPence: number; reason: RefundReason } {
  const { status } = booking;
  if (status === 'cancelled' || status === 'rejected') return { amountPence, reason: status };
  const surplus = Math.max(0, paidOf(booking) - mostOf(booking));
  return { amountPence: Math.min(amountPence, surplus), reason: 'overpaid' };
}

/**
 * Writes down that so much is owed to the guest, of the newest payments first, and returns the payments as they are
 * then. A job asks the provider to pay it out.
 */
export async function oweRefund(
  tx: Tx,
  clock: Clock,
  { id, payments }: Pick<BookingRecord, 'id' | 'payments'>,
  { amountPence, reason }: { amountPence: number; reason: RefundReason },
): Promise<PaymentRecord[]> {
  let left = amountPence;
  const after: PaymentRecord[] = [];
  for (const payment of payments.toReversed()) {
    const share = Math.min(left, takenOf([payment]));
    left -= share;
    after.unshift({ ...payment, refundedPence: payment.refundedPence + share });
    if (share === 0) continue;
    const refund = { id: newId(clock), paymentId: payment.id, bookingId: id, amountPence: share, reason };
    await insertRefund(tx, { ...refund, createdAt: nowOf(clock) });
  }
  return after;
}
