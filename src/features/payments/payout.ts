/** Pays out refunds, which are owed from the moment they are stored. */
import type { Tx } from '../../db/database.ts';
import { nowOf } from '../../kernel/clock.ts';
import { type BookingRecord, OURSELVES } from '../bookings/service.ts';
import { insertRefundEntry } from './ledger-store.ts';
import { claimDueRefund, type DueRefund, markPaidOut, noteAttempt } from './refund-store.ts';
import { newCall, type PaymentsContext, withPayment } from './settling.ts';

export interface Payout {
  done: number;
  /** On their way; they are asked about again. */
  pending: number;
  failed: number;
  /** Of those that failed: tried so often that the platform should look into it. */
  stuck: number;
}

const AT_ONCE = 5;

export const MANY_ATTEMPTS = 10;

/** One attempt at each refund that is due. */
export async function settleRefunds(context: PaymentsContext, signal?: AbortSignal): Promise<Payout> {
  const { sql, clock, provider } = context;
  const payout: Payout = { done: 0, pending: 0, failed: 0, stuck: 0 };
  if (!provider) return payout;
  const { slug } = provider;
  const dueBy = nowOf(clock);

  async function payOutNext(): Promise<boolean> {
    const due = await claimDueRefund(sql, { provider: slug, now: nowOf(clock), dueBy });
    if (!due) return false;
    const { attempts, bookingId: _, ...repayment } = due;
    const outcome = await provider?.refund(newCall(signal), repayment);
    switch (outcome?.kind) {
      case 'done':
        await recordDone(context, due, outcome.reference);
        payout.done += 1;
        return true;
      case 'pending':
        await noteAttempt(sql, due.refundId, null);
        payout.pending += 1;
        return true;
      case 'failed':
        await noteAttempt(sql, due.refundId, outcome.reason);
    }
    payout.failed += 1;
    if (attempts >= MANY_ATTEMPTS) payout.stuck += 1;
    return true;
  }

  async function payOutAll(): Promise<void> {
    while (!signal?.aborted && (await payOutNext()));
  }

  await Promise.all(Array.from({ length: AT_ONCE }, payOutAll));
  return payout;
}

function recordDone(context: PaymentsContext, due: DueRefund, reference: string): Promise<void> {
  return context.bookings.inBooking(OURSELVES, due.bookingId, (tx, booking) =>
    recordRefund(tx, context, booking, { ...due, reference }),
  );
}

/** The refund, its entry in the ledger, and the booking that shows it. */
export async function recordRefund(
  tx: Tx,
  { clock, bookings }: PaymentsContext,
  booking: BookingRecord,
  {
    refundId,
    paymentId,
    amountPence,
    reference,
  }: Pick<DueRefund, 'refundId' | 'paymentId' | 'amountPence' | 'reference'>,
): Promise<void> {
  if (!(await markPaidOut(tx, refundId, reference))) return;
  await insertRefundEntry(tx, { refundId, at: nowOf(clock) });
  const payment = booking.payments.find(({ id }) => id === paymentId);
  const returnedPence = (payment?.returnedPence ?? 0) + amountPence;
  // Nothing more is seen of a part that went back: that it would was told when it became owed.
  if (!payment || returnedPence < payment.amountPence) return;
  const returned = { ...payment, returnedPence };
  await bookings.change(tx, booking, { payments: withPayment(booking, returned) });
}
