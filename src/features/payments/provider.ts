import type { TimedCall } from '../../tms/remote.ts';

/**
 * The interface of a payment provider. Our id of a payment or a refund is its idempotency key: called twice, the
 * provider does it once. Each call has a closed set of outcomes, and none throws.
 */

export interface Charge {
  paymentId: string;
  bookingId: string;
  amountPence: number;
  currency: string;
  /** The guest's choice of payment method; null leaves it to the provider. */
  method: string | null;
  /** Where the guest goes after the provider's own page. */
  returnUrl: string | null;
}

export interface Repayment {
  refundId: string;
  paymentId: string;
  /** The provider's own name for the payment. */
  reference: string | null;
  amountPence: number;
  currency: string;
}

/** How far a payment is that the provider knows. */
export type Standing =
  | { kind: 'paid'; reference: string }
  /** The guest has something to do first. */
  | { kind: 'pending'; reference: string; checkoutUrl: string | null }
  | { kind: 'declined'; reason: string };

export type ChargeOutcome =
  | Standing
  /** It takes no such payments here. */
  | { kind: 'unsupported' }
  /** Certainly not charged. */
  | { kind: 'unavailable' }
  /** It may or may not have been charged; ask with `find`. */
  | { kind: 'unknown' };

export type FindOutcome =
  | Standing
  /** Not charged, and what was sent before this question no longer will be. */
  | { kind: 'absent' }
  | { kind: 'unavailable' };

export type RepaymentOutcome = { kind: 'done' } | { kind: 'failed' };

export interface PaymentProvider {
  /** Stored with each payment, so that no other provider is asked about it. */
  slug: string;
  charge(call: TimedCall, charge: Charge): Promise<ChargeOutcome>;
  find(call: TimedCall, paymentId: string): Promise<FindOutcome>;
  refund(call: TimedCall, repayment: Repayment): Promise<RepaymentOutcome>;
}

/**
 * The provider where none is connected. Outside live it settles at once and moves no money; in live it cannot take
 * cards. It stores nothing, so a payment that was never recorded as paid was never made.
 */
export function createBuiltInProvider({ isLive }: { isLive: boolean }): PaymentProvider {
  return {
    slug: 'built-in',
    charge: async (_call, { paymentId }) =>
      isLive ? { kind: 'unsupported' } : { kind: 'paid', reference: `built-in-${paymentId}` },
    find: async () => ({ kind: 'absent' }),
    refund: async () => ({ kind: 'done' }),
  };
}
