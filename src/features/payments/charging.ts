/** A payment is stored before the provider is called, and the provider's answer afterwards. */

import type { Tx } from '../../db/database.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { nowOf } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { CURRENCY } from '../../kernel/money.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import {
  type BookingRecord,
  isCalledOff,
  optionsOf,
  type Payment,
  type PaymentOption,
  type PaymentRecord,
  paymentView,
} from '../bookings/service.ts';
import { KEPT_HOURS, type Keep } from '../idempotency/service.ts';
import type { ChargeOutcome } from './provider.ts';
import type { PaymentBody } from './schema.ts';
import { newCall, OURSELVES, type PaymentsContext, type Said, settle } from './settling.ts';
import * as store from './store.ts';

export interface PaymentRequest {
  caller: Caller;
  bookingId: string;
  body: PaymentBody;
  key: string | undefined;
}

interface Begun {
  bookingId: string;
  payment: PaymentRecord;
  /** When this request started to charge it. */
  askedAt: Temporal.Instant;
  /** Begun by an earlier request with the same key, which never learnt how it went. */
  isRepeated: boolean;
}

const RETRY_AFTER_SECONDS = 5;

export async function charge(
  context: PaymentsContext,
  request: PaymentRequest,
  keep: Keep<Payment>,
): Promise<Payment> {
  const begun = await begin(context, request);
  const { id: paymentId, amountPence, currency, method } = begun.payment;
  const { returnUrl = null } = request.body;
  const { bookingId } = begun;
  const charge = { paymentId, bookingId, amountPence, currency, method, returnUrl };
  return conclude(context, begun, await context.provider.charge(newCall(), charge), keep);
}

/** While the booking is locked: two requests cannot both be offered what is due. */
function begin(context: PaymentsContext, request: PaymentRequest): Promise<Begun> {
  const { bookings, clock } = context;
  return bookings.inBooking(request.caller, request.bookingId, async (tx, booking) => {
    const askedAt = nowOf(clock);
    const begun = await findBegun(tx, booking, request, askedAt);
    if (begun) {
      await store.askAgain(tx, begun.id, askedAt);
      return { bookingId: booking.id, payment: begun, askedAt, isRepeated: true };
    }
    const payment = await beginAnew(
      tx,
      context,
      await bookings.atRuledBalance(tx, booking),
      request,
      askedAt,
    );
    return { bookingId: booking.id, payment, askedAt, isRepeated: false };
  });
}

async function findBegun(
  tx: Tx,
  { id: bookingId, payments }: BookingRecord,
  { caller, key, body }: PaymentRequest,
  now: Temporal.Instant,
): Promise<PaymentRecord | undefined> {
  if (key === undefined) return undefined;
  const { option, method = null } = body;
  const since = now.subtract({ hours: KEPT_HOURS });
  const { clientId } = caller;
  const id = await store.findBegun(tx, { bookingId, clientId, idempotencyKey: key, option, method, since });
  return payments.find((payment) => payment.id === id);
}

async function beginAnew(
  tx: Tx,
  { bookings, clock, provider }: PaymentsContext,
  booking: BookingRecord,
  { caller, key, body }: PaymentRequest,
  createdAt: Temporal.Instant,
): Promise<PaymentRecord> {
  const { option, method = null } = body;
  const payment: PaymentRecord = {
    id: newId(clock),
    option,
    status: 'pending',
    amountPence: amountOf(booking, option),
    currency: CURRENCY,
    method,
    checkoutUrl: null,
    createdAt,
    refundedPence: 0,
  };
  const { clientId } = caller;
  const bookingId = booking.id;
  await store.insertPayment(tx, {
    ...payment,
    bookingId,
    provider: provider.slug,
    clientId,
    idempotencyKey: key ?? null,
  });
  await bookings.change(tx, booking, { payments: [...booking.payments, payment] });
  return payment;
}

function amountOf(booking: BookingRecord, option: PaymentOption): number {
  const { name, isClosed } = booking.venue;
  if (isCalledOff(booking))
    throw problem('BOOK-N-014', { detail: `A booking that is ${booking.status} cannot be paid for.` });
  if (isClosed) throw problem('VENUE-N-009', { detail: `${name} has closed.` });
  const { options } = optionsOf(booking);
  if (options.length === 0) throw problem('BOOK-N-014', { detail: 'Nothing is left to be paid.' });
  const chosen = options.find(({ id }) => id === option);
  if (!chosen) throw invalid('option', `must be one of ${options.map(({ id }) => id).join(', ')} now`);
  return chosen.amount;
}

async function conclude(
  context: PaymentsContext,
  begun: Begun,
  outcome: ChargeOutcome,
  keep: Keep<Payment>,
): Promise<Payment> {
  switch (outcome.kind) {
    case 'paid':
    case 'pending':
    case 'unknown':
      return write(context, begun, outcome, keep);
    case 'declined':
      await write(context, begun, { kind: 'failed' });
      throw problem('BOOK-N-009', { detail: outcome.reason });
    case 'unsupported':
      if (!(await giveUp(context, begun))) return write(context, begun, { kind: 'unknown' }, keep);
      throw problem('BOOK-N-008', { detail: 'Card payments cannot be taken here.' });
    case 'unavailable':
      if (!(await giveUp(context, begun))) return write(context, begun, { kind: 'unknown' }, keep);
      throw problem('BOOK-R-002', {
        detail: 'The payment provider cannot be reached. Nothing was charged.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
  }
}

/** The answer is kept with what is written, or neither is. */
function write(
  context: PaymentsContext,
  { bookingId, payment }: Begun,
  said: Said,
  keep?: Keep<Payment>,
): Promise<Payment> {
  return context.bookings.inBooking(OURSELVES, bookingId, async (tx, booking) => {
    const view = paymentView((await settle(tx, context, booking, payment.id, said)) ?? payment);
    await keep?.(tx, view);
    return view;
  });
}

/** False when another request has started to charge it too: this one does not know the outcome of that. */
function giveUp(context: PaymentsContext, { bookingId, payment, askedAt, isRepeated }: Begun) {
  return context.bookings.inBooking(OURSELVES, bookingId, async (tx, booking): Promise<boolean> => {
    if (isRepeated || !(await store.isLastAsked(tx, { id: payment.id, askedAt }))) return false;
    await settle(tx, context, booking, payment.id, { kind: 'failed' });
    return true;
  });
}
