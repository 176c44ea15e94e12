/**
 * Payments for bookings. A payment is stored before the provider is called, and the provider's answer afterwards; a
 * job resolves payments that a crash or a lost connection leaves open. Refunds are owed from the moment they are
 * stored, and another job pays them out.
 */
import type { Tx } from '../../db/database.ts';
import { type Caller, visibilityOf } from '../../http/auth/caller.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import { nowOf } from '../../kernel/clock.ts';
import { invalid } from '../../kernel/problem.ts';
import { optionsOf, type Payment } from '../bookings/service.ts';
import type { Idempotency } from '../idempotency/service.ts';
import { charge, NO_PROVIDER, type PaymentTerms } from './charging.ts';
import { resolve, settlePending } from './open-payments.ts';
import { MANY_ATTEMPTS, type Payout, settleRefunds } from './payout.ts';
import type { OfferedPayments, PaymentBody } from './schema.ts';
import type { PaymentsContext } from './settling.ts';
import * as store from './store.ts';

export interface Payments {
  options(caller: Caller, bookingId: string): Promise<OfferedPayments>;
  pay(
    caller: Caller,
    bookingId: string,
    body: PaymentBody,
    idempotencyKey: string | undefined,
    terms?: PaymentTerms,
  ): Promise<Payment>;

  /** Takes what was set aside. A call whose outcome is in doubt is repeated by the job. */
  capture(paymentId: string): Promise<void>;
  /** Ends a payment that has taken nothing; one that has is left as it is. */
  cancel(paymentId: string): Promise<void>;
  /** The same within a transaction: the job does it after the commit. */
  askForCapture(tx: Tx, paymentId: string): Promise<void>;
  askForEnd(tx: Tx, paymentId: string): Promise<void>;

  /** For jobs, which stop when the signal aborts. Returns how many were settled. */
  settlePending(signal?: AbortSignal): Promise<number>;
  settleRefunds(signal?: AbortSignal): Promise<Payout>;
}

export interface PaymentsDeps extends PaymentsContext {
  idempotency: Idempotency;
}

export function createPayments({ idempotency, ...context }: PaymentsDeps): Payments {
  const { sql, clock, bookings, provider } = context;

  const askForEnd = (tx: Tx, paymentId: string) => store.askForEnd(tx, paymentId, nowOf(clock));

  /** What was asked for is done at once where the provider can be reached. */
  async function carryOut(paymentId: string): Promise<void> {
    if (!provider) return;
    const now = nowOf(clock);
    const open = await store.findOpen(sql, paymentId, { provider: provider.slug, now });
    if (open) await resolve(context, provider, open, { isAbandoned: false });
  }

  return {
    async options(caller, bookingId) {
      const booking = await bookings.getRecord(caller, bookingId);
      const offered = optionsOf(await bookings.atRuledBalance(sql, booking));
      if (!provider) return { ...offered, options: [], provider: null, message: NO_PROVIDER };
      const { slug: name, publishableKey } = provider;
      const message = `Payments are taken through ${name}.`;
      return { ...offered, provider: { name, publishableKey }, message };
    },

    async pay(caller, bookingId, body, key, terms = { capture: 'at_once' }) {
      assertReachable(body.returnUrl ?? null);
      const content = { pay: bookingId, of: visibilityOf(caller), body };
      return idempotency.once<Payment>({ clientId: caller.clientId, key, content }, (keep) =>
        charge(context, { caller, bookingId, body, key, terms }, keep),
      );
    },

    async capture(paymentId) {
      await store.askForCapture(sql, paymentId);
      await carryOut(paymentId);
    },

    async cancel(paymentId) {
      await askForEnd(sql, paymentId);
      await carryOut(paymentId);
    },

    askForCapture: store.askForCapture,
    askForEnd,

    settlePending: (signal) => settlePending(context, signal),
    settleRefunds: (signal) => settleRefunds(context, signal),
  };
}

/** The guest's browser is sent there. */
function assertReachable(returnUrl: string | null): void {
  if (returnUrl === null) return;
  const isPage = URL.canParse(returnUrl) && /^https?:$/.test(new URL(returnUrl).protocol);
  if (!isPage) throw invalid('returnUrl', 'must be an address that starts with https:// or http://');
}

const EVERY_MINUTE = '* * * * *';
const STUCK = `refunds could not be paid out, for the ${MANY_ATTEMPTS}th time or more`;

export function paymentJobs(payments: Payments): JobDefinition[] {
  return [
    {
      name: 'payments.settle-pending',
      schedule: EVERY_MINUTE,
      handle: async (signal) => void (await payments.settlePending(signal)),
    },
    {
      name: 'payments.settle-refunds',
      schedule: EVERY_MINUTE,
      async handle(signal, log) {
        const { stuck } = await payments.settleRefunds(signal);
        if (stuck > 0) log.warn({ stuck }, STUCK);
      },
    },
  ];
}
