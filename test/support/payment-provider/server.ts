import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** What it does with the next requests of a kind; each is done once for each time it is planned. */
export type Conduct =
  /** Sends the guest to its page; the test decides what the guest does there. */
  | 'wait'
  /** Knows the outcome only later; the test decides when. */
  | 'process'
  | 'decline'
  /** The bank wants the guest, who is not present. */
  | 'authenticate'
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
  | 'answer late'
  /** A refund that is on its way, or that is refused. */
  | 'pending'
  | 'refuse';

export type ProviderOperation = 'open' | 'authorise' | 'find' | 'capture' | 'cancel' | 'refund' | 'movements';

export interface HeldIntent {
  status: 'open' | 'waiting' | 'processing' | 'authorised' | 'succeeded' | 'cancelled';
  amountPence: number;
  currency: string;
  bookingId: string;
  method: string | null;
  account: string | null;
  capture: 'at_once' | 'later';
  token?: string;
  returnUrl?: string | null;
}

export interface HeldRefund {
  paymentId: string;
  amountPence: number;
  /** Done unless told otherwise. */
  isPending?: boolean;
}

/**
 * A payment provider on loopback that keeps payments and refunds by the caller's ids, and misbehaves as told:
 * `PUT /intents/{id}`, `GET /intents/{id}`, `POST /intents/{id}/authorise`, `…/capture`, `…/cancel`,
 * `PUT /refunds/{id}`, `GET /movements`.
 */
export interface PaymentServer {
  url: string;
  intents: Map<string, HeldIntent>;
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
export const ABSENT = 'The bank asks for the guest.';

const isEnded = ({ status }: HeldIntent) => status === 'succeeded' || status === 'cancelled';

export async function startPaymentServer(): Promise<PaymentServer> {
  const intents = new Map<string, HeldIntent>();
  const refunds = new Map<string, HeldRefund>();
  const planned: { operation: ProviderOperation; conduct: Conduct }[] = [];
  const counts = new Map<ProviderOperation, number>();
  const held: PromiseWithResolvers<void>[] = [];

  function hold(): Promise<void> {
    const waiting = Promise.withResolvers<void>();
    held.push(waiting);
    return waiting.promise;
  }

  function show(id: string): Reply {
    const intent = intents.get(id);
    if (!intent) return { status: 404 };
    const { status, amountPence } = intent;
    const nextActionUrl = status === 'waiting' ? `https://pay.example/${id}` : null;
    return { status: 200, body: { status, amountPence, clientSecret: `secret-${id}`, nextActionUrl } };
  }

  function open(id: string, draft: HeldIntent): Reply {
    if (!intents.has(id)) intents.set(id, { ...draft, status: 'open' });
    return show(id);
  }

  function authorise(id: string, sent: Partial<HeldIntent>, conduct: Conduct | undefined): Reply {
    const intent = intents.get(id);
    if (intent?.status !== 'open') return show(id);
    if (conduct === 'decline') return { status: 402, body: { reason: REASON } };
    if (conduct === 'authenticate') return { status: 402, body: { reason: ABSENT, isAuthentication: true } };
    Object.assign(intent, sent);
    intent.status =
      conduct === 'wait'
        ? 'waiting'
        : conduct === 'process'
          ? 'processing'
          : intent.capture === 'later'
            ? 'authorised'
            : 'succeeded';
    return show(id);
  }

  function move(id: string, status: 'succeeded' | 'cancelled'): Reply {
    const intent = intents.get(id);
    const isPossible =
      status === 'cancelled' ? intent?.status !== 'processing' : intent?.status === 'authorised';
    if (intent && isPossible && !isEnded(intent)) intent.status = status;
    return show(id);
  }

  function refund(id: string, draft: HeldRefund, conduct: Conduct | undefined): Reply {
    if (conduct === 'refuse') return { status: 422, body: { reason: REASON } };
    const intent = intents.get(draft.paymentId);
    const others = [...refunds].filter(
      ([other, { paymentId }]) => other !== id && paymentId === draft.paymentId,
    );
    const before = others.reduce((sum, [, { amountPence }]) => sum + amountPence, 0);
    if (intent?.status !== 'succeeded' || before + draft.amountPence > intent.amountPence)
      return { status: 422, body: { reason: 'Nothing is left.' } };
    if (!refunds.has(id)) refunds.set(id, { ...draft, ...(conduct === 'pending' && { isPending: true }) });
    return { status: 200, body: { isPending: refunds.get(id)?.isPending ?? false } };
  }

  function movements(account: string | null): Reply {
    const taken = [...intents].filter(
      ([, intent]) => intent.status === 'succeeded' && intent.account === account,
    );
    const entries = [
      ...taken.map(([id, { amountPence, currency }]) => ({
        kind: 'payment',
        reference: `P-${id}`,
        intentReference: `P-${id}`,
        ourId: id,
        amountPence,
        currency,
      })),
      ...[...refunds].flatMap(([id, { paymentId, amountPence, isPending }]) => {
        const intent = taken.find(([takenId]) => takenId === paymentId)?.[1];
        if (!intent || isPending) return [];
        const { currency } = intent;
        return [
          {
            kind: 'refund',
            reference: `R-${id}`,
            intentReference: `P-${paymentId}`,
            ourId: id.startsWith('foreign') ? null : id,
            amountPence,
            currency,
          },
        ];
      }),
    ];
    return { status: 200, body: { movements: entries } };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://provider');
    const [, collection, id = '', action] = url.pathname.split('/');
    const operation = operationOf(request.method ?? '', collection, action);
    counts.set(operation, (counts.get(operation) ?? 0) + 1);
    const draft = request.method === 'GET' ? undefined : await json(request);
    const index = planned.findIndex((each) => each.operation === operation);
    const plan = index < 0 ? undefined : planned.splice(index, 1)[0]?.conduct;
    if (plan?.startsWith('hold')) await hold();
    const conduct = plan?.replace('hold, then ', '') as Conduct | undefined;
    if (conduct === 'cut-before') return void response.destroy();
    const perform = {
      open: () => open(id, draft as HeldIntent),
      authorise: () => authorise(id, draft as Partial<HeldIntent>, conduct),
      find: () => show(id),
      capture: () => move(id, 'succeeded'),
      cancel: () => move(id, 'cancelled'),
      refund: () => refund(id, draft as HeldRefund, conduct),
      movements: () => movements(url.searchParams.get('account')),
    }[operation];
    const refusal = { down: { status: 503 }, unsupported: { status: 501 } }[conduct as string];
    const reply: Reply = refusal ?? perform();
    if (conduct === 'answer late') await hold();
    if (conduct === 'cut-after') return void response.destroy();
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(reply.body === undefined ? undefined : JSON.stringify(reply.body));
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    intents,
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

function operationOf(method: string, collection = '', action = ''): ProviderOperation {
  if (collection === 'movements') return 'movements';
  if (collection === 'refunds') return 'refund';
  if (method === 'GET') return 'find';
  return method === 'PUT' ? 'open' : (action as 'authorise' | 'capture' | 'cancel');
}
