import type { Tx } from '../../db/database.ts';
import type { PaymentRecord } from '../bookings/service.ts';

export interface NewPayment extends PaymentRecord {
  bookingId: string;
  provider: string;
  account: string | null;
  capture: 'at_once' | 'later';
  endsAt: Temporal.Instant;
  /** The client that asked for it, and its key. */
  clientId: string;
  idempotencyKey: string | null;
}

export async function insertPayment(tx: Tx, payment: NewPayment): Promise<void> {
  await tx`
    insert into payment (id, booking_id, option, status, amount_pence, currency, method, provider, account, capture,
      client_id, idempotency_key, asked_at, created_at, ends_at)
    values (${payment.id}, ${payment.bookingId}, ${payment.option}, ${payment.status}, ${payment.amountPence},
      ${payment.currency}, ${payment.method}, ${payment.provider}, ${payment.account}, ${payment.capture},
      ${payment.clientId}, ${payment.idempotencyKey}, ${payment.createdAt}, ${payment.createdAt}, ${payment.endsAt})`;
}

/** The account of the operator at the provider; null: its money goes to the platform's own. */
export async function findAccount(tx: Tx, operatorId: number): Promise<string | null> {
  const [found] = await tx<{ account: string | null }[]>`
    select payment_account as account from operator where id = ${operatorId}`;
  return found?.account ?? null;
}

export interface KeyedPayment extends Pick<PaymentRecord, 'option' | 'method'> {
  bookingId: string;
  provider: string;
  clientId: string;
  idempotencyKey: string;
  since: Temporal.Instant;
}

/** The payment that an earlier request with the same key has begun and that has not failed. */
export async function findBegun(
  tx: Tx,
  payment: KeyedPayment,
): Promise<Pick<NewPayment, 'id' | 'account' | 'capture'> | undefined> {
  const { bookingId, provider, clientId, idempotencyKey, option, method, since } = payment;
  const [found] = await tx<Pick<NewPayment, 'id' | 'account' | 'capture'>[]>`
    select id, account, capture from payment
    where booking_id = ${bookingId} and provider = ${provider} and client_id = ${clientId}
      and idempotency_key = ${idempotencyKey} and option = ${option} and method is not distinct from ${method}
      and created_at >= ${since} and status <> 'failed'`;
  return found;
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

/** The same of a payment that was never opened; while it is locked no request can store a reference. */
export async function lockUnopened(tx: Tx, { id, askedAt }: Asked): Promise<boolean> {
  const found = await tx`
    select from payment where id = ${id} and asked_at = ${askedAt} and provider_reference is null for update`;
  return found.length > 0;
}

export interface Asked {
  id: string;
  askedAt: Temporal.Instant;
}

/** False: the payment was given up meanwhile, or is known by another reference. */
export async function saveReference(tx: Tx, id: string, reference: string): Promise<boolean> {
  const saved = await tx`
    update payment set provider_reference = ${reference}
    where id = ${id} and status <> 'failed' and (provider_reference is null or provider_reference = ${reference})
    returning id`;
  return saved.length > 0;
}

export async function updatePayment(tx: Tx, payment: PaymentRecord): Promise<void> {
  const { id, status, amountPence, nextActionUrl, failureReason } = payment;
  await tx`
    update payment set status = ${status}, amount_pence = ${amountPence}, checkout_url = ${nextActionUrl},
      failure_reason = ${failureReason}
    where id = ${id}`;
}

export interface OpenPayment extends Asked {
  bookingId: string;
  operatorId: number;
  amountPence: number;
  status: PaymentRecord['status'];
  /** Null: it was not opened at the provider, as far as is known. */
  reference: string | null;
  account: string | null;
  /** Its time is up, or there is nothing left to pay for. */
  isOver: boolean;
  isCalledOff: boolean;
  /** The guest was sent to a page of the provider or bank. */
  isSentAway: boolean;
}

const OPEN = ['requires_action', 'processing', 'authorised'];

const openColumns = (tx: Tx, now: Temporal.Instant) => tx`
  y.id, y.booking_id as "bookingId", b.operator_id as "operatorId", y.asked_at as "askedAt", y.amount_pence as "amountPence", y.status,
  y.provider_reference as reference, y.account, y.ends_at <= ${now} as "isOver",
  b.status in ('cancelled', 'rejected') as "isCalledOff", y.checkout_url is not null as "isSentAway"`;

export interface OpenQuery {
  provider: string;
  askedBefore: Temporal.Instant;
  now: Temporal.Instant;
  afterId: string;
  limit: number;
}

/** Those that no request is about to charge, the oldest first. */
export async function listOpen(tx: Tx, query: OpenQuery): Promise<OpenPayment[]> {
  const { provider, askedBefore, now, afterId, limit } = query;
  const rows = await tx<OpenPayment[]>`
    select ${openColumns(tx, now)} from payment y join booking b on b.id = y.booking_id
    where y.status = any(${OPEN}) and y.provider = ${provider} and y.asked_at < ${askedBefore} and y.id > ${afterId}
    order by y.id limit ${limit}`;
  return [...rows];
}

/** By the provider's name for it, whatever has become of it. */
export async function findByReference(
  tx: Tx,
  { provider, reference, now }: { provider: string; reference: string; now: Temporal.Instant },
): Promise<OpenPayment | undefined> {
  const [found] = await tx<OpenPayment[]>`
    select ${openColumns(tx, now)} from payment y join booking b on b.id = y.booking_id
    where y.provider = ${provider} and y.provider_reference = ${reference}`;
  return found;
}

export interface Backlog {
  /** Payments that wait for their guests. */
  awaited: number;
  /** Payments whose outcome is unknown, and for how long the first of them has been so. */
  inDoubt: number;
  oldestSeconds: number;
  refundsDue: number;
  /** Open payments and refunds at a provider that is not connected any more. */
  stranded: number;
  differences: number;
}

export async function findBacklog(tx: Tx, provider: string | null, now: Temporal.Instant): Promise<Backlog> {
  const [found] = await tx<Backlog[]>`
    select
      count(*) filter (where status = 'requires_action') as awaited,
      count(*) filter (where status <> 'requires_action') as "inDoubt",
      coalesce(extract(epoch from ${now}::timestamptz
        - min(created_at) filter (where status <> 'requires_action')), 0)::float8 as "oldestSeconds",
      (select count(*) from refund where status = 'due') as "refundsDue",
      count(*) filter (where provider is distinct from ${provider}) + (
        select count(*) from refund r join payment y on y.id = r.payment_id
        where r.status = 'due' and y.provider is distinct from ${provider}) as stranded,
      (select count(*) from payment_difference) as differences
    from payment where status in ('requires_action', 'processing', 'authorised')`;
  if (!found) throw new Error('A sum has no row.');
  return found;
}
