/** Refunds that people of the venue decide on; the job pays them out like any other. */
import { type Actor, operatorCaller } from '../../http/auth/actor.ts';
import { problem } from '../../kernel/problem.ts';
import type { AuditLog } from '../audit/service.ts';
import { oweRefund, paymentView, takenOf } from '../bookings/service.ts';
import type { Keep } from '../idempotency/service.ts';
import type { OwedRefund, RefundBody } from './schema.ts';
import type { PaymentsContext } from './settling.ts';

export interface RefundRequest {
  actor: Actor;
  operatorId: number;
  bookingId: string;
  body: RefundBody;
}

/** While the booking is locked: two refunds cannot both give back what is left. */
export function refundByOperator(
  { bookings, clock, auditLog }: PaymentsContext & { auditLog: AuditLog },
  { actor, operatorId, bookingId, body }: RefundRequest,
  keep: Keep<OwedRefund>,
): Promise<OwedRefund> {
  const { amount, reason = null } = body;
  return bookings.inBooking(operatorCaller(actor, operatorId), bookingId, async (tx, booking) => {
    const taken = takenOf(booking.payments);
    if (amount > taken) throw tooMuch(taken);
    const owed = { amountPence: amount, reason: 'operator' } as const;
    const payments = await oweRefund(tx, clock, booking, owed);
    const { id } = await bookings.change(tx, booking, { payments });
    await auditLog.record(tx, {
      actor,
      operatorId,
      action: 'booking.refund',
      subject: `booking ${id}`,
      before: { takenPence: taken },
      after: { takenPence: taken - amount, refundPence: amount, reason },
    });
    const views = payments.map((payment) => paymentView(payment));
    const refund = { bookingId: id, amount, taken: taken - amount, payments: views };
    await keep(tx, refund);
    return refund;
  });
}

const tooMuch = (taken: number) =>
  problem('BOOK-N-014', {
    detail:
      taken === 0
        ? 'Nothing is left that could be given back.'
        : `At most ${taken} pence are left that could be given back.`,
  });
