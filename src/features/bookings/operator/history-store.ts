import type { Tx } from '../../../db/database.ts';

export interface RefundRow {
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
