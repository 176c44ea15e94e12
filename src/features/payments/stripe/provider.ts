/**
 * Payments through Stripe, with its own package. A payment is a PaymentIntent that is opened, confirmed and perhaps
 * captured; an intent cannot succeed twice, so confirming, capturing and cancelling need no idempotency keys.
 */
import type Stripe from 'stripe';
import { isObject } from '../../../http/validation/schema-helpers.ts';
import type { TimedCall } from '../../../tms/remote.ts';
import type {
  AuthoriseOutcome,
  FindOutcome,
  Intent,
  Movement,
  MovementsOutcome,
  MovementsQuery,
  NewIntent,
  Notification,
  PaymentProvider,
  ProviderState,
  Repayment,
  RepaymentOutcome,
} from '../provider.ts';
import { type Attempt, createStripeClient, type Failure, type StripeAccess } from './client.ts';
import { reasonOf, refundReasonOf } from './reasons.ts';

export interface StripeSettings extends StripeAccess {
  publishableKey: string | null;
  /** Endpoints for the platform and for connected accounts have a secret each; without one no notification is read. */
  webhookSecrets: readonly string[];
}

export function createStripeProvider(settings: StripeSettings): PaymentProvider {
  const { attempt, webhooks } = createStripeClient(settings);
  const { webhookSecrets } = settings;

  async function find(call: TimedCall, { reference, account }: Intent): Promise<FindOutcome> {
    const found = await attempt(call, account, (stripe) => stripe.paymentIntents.retrieve(reference));
    if (found.kind === 'done') return stateOf(found.value);
    return { kind: found.error.statusCode === 404 ? 'absent' : 'unavailable' };
  }

  /** A change is refused where the payment is further than the request supposed; then how far it is tells. */
  async function stateAfter(
    call: TimedCall,
    intent: Intent,
    changed: Attempt<Stripe.PaymentIntent>,
  ): Promise<ProviderState | { kind: 'unavailable' }> {
    if (changed.kind === 'done') return stateOf(changed.value);
    const found = changed.kind === 'refused' ? await find(call, intent) : undefined;
    return found === undefined || found.kind === 'absent' ? { kind: 'unavailable' } : found;
  }

  return {
    slug: 'stripe',
    publishableKey: settings.publishableKey,

    async open(call, intent) {
      const { paymentId: idempotencyKey, account } = intent;
      const opened = await attempt(call, account, (stripe) =>
        stripe.paymentIntents.create(newIntent(intent), { idempotencyKey }),
      );
      if (opened.kind === 'done')
        return { kind: 'opened', reference: opened.value.id, state: stateOf(opened.value) };
      const detail = detailOf(opened);
      return detail === undefined ? { kind: 'unavailable' } : { kind: 'unsupported', detail };
    },

    async authorise(call, { token, returnUrl, offSession, ...intent }) {
      const confirmed = await attempt(call, intent.account, (stripe) =>
        stripe.paymentIntents.confirm(intent.reference, {
          ...methodOf(token),
          ...(returnUrl !== null && { return_url: returnUrl }),
          ...(offSession && { off_session: true }),
        }),
      );
      if (confirmed.kind !== 'done' && !isRequestRefused(confirmed)) return notAuthorised(confirmed);
      const state = await stateAfter(call, intent, confirmed);
      if (state.kind === 'unavailable') return { kind: 'unknown' };
      const isRefused = confirmed.kind !== 'done' && state.kind === 'requires_action';
      return isRefused ? notAuthorised(confirmed) : state;
    },

    find,

    async capture(call, { amountPence, ...intent }) {
      const captured = await attempt(call, intent.account, (stripe) =>
        stripe.paymentIntents.capture(intent.reference, { amount_to_capture: amountPence }),
      );
      return stateAfter(call, intent, captured);
    },

    async cancel(call, intent) {
      const cancelled = await attempt(call, intent.account, (stripe) =>
        stripe.paymentIntents.cancel(intent.reference),
      );
      return stateAfter(call, intent, cancelled);
    },

    /** Stripe forgets idempotency keys after a day, so a refund that it has is looked for first. */
    async refund(call, repayment) {
      const { account, refundId: idempotencyKey } = repayment;
      const known = await attempt(call, account, (stripe) => findRefund(stripe, repayment));
      if (known.kind !== 'done') return { kind: 'unavailable' };
      if (known.value) return repaymentOf(known.value);
      const made = await attempt(call, account, (stripe) =>
        stripe.refunds.create(newRefund(repayment), { idempotencyKey }),
      );
      if (made.kind === 'done') return repaymentOf(made.value);
      const reason = detailOf(made);
      return reason === undefined ? { kind: 'unavailable' } : { kind: 'failed', reason };
    },

    ...(webhookSecrets.length > 0 && {
      readNotification: (body: Buffer, headers: Readonly<Record<string, string | string[] | undefined>>) =>
        readNotification(webhooks, webhookSecrets, body, headers['stripe-signature']),
    }),

    async movements(call, query): Promise<MovementsOutcome> {
      const page = await attempt(call, query.account, (stripe) => pageOfMovements(stripe, query));
      return page.kind === 'done' ? { kind: 'ok', ...page.value } : { kind: 'unavailable' };
    },
  };
}

/** By Stripe and not by the bank. */
const isRequestRefused = ({ kind, error }: Failure) => kind === 'refused' && error.statusCode !== 402;

/** Cards, which include the wallets, unless the guest has chosen something else by Stripe's name for it. */
function newIntent(intent: NewIntent): Stripe.PaymentIntentCreateParams {
  const { paymentId, bookingId, amountPence, currency, capture, method } = intent;
  return {
    amount: amountPence,
    currency: currency.toLowerCase(),
    capture_method: capture === 'later' ? 'manual' : 'automatic',
    allowed_payment_method_types: [method ?? 'card'],
    metadata: { payment: paymentId, booking: bookingId },
  };
}

/** A page gets either kind from Stripe. */
const methodOf = (token: string): Stripe.PaymentIntentConfirmParams =>
  token.startsWith('ctoken_') ? { confirmation_token: token } : { payment_method: token };

function stateOf(intent: Stripe.PaymentIntent): ProviderState {
  switch (intent.status) {
    case 'succeeded':
      return { kind: 'succeeded', receivedPence: intent.amount_received };
    case 'requires_capture':
      return { kind: 'authorised' };
    case 'canceled':
      return { kind: 'cancelled' };
    case 'requires_payment_method':
    case 'requires_confirmation':
    case 'requires_action': {
      const nextActionUrl = intent.next_action?.redirect_to_url?.url ?? null;
      const { client_secret: clientSecret, last_payment_error: error } = intent;
      const failure =
        intent.status === 'requires_payment_method' && error ? { failure: reasonOf(error) } : {};
      return { kind: 'requires_action', clientSecret, nextActionUrl, ...failure };
    }
    default:
      return { kind: 'processing' };
  }
}

const NEEDS_GUEST = 'The bank requires that the guest confirms this payment.';

function notAuthorised({ kind, error }: Failure): AuthoriseOutcome {
  switch (kind) {
    case 'lost':
      return { kind: 'unknown' };
    case 'unsent':
    case 'denied':
      return { kind: 'unavailable' };
    case 'refused':
      return error.code === 'authentication_required' || error.decline_code === 'authentication_required'
        ? { kind: 'authentication_needed', reason: NEEDS_GUEST }
        : { kind: 'declined', reason: reasonOf(error) };
  }
}

/** Why Stripe will not do it, in words for the caller; undefined: it may yet do it. */
function detailOf({ kind, error }: Failure): string | undefined {
  if (kind === 'denied') return 'Stripe does not accept the key of the platform, or not for this account.';
  return kind === 'refused' ? reasonOf(error) : undefined;
}

const newRefund = ({ reference, amountPence, refundId, paymentId }: Repayment) => ({
  payment_intent: reference,
  amount: amountPence,
  metadata: { refund: refundId, payment: paymentId },
});

const PAGE = 100;

async function findRefund(
  stripe: Stripe,
  { reference, refundId }: Repayment,
): Promise<Stripe.Refund | undefined> {
  for await (const refund of stripe.refunds.list({ payment_intent: reference, limit: PAGE }))
    if (refund.metadata?.refund === refundId) return refund;
  return undefined;
}

function repaymentOf({ id: reference, status, failure_reason }: Stripe.Refund): RepaymentOutcome {
  if (status === 'succeeded') return { kind: 'done', reference };
  if (status === 'failed' || status === 'canceled')
    return { kind: 'failed', reason: refundReasonOf(failure_reason) };
  return { kind: 'pending', reference };
}

const TOLERANCE_SECONDS = 300;

/** Only what it is about is read. */
function readNotification(
  webhooks: Stripe['webhooks'],
  secrets: readonly string[],
  body: Buffer,
  signature: string | string[] | undefined,
): Notification {
  if (typeof signature !== 'string') return { kind: 'forged', detail: 'Stripe-Signature is missing.' };
  const event = secrets.map((secret) => verified(webhooks, body, signature, secret)).find(Boolean);
  if (!event) return { kind: 'forged', detail: 'Stripe-Signature does not fit the body, or is too old.' };
  const { id, account = null, data } = event as Partial<Stripe.Event>;
  if (!isId(id) || !isObject(data?.object))
    return { kind: 'forged', detail: 'The message is no event of Stripe.' };
  const { object: type, id: objectId, payment_intent: intent = null } = data.object as EventObject;
  const reference = type === 'payment_intent' ? objectId : typeof intent === 'string' ? intent : intent?.id;
  return isId(reference) ? { kind: 'payment', id, reference, account } : { kind: 'other', id };
}

/** Fit to be stored and looked for. */
const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value);

/** An intent, or a charge, refund or dispute of one. */
interface EventObject {
  object?: string;
  id?: string;
  payment_intent?: string | { id: string } | null;
}

function verified(
  webhooks: Stripe['webhooks'],
  body: Buffer,
  signature: string,
  secret: string,
): Stripe.Event | undefined {
  try {
    return webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS);
  } catch {
    return undefined;
  }
}

/** First all charges of the time, then all refunds, each newest first; `after` names the list and its last entry. */
async function pageOfMovements(stripe: Stripe, { from, to, after }: MovementsQuery) {
  const [list = 'charges', lastId] = after?.split(':') ?? [];
  const params = {
    limit: PAGE,
    created: { gte: secondsOf(from), lte: secondsOf(to) },
    ...(lastId && { starting_after: lastId }),
  };
  const isRefunds = list === 'refunds';
  const page = isRefunds ? await stripe.refunds.list(params) : await stripe.charges.list(params);
  const entries: readonly (Stripe.Refund | Stripe.Charge)[] = page.data;
  const last = entries.at(-1);
  const next = page.has_more && last ? `${list}:${last.id}` : isRefunds ? null : 'refunds:';
  return { movements: entries.flatMap(movementIn), next };
}

/** What was set aside or refused has not moved. */
function movementIn(entry: Stripe.Charge | Stripe.Refund): Movement[] {
  const { id: reference, status, created, metadata, payment_intent: intent } = entry;
  const isPayment = entry.object === 'charge';
  if (status !== 'succeeded' || intent === null || (isPayment && !entry.captured)) return [];
  const movement: Movement = {
    reference,
    kind: isPayment ? 'payment' : 'refund',
    intentReference: typeof intent === 'string' ? intent : intent.id,
    ourId: (isPayment ? metadata?.payment : metadata?.refund) ?? null,
    amountPence: isPayment ? entry.amount_captured : entry.amount,
    currency: entry.currency.toUpperCase(),
    at: Temporal.Instant.fromEpochMilliseconds(created * 1000),
  };
  return [movement];
}

const secondsOf = (instant: Temporal.Instant) => Math.floor(instant.epochMilliseconds / 1000);
