/** Records what a provider reports about a payment, in the request or job that asked it. */
import type { Sql, Tx } from '../../db/database.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import { DEADLINES } from '../../kernel/deadlines.ts';
import { withinDeadline } from '../../kernel/request-scope.ts';
import type { TimedCall } from '../../tms/remote.ts';
import {
  type BookingRecord,
  type Bookings,
  oweRefund,
  type PaymentRecord,
  type PaymentState,
  refundOnArrival,
} from '../bookings/service.ts';
import { insertPaymentEntry } from './ledger-store.ts';
import type { PaymentProvider, ProviderState } from './provider.ts';
import * as store from './store.ts';

/** What payments work with. */
export interface PaymentsContext {
  sql: Sql;
  clock: Clock;
  bookings: Bookings;
  /** Null: none is connected. */
  provider: PaymentProvider | null;
  /** Told of every payment that has come to its end. */
  onSettled?: (status: 'succeeded' | 'failed') => void;
}

/** Well within the time for which a request holds its `Idempotency-Key` and a refund stays claimed. */

export function newCall(signal?: AbortSignal): TimedCall {
  const deadlineMs = withinDeadline(DEADLINES.payment);
  const timeout = AbortSignal.timeout(deadlineMs);
  return { signal: signal ? AbortSignal.any([signal, timeout]) : timeout, deadlineMs };
}

/** What is known of a payment now. */
export type Said =
  | ProviderState
  /** The provider must be asked; `reason` is why it will have failed, if it has. */
  | { kind: 'unknown'; reason?: string }
  /** Nothing was taken, and nothing will be. */
  | { kind: 'failed'; reason: string | null };

/**
 * Writes what is known of a payment, with its entry in the ledger and what is owed of it at once. What was taken stays
 * taken, even where the payment had been given up.
 */
export async function settle(
  tx: Tx,
  context: PaymentsContext,
  booking: BookingRecord,
  id: string,
  said: Said,
): Promise<PaymentRecord | undefined> {
  const payment = booking.payments.find((each) => each.id === id);
  if (!payment) return undefined;
  const next = after(payment, said);
  if (isSame(payment, next)) return payment;
  await store.updatePayment(tx, next);
  if (next.status === 'succeeded') await insertPaymentEntry(tx, { paymentId: id, at: nowOf(context.clock) });
  if (next.status !== payment.status && (next.status === 'succeeded' || next.status === 'failed'))
    context.onSettled?.(next.status);
  const settled = await giveBackSurplus(tx, context, booking, next);
  await context.bookings.change(tx, booking, { payments: withPayment(booking, settled) });
  return settled;
}

/** A payment that was set aside, taken or given up never waits again. */
function after(payment: PaymentRecord, said: Said): PaymentRecord {
  if (payment.status === 'succeeded') return payment;
  const isWaiting = payment.status === 'requires_action' || payment.status === 'processing';
  switch (said.kind) {
    case 'succeeded':
      return { ...payment, status: 'succeeded', amountPence: said.receivedPence };
    case 'authorised':
      return payment.status === 'failed' ? payment : { ...payment, status: 'authorised' };
    case 'cancelled':
      return failed(payment, null);
    case 'failed':
      return failed(payment, said.reason);
    case 'requires_action':
      if (!isWaiting) return payment;
      return {
        ...payment,
        status: 'requires_action',
        nextActionUrl: said.nextActionUrl ?? payment.nextActionUrl,
      };
    case 'processing':
      return isWaiting ? { ...payment, status: 'processing' } : payment;
    case 'unknown':
      return { ...payment, failureReason: said.reason ?? payment.failureReason };
  }
}

const failed = (payment: PaymentRecord, reason: string | null): PaymentRecord => ({
  ...payment,
  status: 'failed' satisfies PaymentState,
  failureReason: payment.failureReason ?? reason,
});

const isSame = (one: PaymentRecord, other: PaymentRecord) =>
  one.status === other.status &&
  one.nextActionUrl === other.nextActionUrl &&
  one.failureReason === other.failureReason;

async function giveBackSurplus(
  tx: Tx,
  { clock }: PaymentsContext,
  booking: BookingRecord,
  payment: PaymentRecord,
): Promise<PaymentRecord> {
  if (payment.status !== 'succeeded') return payment;
  const owed = refundOnArrival({ ...booking, payments: withPayment(booking, payment) }, payment);
  const [given = payment] = await oweRefund(tx, clock, { id: booking.id, payments: [payment] }, owed);
  return given;
}

export const withPayment = ({ payments }: BookingRecord, changed: PaymentRecord) =>
  payments.map((payment) => (payment.id === changed.id ? changed : payment));
