import type { Tx } from '../../db/database.ts';

export interface DueRefund {
  refundId: string;
  paymentId: string;
  bookingId: string;
  reference: string;
  account: string | null;
  amountPence: number;
  currency: string;
  /** With the one that begins now. */
  attempts: number;
}

/**
 * Claims the refund that has been due the longest: its next attempt is put off by a minute, the next time by two, and
 * so on up to about four hours.
 */
export async function claimDueRefund(
  tx: Tx,
  { provider, now, dueBy }: { provider: string; now: Temporal.Instant; dueBy: Temporal.Instant },
): Promise<DueRefund | undefined> {
  const [due] = await tx<DueRefund[]>`
    with due as (
      select r.id, y.provider_reference as reference, y.account, y.currency
      from refund r join payment y on y.id = r.payment_id
      where r.status = 'due' and y.provider = ${provider} and y.provider_reference is not null
        and r.next_attempt_at <= ${dueBy}
      order by r.next_attempt_at, r.id limit 1
      for update of r skip locked)
    update refund r
    set attempts = least(attempts, 30000) + 1,
      next_attempt_at = ${now}::timestamptz + interval '1 minute' * 2 ^ least(attempts, 8)
    from due where r.id = due.id
    returning r.id as "refundId", r.payment_id as "paymentId", r.booking_id as "bookingId", due.reference, due.account,
      r.amount_pence as "amountPence", due.currency, r.attempts`;
  return due;
}

/** False: it was done before. */
export async function markPaidOut(tx: Tx, refundId: string, reference: string): Promise<boolean> {
  const done = await tx`
    update refund set status = 'done', provider_reference = ${reference}, failure_reason = null
    where id = ${refundId} and status = 'due' returning id`;
  return done.length > 0;
}

/** Null: it is on its way. */
export async function noteAttempt(tx: Tx, refundId: string, failureReason: string | null): Promise<void> {
  await tx`update refund set failure_reason = ${failureReason} where id = ${refundId} and status = 'due'`;
}

/** The provider has news of a payment, so its refunds are asked about at the next chance. */
export async function hurryRefunds(tx: Tx, paymentId: string, now: Temporal.Instant): Promise<void> {
  await tx`
    update refund set next_attempt_at = least(next_attempt_at, ${now})
    where payment_id = ${paymentId} and status = 'due'`;
}
