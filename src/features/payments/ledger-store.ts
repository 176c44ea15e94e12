import type { Tx } from '../../db/database.ts';

/** The money that a payment has taken; a payment has one such entry, however often it is settled. */
export async function insertPaymentEntry(
  tx: Tx,
  { paymentId, at }: { paymentId: string; at: Temporal.Instant },
): Promise<void> {
  await tx`
    insert into ledger_entry (id, kind, payment_id, booking_id, operator_id, amount_pence, currency, provider,
      provider_reference, account, at)
    select y.id, 'payment', y.id, y.booking_id, b.operator_id, y.amount_pence, y.currency, y.provider,
      y.provider_reference, y.account, ${at}
    from payment y join booking b on b.id = y.booking_id where y.id = ${paymentId}
    on conflict do nothing`;
}

/** The money that a refund has given back; once for each, too. */
export async function insertRefundEntry(
  tx: Tx,
  { refundId, at }: { refundId: string; at: Temporal.Instant },
): Promise<void> {
  await tx`
    insert into ledger_entry (id, kind, payment_id, refund_id, booking_id, operator_id, amount_pence, currency, provider,
      provider_reference, account, at)
    select r.id, 'refund', y.id, r.id, y.booking_id, b.operator_id, -r.amount_pence, y.currency, y.provider,
      r.provider_reference, y.account, ${at}
    from refund r join payment y on y.id = r.payment_id join booking b on b.id = y.booking_id
    where r.id = ${refundId}
    on conflict do nothing`;
}
