/** The payments and refunds of a Stripe of our own, one set for each account, as Stripe's API shows them. */
import { randomBytes } from 'node:crypto';

export type Params = URLSearchParams;

export interface Reply {
  status: number;
  body: unknown;
}

export interface StripeIntent {
  id: string;
  object: 'payment_intent';
  amount: number;
  amount_received: number;
  amount_capturable: number;
  capture_method: string;
  client_secret: string;
  created: number;
  currency: string;
  last_payment_error: object | null;
  latest_charge: string | null;
  metadata: Record<string, string>;
  next_action: object | null;
  payment_method: string | null;
  status: string;
}

export interface StripeCharge {
  id: string;
  object: 'charge';
  amount: number;
  amount_captured: number;
  captured: boolean;
  created: number;
  currency: string;
  metadata: Record<string, string>;
  payment_intent: string;
  status: 'succeeded' | 'failed';
}

export interface StripeRefund {
  id: string;
  object: 'refund';
  amount: number;
  charge: string | null;
  created: number;
  currency: string;
  metadata: Record<string, string>;
  payment_intent: string;
  status: string;
  failure_reason?: string;
}

/** Cards that are refused, and what the refusal says. */
const DECLINES: Readonly<Record<string, readonly [code: string, declineCode?: string]>> = {
  pm_card_chargeDeclined: ['card_declined', 'generic_decline'],
  pm_card_chargeDeclinedInsufficientFunds: ['card_declined', 'insufficient_funds'],
  pm_card_chargeDeclinedLostCard: ['card_declined', 'lost_card'],
  pm_card_chargeDeclinedExpiredCard: ['expired_card'],
  pm_card_chargeDeclinedIncorrectCvc: ['incorrect_cvc'],
  pm_card_chargeDeclinedProcessingError: ['processing_error'],
};

const AUTHENTICATED = 'pm_card_authenticationRequired';
/** Ours: a debit, of which the bank decides later. */
export const SLOW_DEBIT = 'pm_debit_decided_later';
const CARDS = ['pm_card_visa', 'pm_card_pendingRefund', 'pm_card_refundFail', AUTHENTICATED, SLOW_DEBIT];

const OPEN = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

export interface BooksOptions {
  /** In seconds. */
  now(): number;
  /** Where a guest authenticates. */
  pageUrl(intentId: string): string;
  onEvent(type: string, object: object): void;
}

export type Books = ReturnType<typeof createBooks>;

export function createBooks({ now, pageUrl, onEvent }: BooksOptions) {
  const intents = new Map<string, StripeIntent>();
  const charges = new Map<string, StripeCharge>();
  const refunds = new Map<string, StripeRefund>();

  function shown(intent: StripeIntent, type: string): Reply {
    onEvent(type, { ...intent });
    return { status: 200, body: { ...intent } };
  }

  function open(params: Params): Reply {
    const amount = Number(params.get('amount'));
    if (!Number.isSafeInteger(amount) || amount < 30)
      return refusal(400, { code: 'amount_too_small', param: 'amount' });
    const method = params.get('allowed_payment_method_types[0]');
    if (method !== null && method !== 'card')
      return refusal(400, { param: 'allowed_payment_method_types[0]' });
    const id = newId('pi');
    const intent: StripeIntent = {
      id,
      object: 'payment_intent',
      amount,
      amount_received: 0,
      amount_capturable: 0,
      capture_method: params.get('capture_method') ?? 'automatic',
      client_secret: `${id}_secret_${randomBytes(8).toString('hex')}`,
      created: now(),
      currency: params.get('currency') ?? 'gbp',
      last_payment_error: null,
      latest_charge: null,
      metadata: metadataIn(params),
      next_action: null,
      payment_method: null,
      status: 'requires_payment_method',
    };
    intents.set(id, intent);
    return shown(intent, 'payment_intent.created');
  }

  function confirm(intent: StripeIntent, params: Params): Reply {
    if (!OPEN.includes(intent.status)) return unexpectedState(intent);
    const card = params.get('payment_method') ?? params.get('confirmation_token') ?? '';
    const declined = DECLINES[card];
    if (declined) return decline(intent, ...declined);
    if (!CARDS.includes(card)) return refusal(400, { code: 'resource_missing', param: 'payment_method' });
    intent.payment_method = card;
    intent.last_payment_error = null;
    if (card === AUTHENTICATED) {
      if (params.get('off_session') === 'true') return decline(intent, 'authentication_required');
      intent.status = 'requires_action';
      intent.next_action = nextAction(intent.id, params.get('return_url'));
      return shown(intent, 'payment_intent.requires_action');
    }
    if (card !== SLOW_DEBIT) return take(intent);
    intent.status = 'processing';
    return shown(intent, 'payment_intent.processing');
  }

  const nextAction = (id: string, returnUrl: string | null) =>
    returnUrl === null
      ? { type: 'use_stripe_sdk', use_stripe_sdk: {} }
      : { type: 'redirect_to_url', redirect_to_url: { url: pageUrl(id), return_url: returnUrl } };

  function decline(intent: StripeIntent, code: string, declineCode?: string): Reply {
    const error = { type: 'card_error', code, ...(declineCode && { decline_code: declineCode }) };
    Object.assign(intent, {
      status: 'requires_payment_method',
      last_payment_error: error,
      next_action: null,
      payment_method: null,
    });
    onEvent('payment_intent.payment_failed', { ...intent });
    return refusal(402, { ...error, payment_intent: { ...intent } });
  }

  /** The bank agrees. */
  function take(intent: StripeIntent): Reply {
    const isLater = intent.capture_method === 'manual';
    const charge: StripeCharge = {
      id: newId('ch'),
      object: 'charge',
      amount: intent.amount,
      amount_captured: isLater ? 0 : intent.amount,
      captured: !isLater,
      created: now(),
      currency: intent.currency,
      metadata: intent.metadata,
      payment_intent: intent.id,
      status: 'succeeded',
    };
    charges.set(charge.id, charge);
    Object.assign(intent, {
      latest_charge: charge.id,
      next_action: null,
      status: isLater ? 'requires_capture' : 'succeeded',
      amount_capturable: isLater ? intent.amount : 0,
      amount_received: charge.amount_captured,
    });
    return shown(intent, isLater ? 'payment_intent.amount_capturable_updated' : 'payment_intent.succeeded');
  }

  function capture(intent: StripeIntent, params: Params): Reply {
    const charge = charges.get(intent.latest_charge ?? '');
    if (intent.status !== 'requires_capture' || !charge) return unexpectedState(intent);
    const amount = Number(params.get('amount_to_capture') ?? intent.amount_capturable);
    if (amount > intent.amount_capturable)
      return refusal(400, { code: 'amount_too_large', param: 'amount_to_capture' });
    Object.assign(charge, { captured: true, amount_captured: amount });
    Object.assign(intent, { status: 'succeeded', amount_received: amount, amount_capturable: 0 });
    return shown(intent, 'payment_intent.succeeded');
  }

  function cancel(intent: StripeIntent): Reply {
    if (![...OPEN, 'requires_capture'].includes(intent.status)) return unexpectedState(intent);
    Object.assign(intent, { status: 'canceled', amount_capturable: 0, next_action: null });
    return shown(intent, 'payment_intent.canceled');
  }

  function refund(params: Params): Reply {
    const intent = intents.get(params.get('payment_intent') ?? '');
    if (!intent) return refusal(404, { code: 'resource_missing', param: 'payment_intent' });
    const amount = Number(params.get('amount') ?? intent.amount_received);
    if (amount > leftOf(intent)) return refusal(400, { code: 'charge_already_refunded', param: 'amount' });
    const made: StripeRefund = {
      id: newId('re'),
      object: 'refund',
      amount,
      charge: intent.latest_charge,
      created: now(),
      currency: intent.currency,
      metadata: metadataIn(params),
      payment_intent: intent.id,
      status: intent.payment_method === 'pm_card_pendingRefund' ? 'pending' : 'succeeded',
    };
    refunds.set(made.id, made);
    onEvent('charge.refunded', { ...charges.get(intent.latest_charge ?? '') });
    onEvent('refund.created', { ...made });
    return { status: 200, body: { ...made } };
  }

  const leftOf = (intent: StripeIntent) =>
    [...refunds.values()]
      .filter(({ payment_intent, status }) => payment_intent === intent.id && status !== 'failed')
      .reduce((left, { amount }) => left - amount, intent.amount_received);

  return {
    intents,
    charges,
    refunds,
    open,
    refund,
    take,

    onIntent(id: string, work: (intent: StripeIntent) => Reply): Reply {
      const intent = intents.get(id);
      return intent ? work(intent) : refusal(404, { code: 'resource_missing', param: 'intent' });
    },
    find: (intent: StripeIntent): Reply => ({ status: 200, body: { ...intent } }),
    confirm,
    capture,
    cancel,
    decline,

    /** A refund that was on its way comes to its end. */
    endRefund(refund: StripeRefund, status: 'succeeded' | 'failed'): void {
      Object.assign(refund, { status, ...(status === 'failed' && { failure_reason: 'unknown' }) });
      onEvent(status === 'failed' ? 'refund.failed' : 'refund.updated', { ...refund });
    },

    list(kind: 'charges' | 'refunds' | 'payment_intents', params: Params): Reply {
      const all = { charges, refunds, payment_intents: intents }[kind];
      return pageOf([...all.values()].reverse(), params);
    },
  };
}

type Listed = StripeIntent | StripeCharge | StripeRefund;

/** Newest first. */
function pageOf(entries: readonly Listed[], params: Params): Reply {
  const from = Number(params.get('created[gte]') ?? 0);
  const to = Number(params.get('created[lte]') ?? Number.MAX_SAFE_INTEGER);
  const intent = params.get('payment_intent');
  const fitting = entries.filter(
    (entry) =>
      entry.created >= from &&
      entry.created <= to &&
      (intent === null || ('payment_intent' in entry && entry.payment_intent === intent)),
  );
  const start = fitting.findIndex(({ id }) => id === params.get('starting_after')) + 1;
  const end = start + Number(params.get('limit') ?? 10);
  const data = fitting.slice(start, end).map((entry) => ({ ...entry }));
  return { status: 200, body: { object: 'list', data, has_more: fitting.length > end, url: '/v1' } };
}

const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`;

function metadataIn(params: Params): Record<string, string> {
  const entries = [...params].map(([name, value]) => [/^metadata\[(\w+)\]$/.exec(name)?.[1], value] as const);
  return Object.fromEntries(entries.filter(([name]) => name !== undefined));
}

export function refusal(status: number, error: object): Reply {
  const type = status === 402 ? 'card_error' : 'invalid_request_error';
  return { status, body: { error: { type, message: 'Refused.', ...error } } };
}

const unexpectedState = (intent: StripeIntent): Reply =>
  refusal(400, { code: 'payment_intent_unexpected_state', payment_intent: { ...intent } });
