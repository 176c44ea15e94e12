import type { Tx } from '../../db/database.ts';
import type { PaymentRecord, PaymentStatus } from './record.ts';

export interface NewPayment extends PaymentRecord {
  bookingId: string;
  provider: string;
  /** Who asked for it, and with which key. */
  clientId: string;
  idempotencyKey: string | null;
}

export async function insertPayment(tx: Tx, payment: NewPayment): Promise<void> {
  await tx`
    insert into payment (id, booking_id, option, status, amount_pence, currency, method, provider, client_id,
      idempotency_key, created_at)
    values (${payment.id}, ${payment.bookingId}, ${payment.option}, ${payment.status}, ${payment.amountPence},
      ${payment.currency}, ${payment.method}, ${payment.provider}, ${payment.clientId}, ${payment.idempotencyKey},
      ${payment.createdAt})`;
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

export async function deletePending(tx: Tx, id: string): Promise<void> {
  await tx`delete from payment where id = ${id} and status = 'pending'`;
}

export interface PendingPayment {
  id: string;
  bookingId: string;
}

export interface PendingQuery {
  provider: string;
  createdBefore: Temporal.Instant;
  afterId: string;
  limit: number;
}

/** The oldest first. */
export async function listPending(tx: Tx, query: PendingQuery): Promise<PendingPayment[]> {
  const { provider, createdBefore, afterId, limit } = query;
  const rows = await tx<PendingPayment[]>`
    select id, booking_id as "bookingId" from payment
    where status = 'pending' and provider = ${provider} and created_at < ${createdBefore} and id > ${afterId}
    order by id limit ${limit}`;
  return [...rows];
}

export type RefundReason = 'fewer_tickets' | 'cancelled' | 'rejected' | 'overpaid';

export interface NewRefund {
  id: string;
  paymentId: string;
  bookingId: string;
  reason: RefundReason;
  amountPence: number;
  createdAt: Temporal.Instant;
}

export async function insertRefund(tx: Tx, refund: NewRefund): Promise<void> {
  await tx`
    insert into refund (id, payment_id, booking_id, reason, amount_pence, created_at)
    values (${refund.id}, ${refund.paymentId}, ${refund.bookingId}, ${refund.reason}, ${refund.amountPence},
      ${refund.createdAt})`;
}

export interface DueRefund {
  refundId: string;
  paymentId: string;
  reference: string | null;
  amountPence: number;
  currency: string;
}

/** The next after `afterId` that nobody else is paying out; it is ours until the transaction ends. */
export async function claimDueRefund(
  tx: Tx,
  provider: string,
  afterId: string,
): Promise<DueRefund | undefined> {
  const [due] = await tx<DueRefund[]>`
    select r.id as "refundId", r.payment_id as "paymentId", y.provider_reference as reference,
      r.amount_pence as "amountPence", y.currency
    from refund r join payment y on y.id = r.payment_id
    where r.status = 'due' and y.provider = ${provider} and r.id > ${afterId}
    order by r.id limit 1
    for update of r skip locked`;
  return due;
}

export async function markPaidOut(tx: Tx, refundId: string): Promise<void> {
  await tx`update refund set status = 'done' where id = ${refundId}`;
}
