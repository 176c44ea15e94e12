import Type, { type Static } from 'typebox';
import { Check } from 'typebox/schema';
import type {
  FindOutcome,
  PaymentProvider,
  RepaymentOutcome,
  Standing,
} from '../../../src/features/payments/provider.ts';
import { codeOf } from '../../../src/kernel/problem.ts';
import type { TimedCall } from '../../../src/tms/remote.ts';

const ChargeAnswer = Type.Object({
  reference: Type.String(),
  status: Type.Union([Type.Literal('paid'), Type.Literal('pending')]),
  checkoutUrl: Type.Union([Type.String(), Type.Null()]),
});
const RefusalAnswer = Type.Object({ reason: Type.String() });

/** The connection was never made, so the request was never sent. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND'];

type Sent = { kind: 'answered'; status: number; body: unknown } | { kind: 'unsent' } | { kind: 'lost' };

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

  return {
    slug: 'loopback',
    async charge(call, { paymentId, ...draft }) {
      const sent = await send(call, 'PUT', `/charges/${paymentId}`, draft);
      if (sent.kind === 'unsent') return { kind: 'unavailable' };
      if (sent.kind === 'answered' && sent.status === 501) return { kind: 'unsupported' };
      return (sent.kind === 'answered' && standingIn(sent.status, sent.body)) || { kind: 'unknown' };
    },

    async find(call, paymentId): Promise<FindOutcome> {
      const sent = await send(call, 'GET', `/charges/${paymentId}`);
      if (sent.kind !== 'answered') return { kind: 'unavailable' };
      if (sent.status === 404) return { kind: 'absent' };
      return standingIn(sent.status, sent.body) ?? { kind: 'unavailable' };
    },

    async refund(call, { refundId, paymentId, amountPence }): Promise<RepaymentOutcome> {
      const sent = await send(call, 'PUT', `/refunds/${refundId}`, { paymentId, amountPence });
      return { kind: sent.kind === 'answered' && sent.status === 204 ? 'done' : 'failed' };
    },
  };
}

function standingIn(status: number, body: unknown): Standing | undefined {
  if (status === 402 && Check(RefusalAnswer, body)) {
    return { kind: 'declined', reason: (body as Static<typeof RefusalAnswer>).reason };
  }
  if (status !== 200 || !Check(ChargeAnswer, body)) return undefined;
  const { reference, status: kind, checkoutUrl } = body as Static<typeof ChargeAnswer>;
  return kind === 'paid' ? { kind, reference } : { kind, reference, checkoutUrl };
}
