import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** What it does with the next requests of a kind; each is done once for each time it is planned. */
export type Conduct =
  /** Takes it on and waits for the guest; `settle` or `decline` ends that. */
  | 'wait'
  | 'decline'
  /** Does the work and drops the connection. */
  | 'cut-after'
  /** Drops the connection without doing anything. */
  | 'cut-before'
  /** Says 503, which promises that nothing was done. */
  | 'down'
  /** Says 501: it takes no such payments. */
  | 'unsupported'
  /** Does the work, but not before it is told to with `release`. */
  | 'hold'
  /** Waits for `release` in the same way, and then does this. */
  | 'hold, then cut-after'
  | 'hold, then down'
  /** Does the work and answers when it is told to. */
  | 'answer late';

export type ProviderOperation = 'charge' | 'find' | 'refund';

export interface HeldCharge {
  status: 'paid' | 'pending' | 'declined';
  amountPence: number;
  currency: string;
  bookingId: string;
  method: string | null;
  returnUrl: string | null;
}

export interface HeldRefund {
  paymentId: string;
  amountPence: number;
}

/**
 * A payment provider on loopback that keeps charges and refunds by the caller's ids, and misbehaves as told:
 * `PUT /charges/{id}`, `GET /charges/{id}`, `PUT /refunds/{id}`.
 */
export interface PaymentServer {
  url: string;
  charges: Map<string, HeldCharge>;
  refunds: Map<string, HeldRefund>;
  calls(operation: ProviderOperation): number;
  plan(operation: ProviderOperation, conduct: Conduct): void;
  /** Lets requests that are held carry on: the first so many, or all. */
  release(count?: number): void;
  /** Whatever was planned and has not happened is not done. */
  forgetPlans(): void;
  close(): Promise<void>;
}

interface Reply {
  status: number;
  body?: unknown;
}

export const REASON = 'The card has expired.';

export async function startPaymentServer(): Promise<PaymentServer> {
  const charges = new Map<string, HeldCharge>();
  const refunds = new Map<string, HeldRefund>();
  const planned: { operation: ProviderOperation; conduct: Conduct }[] = [];
  const counts = new Map<ProviderOperation, number>();
  const held: PromiseWithResolvers<void>[] = [];

  function hold(): Promise<void> {
    const waiting = Promise.withResolvers<void>();
    held.push(waiting);
    return waiting.promise;
  }

  function charge(id: string, draft: HeldCharge, conduct: Conduct | undefined): Reply {
    const status = conduct === 'wait' ? 'pending' : conduct === 'decline' ? 'declined' : 'paid';
    if (!charges.has(id)) charges.set(id, { ...draft, status });
    return find(id);
  }

  function find(id: string): Reply {
    const held = charges.get(id);
    if (!held) return { status: 404 };
    if (held.status === 'declined') return { status: 402, body: { reason: REASON } };
    const checkoutUrl = held.status === 'pending' ? `https://pay.example/${id}` : null;
    return { status: 200, body: { reference: `P-${id}`, status: held.status, checkoutUrl } };
  }

  function refund(id: string, draft: HeldRefund): Reply {
    const held = charges.get(draft.paymentId);
    const others = [...refunds].filter(
      ([other, { paymentId }]) => other !== id && paymentId === draft.paymentId,
    );
    const before = others.reduce((sum, [, { amountPence }]) => sum + amountPence, 0);
    if (held?.status !== 'paid' || before + draft.amountPence > held.amountPence) return { status: 409 };
    refunds.set(id, draft);
    return { status: 204 };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, collection, id = ''] = (request.url ?? '').split('/');
    const operation = request.method === 'GET' ? 'find' : collection === 'refunds' ? 'refund' : 'charge';
    counts.set(operation, (counts.get(operation) ?? 0) + 1);
    const draft = operation === 'find' ? undefined : await json(request);
    const index = planned.findIndex((each) => each.operation === operation);
    const plan = index < 0 ? undefined : planned.splice(index, 1)[0]?.conduct;
    if (plan?.startsWith('hold')) await hold();
    const conduct = plan?.replace('hold, then ', '') as Conduct | undefined;
    if (conduct === 'cut-before') return void response.destroy();
    const perform = {
      charge: () => charge(id, draft as HeldCharge, conduct),
      find: () => find(id),
      refund: () => refund(id, draft as HeldRefund),
    }[operation];
    const refusal = { down: { status: 503 }, unsupported: { status: 501 } }[conduct as string];
    const reply = refusal ?? perform();
    if (conduct === 'answer late') await hold();
    if (conduct === 'cut-after') return void response.destroy();
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end('body' in reply ? JSON.stringify(reply.body) : undefined);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    charges,
    refunds,
    calls: (operation) => counts.get(operation) ?? 0,
    plan: (operation, conduct) => void planned.push({ operation, conduct }),
    release(count = held.length) {
      for (const waiting of held.splice(0, count)) waiting.resolve();
    },
    forgetPlans: () => void planned.splice(0),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
