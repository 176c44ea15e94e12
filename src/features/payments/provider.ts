import type { TimedCall } from '../../tms/remote.ts';

/**
 * The interface of a payment provider. A payment is opened first, which moves no money and may be repeated; its
 * reference is stored, and only then is it authorised. So a call whose answer is lost can always be followed by a
 * question. Each call has a closed set of outcomes, and none throws.
 */

export interface NewIntent {
  /** Our id of the payment, and its idempotency key: opened twice, the provider has it once. */
  paymentId: string;
  bookingId: string;
  amountPence: number;
  currency: string;
  /** `later`: the money is only set aside until `capture`. */
  capture: 'at_once' | 'later';
  /** The guest's choice of payment method; null leaves it to the provider. */
  method: string | null;
  /** Where the guest goes after a page of the provider, where it has one for payments without a token. */
  returnUrl: string | null;
  /** The account that the money goes to; null: the platform's own. */
  account: string | null;
}

/** A payment that was opened. */
export interface Intent {
  /** The provider's own name for it. */
  reference: string;
  account: string | null;
}

export interface Authorisation extends Intent {
  paymentId: string;
  /** What the provider gave the partner's page in place of a card; never a card number. */
  token: string;
  /** Where the guest goes after the provider's own page. */
  returnUrl: string | null;
  /** The guest is not present and cannot authenticate. */
  offSession: boolean;
}

/** How far a payment is at the provider. */
export type ProviderState =
  /** The guest has something to do: to say how to pay, or to authenticate. */
  | {
      kind: 'requires_action';
      clientSecret: string | null;
      nextActionUrl: string | null;
      /** Why the last attempt of the guest failed. */
      failure?: string;
    }
  /** The provider does not know yet. */
  | { kind: 'processing' }
  /** Set aside; nothing was taken yet. */
  | { kind: 'authorised' }
  | { kind: 'succeeded'; receivedPence: number }
  /** Nothing was taken, and nothing will be. */
  | { kind: 'cancelled' };

export type OpenOutcome =
  | { kind: 'opened'; reference: string; state: ProviderState }
  /** It takes no such payments, or not for this account; `detail` says why, in plain words. */
  | { kind: 'unsupported'; detail: string }
  /** It may or may not have been opened; no money moves by it. */
  | { kind: 'unavailable' };

export type AuthoriseOutcome =
  | ProviderState
  /** Nothing was taken. The payment stays open until it is cancelled. */
  | { kind: 'declined'; reason: string }
  /** The bank wants the guest, who is not present. Nothing was taken. */
  | { kind: 'authentication_needed'; reason: string }
  /** Certainly not begun. */
  | { kind: 'unavailable' }
  /** It may or may not have been taken; ask with `find`. */
  | { kind: 'unknown' };

export type FindOutcome = ProviderState | { kind: 'absent' } | { kind: 'unavailable' };

/** `unavailable` where it is unknown whether it was done; all of these may be repeated. */
export type CaptureOutcome = ProviderState | { kind: 'unavailable' };
export type CancelOutcome = ProviderState | { kind: 'unavailable' };

export interface Repayment extends Intent {
  /** Our id of the refund, and its idempotency key. */
  refundId: string;
  paymentId: string;
  amountPence: number;
  currency: string;
}

export type RepaymentOutcome =
  | { kind: 'done'; reference: string }
  /** On its way; it may still fail. */
  | { kind: 'pending'; reference: string }
  | { kind: 'failed'; reason: string }
  | { kind: 'unavailable' };

/** A message of the provider: which payment to ask about. What it says of it is not believed. */
export type Notification =
  | { kind: 'payment'; id: string; reference: string; account: string | null }
  /** Signed, and about something that concerns no payment of ours. */
  | { kind: 'other'; id: string }
  | { kind: 'forged'; detail: string };

/** Money that moved, as the provider's books have it. */
export interface Movement {
  /** The provider's own name for it: `payment` and `refund` are booked once each. */
  reference: string;
  kind: 'payment' | 'refund';
  /** The reference of the payment, also for refunds. */
  intentReference: string;
  /** Our id of the payment or refund, as it was given to the provider; null: it has none of ours. */
  ourId: string | null;
  amountPence: number;
  currency: string;
  at: Temporal.Instant;
}

export type MovementsOutcome =
  | { kind: 'ok'; movements: Movement[]; next: string | null }
  | { kind: 'unavailable' };

export interface MovementsQuery {
  account: string | null;
  from: Temporal.Instant;
  to: Temporal.Instant;
  /** `next` of the page before. */
  after: string | null;
}

export interface PaymentProvider {
  /** Stored with each payment, so that no other provider is asked about it. */
  slug: string;
  /** What a browser needs to begin with the provider's own form; null: nothing. */
  publishableKey: string | null;
  open(call: TimedCall, intent: NewIntent): Promise<OpenOutcome>;
  authorise(call: TimedCall, authorisation: Authorisation): Promise<AuthoriseOutcome>;
  find(call: TimedCall, intent: Intent): Promise<FindOutcome>;
  /** Takes what was set aside. */
  capture(
    call: TimedCall,
    intent: Intent & { paymentId: string; amountPence: number },
  ): Promise<CaptureOutcome>;
  /** Ends a payment that has taken nothing; one that has succeeded stays. */
  cancel(call: TimedCall, intent: Intent & { paymentId: string }): Promise<CancelOutcome>;
  /** A refund that was asked for before is answered with how far it is, however long ago that was. */
  refund(call: TimedCall, repayment: Repayment): Promise<RepaymentOutcome>;
  /** Absent: it sends none. */
  readNotification?(
    body: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): Notification;
  movements(call: TimedCall, query: MovementsQuery): Promise<MovementsOutcome>;
}
