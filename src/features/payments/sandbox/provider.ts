/**
 * The payment provider of the sandbox: it moves no money, keeps books as a real one does, and every outcome can be met
 * on purpose. What a payment does is decided by its token.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../../db/database.ts';
import { type Clock, nowOf } from '../../../kernel/clock.ts';
import type {
  Authorisation,
  AuthoriseOutcome,
  MovementsQuery,
  PaymentProvider,
  ProviderState,
  RepaymentOutcome,
} from '../provider.ts';
import {
  addRefund,
  findPayment,
  listMovements,
  movePayment,
  openPayment,
  type SandboxPayment,
} from './store.ts';

export const SANDBOX = 'sandbox';

interface Behaviour {
  /** Why it is declined. */
  declined?: string;
  /** When the bank wants the guest. */
  authenticates?: 'always' | 'when_absent';
  /** How long the provider does not know the outcome. */
  settlesAfterSeconds?: number;
  /** How long the answer takes. */
  answersAfterMs?: number;
  /** The answer is lost after the payment was made, or before. */
  isLost?: 'after' | 'before';
  isUnavailable?: boolean;
}

/** `docs/payments.md` lists them. */
export const TOKENS: Readonly<Record<string, Behaviour>> = {
  tok_success: {},
  tok_declined: { declined: 'The bank of the guest declined the payment.' },
  tok_insufficient_funds: { declined: 'There is not enough money in the account of the guest.' },
  tok_expired: { declined: 'The card has expired.' },
  tok_authenticate: { authenticates: 'always' },
  tok_authenticate_offsession: { authenticates: 'when_absent' },
  tok_processing: { settlesAfterSeconds: 60 },
  tok_slow: { answersAfterMs: 3000 },
  tok_hang: { isLost: 'after', answersAfterMs: Number.POSITIVE_INFINITY },
  tok_doubt_succeeded: { isLost: 'after' },
  tok_doubt_failed: { isLost: 'before' },
  tok_unavailable: { isUnavailable: true },
  tok_refund_fails: {},
  tok_refund_pending: {},
};

const UNKNOWN_TOKEN: Behaviour = { declined: 'The sandbox does not know this token.' };
const ABSENT = 'The bank asks the guest to authenticate.';
const REFUND_SECONDS = 60;
const MOVEMENTS_AT_ONCE = 100;

export interface SandboxDeps {
  sql: Sql;
  clock: Clock;
  publicUrl: string;
}

export function createSandboxProvider({ sql, clock, publicUrl }: SandboxDeps): PaymentProvider {
  const pageOf = (reference: string) => `${publicUrl}/payments/${SANDBOX}/${reference}`;

  function stateOf({ reference, status, settlesAt, amountPence }: SandboxPayment): ProviderState {
    const isKnown = Temporal.Instant.compare(settlesAt, nowOf(clock)) <= 0;
    switch (status) {
      case 'open':
        return { kind: 'requires_action', clientSecret: secretOf(reference), nextActionUrl: null };
      case 'authenticating':
        return {
          kind: 'requires_action',
          clientSecret: secretOf(reference),
          nextActionUrl: pageOf(reference),
        };
      case 'authorised':
        return isKnown ? { kind: 'authorised' } : { kind: 'processing' };
      case 'succeeded':
        return isKnown ? { kind: 'succeeded', receivedPence: amountPence } : { kind: 'processing' };
      case 'cancelled':
        return { kind: 'cancelled' };
    }
  }

  async function pay(authorisation: Authorisation, behaviour: Behaviour): Promise<AuthoriseOutcome> {
    const { reference, token, returnUrl, offSession } = authorisation;
    const before = await findPayment(sql, reference);
    if (!before) return { kind: 'declined', reason: 'The sandbox does not know this payment.' };
    if (before.status !== 'open') return stateOf(before);
    const { declined, authenticates, settlesAfterSeconds = 0 } = behaviour;
    if (declined !== undefined) return { kind: 'declined', reason: declined };
    if (authenticates && offSession) return { kind: 'authentication_needed', reason: ABSENT };
    const paid = before.isCapturedLater ? 'authorised' : 'succeeded';
    const moved = await movePayment(sql, {
      reference,
      from: ['open'],
      to: authenticates === 'always' ? 'authenticating' : paid,
      settlesAt: nowOf(clock).add({ seconds: settlesAfterSeconds }),
      token,
      returnUrl,
    });
    return stateOf(moved ?? before);
  }

  return {
    slug: SANDBOX,
    publishableKey: null,

    async open(_call, intent) {
      const reference = referenceOf(intent.paymentId);
      const opened = await openPayment(sql, { ...intent, reference, now: nowOf(clock) });
      if (!opened) return { kind: 'unavailable' };
      const state = stateOf(opened);
      const isOpen = state.kind === 'requires_action';
      return {
        kind: 'opened',
        reference,
        state: isOpen ? { ...state, nextActionUrl: pageOf(reference) } : state,
      };
    },

    async authorise(call, authorisation) {
      const behaviour = TOKENS[authorisation.token] ?? UNKNOWN_TOKEN;
      const { isUnavailable, isLost, answersAfterMs = 0 } = behaviour;
      if (isUnavailable) return { kind: 'unavailable' };
      if (isLost === 'before') return { kind: 'unknown' };
      const outcome = await pay(authorisation, behaviour);
      await sleep(Math.min(answersAfterMs, call.deadlineMs), undefined, { signal: call.signal }).catch(
        () => {},
      );
      return isLost === 'after' || call.signal.aborted ? { kind: 'unknown' } : outcome;
    },

    async find(_call, { reference }) {
      const found = await findPayment(sql, reference);
      return found ? stateOf(found) : { kind: 'absent' };
    },

    async capture(_call, { reference }) {
      const settlesAt = nowOf(clock);
      const taken = await movePayment(sql, { reference, from: ['authorised'], to: 'succeeded', settlesAt });
      return taken ? stateOf(taken) : { kind: 'unavailable' };
    },

    async cancel(_call, { reference }) {
      const ended = await movePayment(sql, {
        reference,
        from: ['open', 'authenticating', 'authorised'],
        to: 'cancelled',
        settlesAt: nowOf(clock),
      });
      return ended ? stateOf(ended) : { kind: 'cancelled' };
    },

    async refund(_call, { refundId, reference, amountPence }): Promise<RepaymentOutcome> {
      const payment = await findPayment(sql, reference);
      if (payment?.token === 'tok_refund_fails')
        return { kind: 'failed', reason: 'The card of the guest takes no refunds.' };
      const seconds = payment?.token === 'tok_refund_pending' ? REFUND_SECONDS : 0;
      const settlesAt = nowOf(clock).add({ seconds });
      const refund = await addRefund(sql, { id: refundId, reference, amountPence, settlesAt });
      if (!refund) return { kind: 'failed', reason: 'More than was taken cannot be given back.' };
      const isDone = Temporal.Instant.compare(refund.settlesAt, nowOf(clock)) <= 0;
      return { kind: isDone ? 'done' : 'pending', reference: `refund-${refundId}` };
    },

    async movements(_call, query: MovementsQuery) {
      const movements = await listMovements(sql, { ...query, now: nowOf(clock) }, MOVEMENTS_AT_ONCE);
      const last = movements.length === MOVEMENTS_AT_ONCE ? movements.at(-1) : undefined;
      return { kind: 'ok', movements, next: last?.reference ?? null };
    },
  };
}

const referenceOf = (paymentId: string) => `sandbox-${paymentId}`;
const secretOf = (reference: string) => `${reference}-secret`;

export interface PageAnswer {
  reference: string;
  answer: 'pay' | 'decline';
}

/** What guests see of payments in the sandbox. */
export interface SandboxPages {
  find(reference: string): Promise<SandboxPayment | undefined>;
  answer(answer: PageAnswer): Promise<SandboxPayment | undefined>;
}

export { findPayment, type SandboxPayment };

/** What the guest decides at the page. Undefined: there is no such payment. */
export async function answerAtPage(
  { sql, clock }: Pick<SandboxDeps, 'sql' | 'clock'>,
  { reference, answer }: PageAnswer,
): Promise<SandboxPayment | undefined> {
  const payment = await findPayment(sql, reference);
  if (!payment) return undefined;
  const paid = payment.isCapturedLater ? 'authorised' : 'succeeded';
  return movePayment(sql, {
    reference,
    from: ['open', 'authenticating'],
    to: answer === 'pay' ? paid : 'cancelled',
    settlesAt: nowOf(clock),
  });
}
