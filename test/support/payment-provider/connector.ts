import { createHmac } from 'node:crypto';
import Type, { type Static, type TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import type {
  Intent,
  Notification,
  PaymentProvider,
  ProviderState,
  RepaymentOutcome,
} from '../../../src/features/payments/provider.ts';
import { codeOf } from '../../../src/kernel/problem.ts';
import type { TimedCall } from '../../../src/tms/remote.ts';

const IntentAnswer = Type.Object({
  status: Type.Enum(['open', 'waiting', 'processing', 'authorised', 'succeeded', 'cancelled']),
  amountPence: Type.Integer(),
  clientSecret: Type.String(),
  nextActionUrl: Type.Union([Type.String(), Type.Null()]),
});
const RefusalAnswer = Type.Object({
  reason: Type.String(),
  isAuthentication: Type.Optional(Type.Boolean()),
});
const RefundAnswer = Type.Object({ isPending: Type.Boolean() });
const MovementsAnswer = Type.Object({
  movements: Type.Array(
    Type.Object({
      reference: Type.String(),
      kind: Type.Union([Type.Literal('payment'), Type.Literal('refund')]),
      intentReference: Type.String(),
      ourId: Type.Union([Type.String(), Type.Null()]),
      amountPence: Type.Integer(),
      currency: Type.String(),
    }),
  ),
});

/** The connection was never made, so the request was never sent. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND'];

type Sent = { kind: 'answered'; status: number; body: unknown } | { kind: 'unsent' } | { kind: 'lost' };

const idIn = (reference: string) => reference.replace(/^P-/, '');

export const NOTIFICATION_KEY = 'the key of the notifications';
export const signatureOf = (body: string | Buffer) =>
  createHmac('sha256', NOTIFICATION_KEY).update(body).digest('hex');

/** A connector for the payment provider of the tests, written as one for a real provider would be. */
export function createProviderConnector(baseUrl: string): PaymentProvider {
  async function send(call: TimedCall, method: string, path: string, draft?: object): Promise<Sent> {
    try {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        signal: call.signal,
        ...(draft && { body: JSON.stringify(draft), headers: { 'content-type': 'application/json' } }),
      });
      const text = await response.text();
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      if (response.status === 503) return { kind: 'unsent' };
      return { kind: 'answered', status: response.status, body };
    } catch (error) {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      return { kind: NEVER_SENT.includes(codeOf(cause) ?? '') ? 'unsent' : 'lost' };
    }
  }

  async function move(call: TimedCall, { reference }: Intent, action: 'capture' | 'cancel') {
    const sent = await send(call, 'POST', `/intents/${idIn(reference)}/${action}`, {});
    return stateIn(sent) ?? { kind: 'unavailable' as const };
  }

  return {
    slug: 'loopback',
    publishableKey: 'pk_loopback',

    async open(call, { paymentId, ...draft }) {
      const sent = await send(call, 'PUT', `/intents/${paymentId}`, draft);
      if (sent.kind === 'answered' && sent.status === 501)
        return { kind: 'unsupported', detail: 'Cards are not taken here.' };
      const state = stateIn(sent);
      return state ? { kind: 'opened', reference: `P-${paymentId}`, state } : { kind: 'unavailable' };
    },

    async authorise(call, { reference, token, returnUrl }) {
      const sent = await send(call, 'POST', `/intents/${idIn(reference)}/authorise`, { token, returnUrl });
      if (sent.kind === 'unsent') return { kind: 'unavailable' };
      const refusal = sent.kind === 'answered' && sent.status === 402 && read(RefusalAnswer, sent.body);
      if (!refusal) return stateIn(sent) ?? { kind: 'unknown' };
      const { reason, isAuthentication } = refusal;
      return { kind: isAuthentication ? 'authentication_needed' : 'declined', reason };
    },

    async find(call, { reference }) {
      const sent = await send(call, 'GET', `/intents/${idIn(reference)}`);
      if (sent.kind === 'answered' && sent.status === 404) return { kind: 'absent' };
      return stateIn(sent) ?? { kind: 'unavailable' };
    },

    capture: (call, intent) => move(call, intent, 'capture'),
    cancel: (call, intent) => move(call, intent, 'cancel'),

    async refund(call, { refundId, paymentId, amountPence }): Promise<RepaymentOutcome> {
      const sent = await send(call, 'PUT', `/refunds/${refundId}`, { paymentId, amountPence });
      if (sent.kind !== 'answered') return { kind: 'unavailable' };
      const refusal = read(RefusalAnswer, sent.body);
      if (refusal) return { kind: 'failed', reason: refusal.reason };
      const answer = read(RefundAnswer, sent.body);
      if (!answer) return { kind: 'unavailable' };
      return { kind: answer.isPending ? 'pending' : 'done', reference: `R-${refundId}` };
    },

    readNotification(body, headers): Notification {
      if (headers['x-signature'] !== signatureOf(body))
        return { kind: 'forged', detail: 'does not fit the body' };
      const { id, reference = null } = JSON.parse(body.toString());
      return reference === null ? { kind: 'other', id } : { kind: 'payment', id, reference, account: null };
    },

    async movements(call, { account }) {
      const query = account === null ? '' : `?account=${account}`;
      const sent = await send(call, 'GET', `/movements${query}`);
      const answer = sent.kind === 'answered' ? read(MovementsAnswer, sent.body) : undefined;
      if (!answer) return { kind: 'unavailable' };
      const at = Temporal.Now.instant();
      return { kind: 'ok', movements: answer.movements.map((each) => ({ ...each, at })), next: null };
    },
  };
}

const read = <Schema extends TSchema>(schema: Schema, body: unknown): Static<Schema> | undefined =>
  Check(schema, body) ? (body as Static<Schema>) : undefined;

function stateIn(sent: Sent): ProviderState | undefined {
  const answer = sent.kind === 'answered' && sent.status === 200 ? read(IntentAnswer, sent.body) : undefined;
  if (!answer) return undefined;
  const { status, amountPence, clientSecret, nextActionUrl } = answer;
  switch (status) {
    case 'open':
    case 'waiting':
      return { kind: 'requires_action', clientSecret, nextActionUrl };
    case 'succeeded':
      return { kind: 'succeeded', receivedPence: amountPence };
    default:
      return { kind: status };
  }
}
