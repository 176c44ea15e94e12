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

interface RefundRow {
  at: Temporal.Instant;
  amountPence: number;
  reason: string;
  /** Due: the provider has not confirmed it yet. */
  status: 'due' | 'done';
}

export async function listRefunds(tx: Tx, bookingId: string): Promise<RefundRow[]> {
  const rows = await tx<RefundRow[]>`
    select created_at as at, amount_pence as "amountPence", reason, status from refund
    where payment_id in (select id from payment where booking_id = ${bookingId}) order by created_at, id`;
  return [...rows];
}
