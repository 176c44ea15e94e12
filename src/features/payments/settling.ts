/** Records what a provider reports about payments, in the request or job that asked it. */
import type { Sql, Tx } from '../../db/database.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import { withinDeadline } from '../../kernel/request-scope.ts';
import type { TimedCall } from '../../tms/remote.ts';
import {
  type BookingRecord,
  type Bookings,
  oweRefund,
  type PaymentRecord,
  refundOnArrival,
} from '../bookings/service.ts';
import type { ChargeOutcome, PaymentProvider } from './provider.ts';
import * as store from './store.ts';

/** What payments work with. */
export interface PaymentsContext {
  sql: Sql;
  clock: Clock;
  bookings: Bookings;
  provider: PaymentProvider;
}

/** The provider's outcome is recorded whichever caller asked for the payment. */
export const OURSELVES: Caller = { kind: 'platform', clientId: 'maitred', scopes: new Set() };

/** Well within the time for which a request holds its `Idempotency-Key` and a refund stays claimed. */
const CALL_MS = 8000;

export function newCall(signal?: AbortSignal): TimedCall {
  const deadlineMs = Math.round(withinDeadline(CALL_MS));
  const timeout = AbortSignal.timeout(deadlineMs);
  return { signal: signal ? AbortSignal.any([signal, timeout]) : timeout, deadlineMs };
}

/** The outcome of a payment; for `unknown` the provider must be asked again. */
export type Said = Extract<ChargeOutcome, { kind: 'paid' | 'pending' | 'unknown' }> | { kind: 'failed' };

/** What was taken stays taken, even where the payment had been given up. */
export async function settle(
  tx: Tx,
  context: PaymentsContext,
  booking: BookingRecord,
  id: string,
  said: Said,
): Promise<PaymentRecord | undefined> {
  const payment = booking.payments.find((each) => each.id === id);
  if (!payment || changesNothing(payment, said)) return payment;
  const status = said.kind === 'unknown' ? 'pending' : said.kind;
  const checkoutUrl = said.kind === 'pending' ? said.checkoutUrl : payment.checkoutUrl;
  const reference = 'reference' in said ? said.reference : null;
  await store.updatePayment(tx, { id, status, reference, checkoutUrl });
  const settled = await giveBackSurplus(tx, context, booking, { ...payment, status, checkoutUrl });
  await context.bookings.change(tx, booking, { payments: withPayment(booking, settled) });
  return settled;
}

function changesNothing({ status }: PaymentRecord, { kind }: Said): boolean {
  if (kind === 'unknown') return status !== 'failed';
  return status === 'paid' || (status === 'failed' && kind === 'failed');
}

async function giveBackSurplus(
  tx: Tx,
  { clock }: PaymentsContext,
  booking: BookingRecord,
  payment: PaymentRecord,
): Promise<PaymentRecord> {
  if (payment.status !== 'paid') return payment;
  const owed = refundOnArrival({ ...booking, payments: withPayment(booking, payment) }, payment);
  const [after = payment] = await oweRefund(tx, clock, { id: booking.id, payments: [payment] }, owed);
  return after;
}

const withPayment = ({ payments }: BookingRecord, changed: PaymentRecord) =>
  payments.map((payment) => (payment.id === changed.id ? changed : payment));

/** After this no call that could still charge is in progress. */
const PENDING_MINUTES = 1;
const BATCH = 10;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Asks the provider about all payments that were left open; says how many it has made up its mind about. */
export async function settlePending(context: PaymentsContext, signal?: AbortSignal): Promise<number> {
  const { sql, clock, provider } = context;
  const askedBefore = nowOf(clock).subtract({ minutes: PENDING_MINUTES });
  const failures: unknown[] = [];
  let settled = 0;
  for (let afterId = FIRST_ID; !signal?.aborted; ) {
    const query = { provider: provider.slug, askedBefore, afterId, limit: BATCH };
    const pending = await store.listPending(sql, query);
    const outcomes = await Promise.allSettled(pending.map((each) => clear(context, each, signal)));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') failures.push(outcome.reason);
      else if (outcome.value) settled += 1;
    }
    const last = pending.at(-1);
    if (!last) break;
    afterId = last.id;
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some payments could not be settled.');
  return settled;
}

/** True when it is over. */
async function clear(
  context: PaymentsContext,
  pending: store.PendingPayment,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { bookings, provider } = context;
  const found = await provider.find(newCall(signal), pending.id);
  if (found.kind === 'pending' || found.kind === 'unavailable') return false;
  return bookings.inBooking(OURSELVES, pending.bookingId, async (tx, booking) => {
    // «Not charged» is out of date once a later request has started to charge again.
    if (found.kind !== 'paid' && !(await store.isLastAsked(tx, pending))) return false;
    await settle(tx, context, booking, pending.id, found.kind === 'paid' ? found : { kind: 'failed' });
    return true;
  });
}

/** Pays out refunds, which are owed from the moment they are stored. */

export interface Payout {
  done: number;
  failed: number;
  /** Of those that failed: tried so often that the platform should look into it. */
  stuck: number;
}

const AT_ONCE = 5;

export const MANY_ATTEMPTS = 10;

/** One attempt at each refund that is due. */
export async function settleRefunds(context: PaymentsContext, signal?: AbortSignal): Promise<Payout> {
  const { sql, clock, provider } = context;
  const payout: Payout = { done: 0, failed: 0, stuck: 0 };
  const dueBy = nowOf(clock);

  async function payOutNext(): Promise<boolean> {
    const due = await store.claimDueRefund(sql, { provider: provider.slug, now: nowOf(clock), dueBy });
    if (!due) return false;
    const { attempts, ...repayment } = due;
    const { kind } = await provider.refund(newCall(signal), repayment);
    payout[kind] += 1;
    if (kind === 'done') await store.markPaidOut(sql, due.refundId);
    else if (attempts >= MANY_ATTEMPTS) payout.stuck += 1;
    return true;
  }

  async function payOutAll(): Promise<void> {
    while (!signal?.aborted && (await payOutNext()));
  }

  await Promise.all(Array.from({ length: AT_ONCE }, payOutAll));
  return payout;
}
