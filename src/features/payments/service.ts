/**
 * Payments for bookings. A payment is written down before the provider is asked, and what the provider said afterwards;
 * what a crash or a cut leaves pending is cleared up by a job. Refunds are owed from the moment they are written down,
 * and another job pays them out.
 */
import { inTransaction, type Sql, type Tx } from '../../db/database.ts';
import { type Caller, visibilityOf } from '../../http/caller.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import type { RemoteCall } from '../../tms/contract.ts';
import type { BookingRecord, Bookings } from '../bookings/service.ts';
import { type Idempotency, KEPT_HOURS, type Keep } from '../idempotency/service.ts';
import { CURRENCY, isCalledOff, optionsOf } from './options.ts';
import type { ChargeOutcome, PaymentProvider } from './provider.ts';
import type { PaymentOption, PaymentRecord } from './record.ts';
import { oweRefund, refundOnArrival } from './refunds.ts';
import type { Payment, PaymentBody, PaymentOptions } from './schema.ts';
import * as store from './store.ts';
import { paymentView } from './view.ts';

export interface Payments {
  options(caller: Caller, bookingId: string): Promise<PaymentOptions>;
  pay(
    caller: Caller,
    bookingId: string,
    body: PaymentBody,
    idempotencyKey: string | undefined,
  ): Promise<Payment>;

  /** For jobs; each says how many it has brought to an end. */
  settlePending(): Promise<number>;
  settleRefunds(): Promise<number>;
}

export interface PaymentsDeps {
  sql: Sql;
  clock: Clock;
  bookings: Bookings;
  idempotency: Idempotency;
  provider: PaymentProvider;
}

/** Well within the time for which a request holds its `Idempotency-Key`. */
const CALL_MS = 8000;
/** By then no call that could still charge is under way. */
const PENDING_MINUTES = 1;
const BATCH = 10;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const RETRY_AFTER_SECONDS = 5;

/** Whoever asked for it, what the provider did is written down. */
const OURSELVES: Caller = { kind: 'platform', clientId: 'maitred', scopes: new Set() };

const newCall = (): RemoteCall => ({ signal: AbortSignal.timeout(CALL_MS), deadlineMs: CALL_MS });

/** What becomes of a payment; `unknown` leaves it as it was. */
type Said = Extract<ChargeOutcome, { kind: 'paid' | 'pending' | 'unknown' }> | { kind: 'failed' };

interface Begun {
  payment: PaymentRecord;
  /** Begun by an earlier request with the same key, which never learnt how it went. */
  isRepeated: boolean;
}

export function createPayments({ sql, clock, bookings, idempotency, provider }: PaymentsDeps): Payments {
  /** While the booking is locked: two requests cannot both be offered what is due. */
  function begin(caller: Caller, bookingId: string, body: PaymentBody, key: string | undefined) {
    return bookings.inBooking(caller, bookingId, async (tx, booking): Promise<Begun> => {
      const { option, method = null } = body;
      const begun = key === undefined ? undefined : await findBegun(tx, caller, booking, body, key);
      if (begun) return { payment: begun, isRepeated: true };
      const payment: PaymentRecord = {
        id: newId(clock),
        option,
        status: 'pending',
        amountPence: amountOf(booking, option),
        currency: CURRENCY,
        method,
        checkoutUrl: null,
        createdAt: nowOf(clock),
        refundedPence: 0,
      };
      await store.insertPayment(tx, {
        ...payment,
        bookingId: booking.id,
        provider: provider.slug,
        clientId: caller.clientId,
        idempotencyKey: key ?? null,
      });
      return { payment, isRepeated: false };
    });
  }

  async function findBegun(
    tx: Tx,
    { clientId }: Caller,
    { id: bookingId, payments }: BookingRecord,
    { option, method = null }: PaymentBody,
    idempotencyKey: string,
  ): Promise<PaymentRecord | undefined> {
    const since = nowOf(clock).subtract({ hours: KEPT_HOURS });
    const asked = { bookingId, clientId, idempotencyKey, option, method, since };
    const id = await store.findBegun(tx, asked);
    return payments.find((payment) => payment.id === id);
  }

  /** What was taken stays taken, even where the payment had been given up. */
  async function settle(
    tx: Tx,
    booking: BookingRecord,
    id: string,
    said: Said,
  ): Promise<PaymentRecord | undefined> {
    const payment = booking.payments.find((each) => each.id === id);
    if (!payment || isOver(payment, said)) return payment;
    const status = said.kind === 'unknown' ? payment.status : said.kind;
    const checkoutUrl = said.kind === 'pending' ? said.checkoutUrl : payment.checkoutUrl;
    const reference = 'reference' in said ? said.reference : null;
    await store.updatePayment(tx, { id, status, reference, checkoutUrl });
    const settled = await giveBackSurplus(tx, booking, { ...payment, status, checkoutUrl });
    await bookings.change(tx, booking, { payments: withPayment(booking, settled) });
    return settled;
  }

  async function giveBackSurplus(
    tx: Tx,
    booking: BookingRecord,
    payment: PaymentRecord,
  ): Promise<PaymentRecord> {
    if (payment.status !== 'paid') return payment;
    const owed = refundOnArrival({ ...booking, payments: withPayment(booking, payment) }, payment);
    const [after = payment] = await oweRefund(tx, clock, { id: booking.id, payments: [payment] }, owed);
    return after;
  }

  async function conclude(
    bookingId: string,
    { payment, isRepeated }: Begun,
    outcome: ChargeOutcome,
    keep: Keep<Payment>,
  ): Promise<Payment> {
    const write = (said: Said, answer?: Keep<Payment>) =>
      bookings.inBooking(OURSELVES, bookingId, async (tx, booking) => {
        const view = paymentView((await settle(tx, booking, payment.id, said)) ?? payment);
        await answer?.(tx, view);
        return view;
      });
    switch (outcome.kind) {
      case 'paid':
      case 'pending':
      case 'unknown':
        return write(outcome, keep);
      case 'declined':
        await write({ kind: 'failed' });
        throw problem('BOOK-N-009', { detail: outcome.reason });
      case 'unsupported':
        await store.deletePending(sql, payment.id);
        throw problem('BOOK-N-008', { detail: 'Card payments cannot be taken here.' });
      case 'unavailable':
        // Of what an earlier request may have charged, this one learns nothing.
        if (isRepeated) return write({ kind: 'unknown' }, keep);
        await store.deletePending(sql, payment.id);
        throw problem('BOOK-R-002', {
          detail: 'The payment provider cannot be reached. Nothing was charged.',
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
    }
  }

  /** True when the provider has made up its mind. */
  async function clear({ id, bookingId }: store.PendingPayment): Promise<boolean> {
    const found = await provider.find(newCall(), id);
    if (found.kind === 'pending' || found.kind === 'unavailable') return false;
    await bookings.inBooking(OURSELVES, bookingId, (tx, booking) =>
      settle(tx, booking, id, found.kind === 'paid' ? found : { kind: 'failed' }),
    );
    return true;
  }

  /** The next refund after one; undefined when there is none. Whoever pays it out holds on to it meanwhile. */
  function payOutNext(afterId: string): Promise<{ refundId: string; isDone: boolean } | undefined> {
    return inTransaction(sql, async (tx) => {
      const due = await store.claimDueRefund(tx, provider.slug, afterId);
      if (!due) return undefined;
      const outcome = await provider.refund(newCall(), due);
      if (outcome.kind === 'done') await store.markPaidOut(tx, due.refundId);
      return { refundId: due.refundId, isDone: outcome.kind === 'done' };
    });
  }

  return {
    options: async (caller, bookingId) => optionsOf(await bookings.getRecord(caller, bookingId)),

    async pay(caller, bookingId, body, key) {
      assertReachable(body.returnUrl ?? null);
      const content = { pay: bookingId, of: visibilityOf(caller), body };
      return idempotency.once<Payment>({ clientId: caller.clientId, key, content }, async (keep) => {
        const begun = await begin(caller, bookingId, body, key);
        const { id: paymentId, amountPence, currency, method } = begun.payment;
        const returnUrl = body.returnUrl ?? null;
        const charge = { paymentId, bookingId, amountPence, currency, method, returnUrl };
        return conclude(bookingId, begun, await provider.charge(newCall(), charge), keep);
      });
    },

    async settlePending() {
      const createdBefore = nowOf(clock).subtract({ minutes: PENDING_MINUTES });
      let settled = 0;
      for (let afterId = FIRST_ID; ; ) {
        const query = { provider: provider.slug, createdBefore, afterId, limit: BATCH };
        const pending = await store.listPending(sql, query);
        settled += (await Promise.all(pending.map(clear))).filter(Boolean).length;
        const last = pending.at(-1);
        if (!last) return settled;
        afterId = last.id;
      }
    },

    async settleRefunds() {
      let done = 0;
      for (let next = await payOutNext(FIRST_ID); next; next = await payOutNext(next.refundId)) {
        if (next.isDone) done += 1;
      }
      return done;
    },
  };
}

const isOver = ({ status }: PaymentRecord, { kind }: Said) =>
  status === 'paid' || (status === 'failed' && (kind === 'failed' || kind === 'unknown'));

const withPayment = ({ payments }: BookingRecord, changed: PaymentRecord) =>
  payments.map((payment) => (payment.id === changed.id ? changed : payment));

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

/** The guest's browser is sent there. */
function assertReachable(returnUrl: string | null): void {
  if (returnUrl === null) return;
  const isPage = URL.canParse(returnUrl) && /^https?:$/.test(new URL(returnUrl).protocol);
  if (!isPage) throw invalid('returnUrl', 'must be an address that starts with https:// or http://');
}
