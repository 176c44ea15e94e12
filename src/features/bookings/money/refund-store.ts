import type { Tx } from '../../../db/database.ts';

export type RefundReason = 'fewer_tickets' | 'cheaper' | 'cancelled' | 'rejected' | 'overpaid' | 'operator';

export async function insertRefund(tx: Tx, refund: NewRefund): Promise<void> {
  await tx`
    insert into refund (id, payment_id, booking_id, reason, amount_pence, next_attempt_at, created_at)
    values (${refund.id}, ${refund.paymentId}, ${refund.bookingId}, ${refund.reason}, ${refund.amountPence}, ${refund.createdAt}, ${refund.createdAt})`;
}

export interface NewRefund {
  id: string;
  paymentId: string;
  bookingId: string;
  reason: RefundReason;
  amountPence: number;
  createdAt: Temporal.Instant;
}
