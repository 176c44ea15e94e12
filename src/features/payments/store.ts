import type { Tx } from '../../db/database.ts';
import type { PaymentRecord, PaymentStatus } from '../bookings/service.ts';

export interface NewPayment extends PaymentRecord {
  bookingId: string;
  provider: string;
  /** The client that asked for it, and its key. */
  clientId: string;
  idempotencyKey: string | null;
}

export async function insertPayment(tx: Tx, payment: NewPayment): Promise<void> {
  await tx`
    insert into payment (id, booking_id, option, status, amount_pence, currency, method, provider, client_id,
      idempotency_key, asked_at, created_at)
    values (${payment.id}, ${payment.bookingId}, ${payment.option}, ${payment.status}, ${payment.amountPence},
      ${payment.currency}, ${payment.method}, ${payment.provider}, ${payment.clientId}, ${payment.idempotencyKey},
      ${payment.createdAt}, ${payment.createdAt})`;
}

export interface KeyedPayment extends Pick<PaymentRecord, 'option' | 'method'> {
  bookingId: string;
  clientId: string;
  idempotencyKey: string;
  since: Temporal.Instant;
}

/** The id of the payment that an earlier request with the same key has begun and that has not failed. */
export async function findBegun(tx: Tx, payment: KeyedPayment): Promise<string | undefined> {
  const { bookingId, clientId, idempotencyKey, option, method, since } = payment;
  const [found] = await tx<{ id: string }[]>`
    select id from payment
    where booking_id = ${bookingId} and client_id = ${clientId} and idempotency_key = ${idempotencyKey}
      and option = ${option} and method is not distinct from ${method} and created_at >= ${since}
      and status <> 'failed'`;
  return found?.id;
}

/** Another request sets out to charge it. */
export async function askAgain(tx: Tx, id: string, askedAt: Temporal.Instant): Promise<void> {
  await tx`update payment set asked_at = ${askedAt} where id = ${id}`;
}

/** Whether no later request has started to charge it. */
export async function isLastAsked(tx: Tx, { id, askedAt }: Asked): Promise<boolean> {
  const found = await tx`select from payment where id = ${id} and asked_at = ${askedAt}`;
  return found.length > 0;
}

export interface Asked {
  id: string;
  askedAt: Temporal.Instant;
}

export interface Settlement {
  id: string;
  status: PaymentStatus;
  /** Null: what is known of it stays. */
  reference: string | null;
  checkoutUrl: string | null;
}

export async function updatePayment(tx: Tx, settlement: Settlement): Promise<void> {
  const { id, status, reference, checkoutUrl } = settlement;
  await tx`
    update payment set status = ${status}, provider_reference = coalesce(${reference}, provider_reference),
      checkout_url = ${checkoutUrl}
    where id = ${id}`;
}

export interface PendingPayment extends Asked {
  bookingId: string;
}

export interface PendingQuery {
  provider: string;
  askedBefore: Temporal.Instant;
  afterId: string;
  limit: number;
}

/** The oldest first. */
export async function listPending(tx: Tx, query: PendingQuery): Promise<PendingPayment[]> {
  const { provider, askedBefore, afterId, limit } = query;
  const rows = await tx<PendingPayment[]>`
    select id, booking_id as "bookingId", asked_at as "askedAt" from payment
    where status = 'pending' and provider = ${provider} and asked_at < ${askedBefore} and id > ${afterId}
    order by id limit ${limit}`;
  return [...rows];
}

export interface DueRefund {
  refundId: string;
  paymentId: string;
  reference: string | null;
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
      select r.id, y.provider_reference as reference, y.currency
      from refund r join payment y on y.id = r.payment_id
      where r.status = 'due' and y.provider = ${provider} and r.next_attempt_at <= ${dueBy}
      order by r.next_attempt_at, r.id limit 1
      for update of r skip locked)
    update refund r
    set attempts = least(attempts, 30000) + 1,
      next_attempt_at = ${now}::timestamptz + interval '1 minute' * 2 ^ least(attempts, 8)
    from due where r.id = due.id
    returning r.id as "refundId", r.payment_id as "paymentId", due.reference, r.amount_pence as "amountPence",
      due.currency, r.attempts`;
  return due;
}

export async function markPaidOut(tx: Tx, refundId: string): Promise<void> {
  await tx`update refund set status = 'done' where id = ${refundId}`;
}
