/**
 * A payment is stored, then opened at the provider, which moves no money, then its reference is stored, and only then
 * is it authorised. Whatever is lost on the way, the provider can be asked about it.
 */

import type { Tx } from '../../db/database.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { nowOf } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { CURRENCY } from '../../kernel/money.ts';
import { invalid, type Problem, type ProblemCode, problem } from '../../kernel/problem.ts';
import {
  awaitsPayment,
  type BookingRecord,
  isCalledOff,
  OURSELVES,
  optionsOf,
  type Payment,
  type PaymentRecord,
  paymentView,
} from '../bookings/service.ts';
import { KEPT_HOURS, type Keep } from '../idempotency/service.ts';
import { confirmAtOnce, takeSetAside } from './deposit-first.ts';
import type { AuthoriseOutcome, Intent, OpenOutcome, PaymentProvider } from './provider.ts';
import type { PaymentBody } from './schema.ts';
import { newCall, type PaymentsContext, type Said, settle } from './settling.ts';
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
  provider: PaymentProvider;
  account: string | null;
  /** `later`: set aside first, because the payment confirms the booking. */
  capture: 'at_once' | 'later';
  /** When this request started to charge it. */
  askedAt: Temporal.Instant;
  /** Begun by an earlier request with the same key, which never learnt how it went. */
  isRepeated: boolean;
}

type Opened = Extract<OpenOutcome, { kind: 'opened' }>;

const RETRY_AFTER_SECONDS = 5;
/** How long the guest has to complete a payment. */
const OPEN_MINUTES = 30;

export async function charge(
  context: PaymentsContext,
  request: PaymentRequest,
  keep: Keep<Payment>,
): Promise<Payment> {
  const begun = await begin(context, request);
  const { provider, bookingId, account, capture } = begun;
  const { id: paymentId, amountPence, currency, method } = begun.payment;
  const { returnUrl = null } = request.body;
  const intent = { paymentId, bookingId, amountPence, currency, method, account, capture, returnUrl };
  const opened = await provider.open(newCall(), intent);
  switch (opened.kind) {
    case 'opened':
      return chargeOpened(context, begun, opened, request.body, keep);
    case 'unsupported':
      return giveUp(context, begun, problem('PAYM-N-003', { detail: opened.detail }), keep);
    case 'unavailable':
      return giveUp(context, begun, away(), keep);
  }
}

/** While the booking is locked: two requests cannot both be offered what is due. */
function begin(context: PaymentsContext, request: PaymentRequest): Promise<Begun> {
  const { bookings, clock, provider } = context;
  const { caller, bookingId } = request;
  return bookings.inBooking(caller, bookingId, async (tx, booking) => {
    const askedAt = nowOf(clock);
    const same = { bookingId: booking.id, askedAt };
    const begun = provider && (await findBegun(tx, booking, request, { provider, now: askedAt }));
    if (begun) {
      await store.askAgain(tx, begun.payment.id, askedAt);
      return { ...same, ...begun, provider, isRepeated: true };
    }
    const current = await bookings.atRuledBalance(tx, booking);
    const amountPence = amountOf(current, request.body, askedAt);
    assertAmount(request.body, amountPence);
    await bookings.assertMayPay(tx, caller, current, amountPence);
    if (!provider) throw problem('PAYM-N-003', { detail: NO_PROVIDER });
    const account = await store.findAccount(tx, booking.operatorId);
    const capture = awaitsPayment(booking) ? ('later' as const) : ('at_once' as const);
    const terms = { provider, account, capture, amountPence, createdAt: askedAt };
    const payment = await beginAnew(tx, context, current, request, terms);
    return { ...same, payment, provider, account, capture, isRepeated: false };
  });
}

export const NO_PROVIDER = 'No payment provider is connected, so payments cannot be taken here.';

async function findBegun(
  tx: Tx,
  { id: bookingId, payments }: BookingRecord,
  { caller, key, body }: PaymentRequest,
  { provider, now }: { provider: PaymentProvider; now: Temporal.Instant },
): Promise<Pick<Begun, 'payment' | 'account' | 'capture'> | undefined> {
  if (key === undefined) return undefined;
  const { option, method = null } = body;
  const found = await store.findBegun(tx, {
    bookingId,
    provider: provider.slug,
    clientId: caller.clientId,
    idempotencyKey: key,
    option,
    method,
    since: now.subtract({ hours: KEPT_HOURS }),
  });
  const payment = payments.find(({ id }) => id === found?.id);
  return found && payment && { payment, account: found.account, capture: found.capture };
}

async function beginAnew(
  tx: Tx,
  { bookings, clock }: PaymentsContext,
  booking: BookingRecord,
  { caller, key, body }: PaymentRequest,
  begun: Pick<Begun, 'provider' | 'account' | 'capture'> & Pick<PaymentRecord, 'amountPence' | 'createdAt'>,
): Promise<PaymentRecord> {
  const { provider, account, capture, amountPence, createdAt } = begun;
  const { option, method = null } = body;
  const payment: PaymentRecord = {
    id: newId(clock),
    option,
    status: 'processing',
    amountPence,
    currency: CURRENCY,
    method,
    nextActionUrl: null,
    failureReason: null,
    createdAt,
    refundedPence: 0,
    returnedPence: 0,
  };
  await store.insertPayment(tx, {
    ...payment,
    bookingId: booking.id,
    provider: provider.slug,
    account,
    capture,
    endsAt: booking.paymentUntil ?? createdAt.add({ minutes: OPEN_MINUTES }),
    clientId: caller.clientId,
    idempotencyKey: key ?? null,
  });
  await bookings.change(tx, booking, { payments: [...booking.payments, payment] });
  return payment;
}

function amountOf(booking: BookingRecord, { option }: PaymentBody, now: Temporal.Instant): number {
  const { name, isClosed } = booking.venue;
  if (isCalledOff(booking))
    throw problem('BOOK-N-014', { detail: `A booking that is ${booking.status} cannot be paid for.` });
  if (isClosed) throw problem('VENUE-N-009', { detail: `${name} has closed.` });
  if (awaitsPayment(booking) && Temporal.Instant.compare(booking.paymentUntil, now) <= 0)
    throw problem('BOOK-N-014', { detail: 'The time to pay is over, and the booking is being given up.' });
  const { options } = optionsOf(booking);
  if (options.length === 0) throw problem('BOOK-N-014', { detail: 'Nothing is left to be paid.' });
  const chosen = options.find(({ id }) => id === option);
  if (!chosen) throw invalid('option', `must be one of ${options.map(({ id }) => id).join(', ')} now`);
  return chosen.amount;
}

/** A guest pays what was shown, or is shown the new amount first. */
function assertAmount({ amount, currency }: PaymentBody, due: number): void {
  if (currency !== undefined && currency !== CURRENCY) throw invalid('currency', `must be ${CURRENCY}`);
  if (amount === undefined || amount === due) return;
  throw problem('PAYM-N-004', { detail: `The option costs ${due} now, and ${amount} was sent.` });
}

async function chargeOpened(
  context: PaymentsContext,
  begun: Begun,
  { reference, state }: Opened,
  body: PaymentBody,
  keep: Keep<Payment>,
): Promise<Payment> {
  const { payment, provider, account } = begun;
  const intent = { reference, account, paymentId: payment.id };
  // Unless it is stored the payment could not be asked about, so nothing is charged.
  if (!(await store.saveReference(context.sql, payment.id, reference))) throw away();
  const { token, returnUrl = null, offSession = false } = body;
  const outcome =
    token === undefined || state.kind !== 'requires_action'
      ? state
      : await provider.authorise(newCall(), { ...intent, token, returnUrl, offSession });
  return outcome.kind === 'authorised'
    ? chargeSetAside(context, begun, intent, keep)
    : conclude(context, begun, intent, outcome, keep);
}

async function chargeSetAside(
  context: PaymentsContext,
  begun: Begun,
  intent: Intent & { paymentId: string },
  keep: Keep<Payment>,
): Promise<Payment> {
  const { provider, bookingId, payment } = begun;
  const { amountPence } = payment;
  const setAside = { ...intent, bookingId, amountPence };
  const { place, outcome } = await takeSetAside(context, provider, setAside);
  if (outcome.kind !== 'cancelled')
    return write(context, begun, outcome.kind === 'unavailable' ? { kind: 'unknown' } : outcome, keep);
  if (place !== 'gone') {
    await record(context, begun, { kind: 'failed', reason: LET_GO });
    throw problem('PAYM-N-001', { detail: LET_GO });
  }
  await record(context, begun, { kind: 'failed', reason: PLACE_GONE });
  await context.bookings.giveUpUnpaid(bookingId);
  throw problem('AVAIL-N-005', { detail: PLACE_GONE });
}

const LET_GO = 'The payment was called off at the provider. Nothing was taken.';
const PLACE_GONE = 'The place was no longer kept when the payment came in. Nothing was taken.';

async function conclude(
  context: PaymentsContext,
  begun: Begun,
  intent: Intent & { paymentId: string },
  outcome: AuthoriseOutcome,
  keep: Keep<Payment>,
): Promise<Payment> {
  switch (outcome.kind) {
    case 'declined':
      return end(context, begun, intent, { code: 'PAYM-N-001', reason: outcome.reason, keep });
    case 'authentication_needed':
      return end(context, begun, intent, { code: 'PAYM-N-002', reason: outcome.reason, keep });
    case 'unavailable':
      return giveUp(context, begun, away(), keep);
    case 'requires_action':
      return write(context, begun, outcome, keep, outcome.clientSecret);
    default:
      return write(context, begun, outcome, keep);
  }
}

interface Refusal {
  code: ProblemCode;
  reason: string;
  keep: Keep<Payment>;
}

/** It is refused only once it can never succeed later. Until then it stays open, and the job goes on. */
async function end(
  context: PaymentsContext,
  begun: Begun,
  intent: Intent & { paymentId: string },
  { code, reason, keep }: Refusal,
): Promise<Payment> {
  const ended = await begun.provider.cancel(newCall(), intent);
  if (ended.kind === 'cancelled') {
    await record(context, begun, { kind: 'failed', reason });
    throw problem(code, { detail: reason });
  }
  const isTaken = ended.kind === 'succeeded' || ended.kind === 'authorised';
  return write(context, begun, isTaken ? ended : { kind: 'unknown', reason }, keep);
}

function record(context: PaymentsContext, { bookingId, payment }: Begun, said: Said): Promise<unknown> {
  return context.bookings.inBooking(OURSELVES, bookingId, (tx, booking) =>
    settle(tx, context, booking, payment.id, said),
  );
}

/** The answer is kept with what is written, or neither is. */
function write(
  context: PaymentsContext,
  { bookingId, payment, provider, account }: Begun,
  said: Said,
  keep: Keep<Payment>,
  clientSecret: string | null = null,
): Promise<Payment> {
  return context.bookings
    .inBooking(OURSELVES, bookingId, async (tx, booking) => {
      const settled = (await settle(tx, context, booking, payment.id, said)) ?? payment;
      // It ended at the provider while this request was slow.
      if (settled.status === 'failed') return undefined;
      const { publishableKey } = provider;
      const view = paymentView(settled, { clientSecret, publishableKey, account });
      await keep(tx, view);
      return view;
    })
    .then(async (view) => {
      if (!view) throw away();
      if (view.status === 'succeeded') await confirmAtOnce(context, bookingId);
      return view;
    });
}

/**
 * Nothing was charged by this request. Where another one has started to charge the payment too, this one does not know
 * the outcome of that.
 */
async function giveUp(
  context: PaymentsContext,
  begun: Begun,
  refusal: Problem,
  keep: Keep<Payment>,
): Promise<Payment> {
  const { bookingId, payment, askedAt, isRepeated } = begun;
  const isOver = await context.bookings.inBooking(OURSELVES, bookingId, async (tx, booking) => {
    if (isRepeated || !(await store.isLastAsked(tx, { id: payment.id, askedAt }))) return false;
    await settle(tx, context, booking, payment.id, { kind: 'failed', reason: refusal.message });
    return true;
  });
  if (!isOver) return write(context, begun, { kind: 'unknown' }, keep);
  throw refusal;
}

const away = () =>
  problem('PAYM-R-001', {
    detail: 'The payment provider cannot be reached. Nothing was charged.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
