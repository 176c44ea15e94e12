import type { Tx } from '../../../db/database.ts';
import { type Clock, nowOf } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/crypto.ts';
import { type BookingRecord, guestsOf, type PaymentRecord } from '../record.ts';
import { paidOf, takenOf } from './ledger.ts';
import { isCalledOff, mostOf } from './payment-options.ts';
import { insertRefund, type RefundReason } from './refund-store.ts';

const MS_PER_HOUR = 3_600_000;

export interface OwedRefund {
  amountPence: number;
  reason: RefundReason;
}

type Cancelled = Pick<BookingRecord, 'payments' | 'startsAt' | 'refundTerms' | 'wasPlaced'>;

/**
 * What is given back of what we have taken when a booking is cancelled at a moment. Terms that say nothing give back
 * all, and so does an enquiry that was never accepted: nothing was held for it.
 */
export function refundOnCancelling(booking: Cancelled, moment: Temporal.Instant): number {
  return Math.floor((takenOf(booking.payments) * refundPercent(booking, moment)) / 100);
}

/** How much of what was paid, to us or to the partner, goes back by the terms. */
export function refundPercent(
  { startsAt, refundTerms, wasPlaced }: Omit<Cancelled, 'payments'>,
  moment: Temporal.Instant,
): number {
  if (refundTerms.length === 0 || !wasPlaced) return 100;
  const hoursLeft = (startsAt.epochMilliseconds - moment.epochMilliseconds) / MS_PER_HOUR;
  return Math.max(
    0,
    ...refundTerms.filter(({ hoursBefore }) => hoursLeft >= hoursBefore).map((term) => term.percent),
  );
}

/** After a change that makes the booking cheaper: what has been paid beyond everything due, as far as we hold it. */
export function refundOfSurplus(before: BookingRecord, after: BookingRecord): OwedRefund {
  const isCheaper = mostOf(after) < mostOf(before);
  const surplus = isCheaper ? Math.min(takenOf(after.payments), paidOf(after) - mostOf(after)) : 0;
  const hasFewerTickets = after.pricePerGuestPence !== null && guestsOf(after) < guestsOf(before);
  return { amountPence: Math.max(0, surplus), reason: hasFewerTickets ? 'fewer_tickets' : 'cheaper' };
}

/** Of a payment that has arrived: all of it when the booking is over, or else what exceeds everything due. */
export function refundOnArrival(booking: BookingRecord, { amountPence }: PaymentRecord): OwedRefund {
  if (isCalledOff(booking)) return { amountPence, reason: booking.status };
  const surplus = Math.max(0, paidOf(booking) - mostOf(booking));
  return { amountPence: Math.min(amountPence, surplus), reason: 'overpaid' };
}

/**
 * Records what is owed to the guest, from the newest payments first, and returns the payments after that. A job asks
 * the provider to pay it out.
 */
export async function oweRefund(
  tx: Tx,
  clock: Clock,
  { id, payments }: Pick<BookingRecord, 'id' | 'payments'>,
  { amountPence, reason }: OwedRefund,
): Promise<PaymentRecord[]> {
  let left = amountPence;
  const after: PaymentRecord[] = [];
  for (const payment of payments.toReversed()) {
    const share = Math.min(left, takenOf([payment]));
    left -= share;
    after.unshift({ ...payment, refundedPence: payment.refundedPence + share });
    if (share === 0) continue;
    const refund = {
      id: newId(clock),
      paymentId: payment.id,
      bookingId: id,
      amountPence: share,
      reason,
    };
    await insertRefund(tx, { ...refund, createdAt: nowOf(clock) });
  }
  return after;
}
