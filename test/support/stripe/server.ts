/** A Stripe of our own on loopback: accounts, keys, idempotency, signed notifications, and faults as they are planned. */
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Books, createBooks, type Params, type Reply, refusal, type StripeIntent } from './books.ts';

export type StripeOperation = 'open' | 'confirm' | 'find' | 'capture' | 'cancel' | 'refund' | 'list';

/** What becomes of a request; each is done once for each time it is planned. */
export type StripeFault =
  /** Does the work after so many milliseconds. */
  | { kind: 'slow'; delayMs: number }
  /** Does the work and never answers. */
  | { kind: 'mute' }
  /** Neither answers nor does the work before `applyLate`. */
  | { kind: 'late' }
  | { kind: 'cut-before' }
  | { kind: 'cut-after' }
  /** Answers a status, having done the work or not. */
  | { kind: 'status'; status: number; isDone?: boolean }
  | { kind: 'garbage' };

/** When a notification is sent: after the answer unless something else is planned. */
export type Announcement = 'after' | 'before' | 'twice' | 'held' | 'lost';

/** Takes a notification, and says with which status. */
export type Receiver = (body: string, signature: string) => Promise<number>;

interface StripeEvent {
  body: string;
  account: string | null;
}

/** What goes wrong at random, as long as nothing is planned. */
export interface Misconduct {
  fault(operation: StripeOperation): StripeFault | undefined;
  announcement(): Announcement;
}

export const SECRET_KEY = 'sk_test_of_our_own_stripe';
export const WEBHOOK_SECRET = 'whsec_of_our_own_stripe';

export type StripeEmulator = Awaited<ReturnType<typeof startStripe>>;

interface Request {
  operation: StripeOperation;
  account: string | null;
  key: string | undefined;
  /** What must be the same where the key is the same. */
  content: string;
  perform(books: Books): Reply;
}

export async function startStripe({ now = Date.now }: { now?: () => number } = {}) {
  const accounts = new Map<string | null, Books>();
  const keys = new Map<string, { content: string; reply: Reply }>();
  const calls = new Map<StripeOperation, number>();
  let faults: { operations: readonly StripeOperation[]; fault: StripeFault }[] = [];
  let announcements: Announcement[] = [];
  let misconduct: Misconduct | undefined;
  let late: (() => void)[] = [];
  let held: StripeEvent[] = [];
  let fresh: StripeEvent[] = [];
  let receiver: Receiver | undefined;
  const underWay = new Set<Promise<void>>();
  let port = 0;

  function booksOf(account: string | null): Books {
    const known = accounts.get(account);
    if (known) return known;
    const onEvent = (type: string, object: object) => {
      const event = { id: `evt_${randomUUID()}`, object: 'event', type, data: { object } };
      fresh.push({ body: JSON.stringify({ ...event, ...(account !== null && { account }) }), account });
    };
    const pageUrl = (id: string) => `http://127.0.0.1:${port}/authenticate/${account ?? 'platform'}/${id}`;
    const books = createBooks({ now: () => Math.floor(now() / 1000), onEvent, pageUrl });
    accounts.set(account, books);
    return books;
  }

  async function send(event: StripeEvent): Promise<void> {
    const status = await receiver?.(event.body, signed(event.body)).catch(() => 0);
    if (status !== undefined && (status < 200 || status >= 300)) held.push(event);
  }

  /** What has happened is announced, some of it before the answer. */
  async function announce(): Promise<void> {
    const events = fresh;
    fresh = [];
    for (const event of events) {
      const plan = announcements.shift() ?? misconduct?.announcement() ?? 'after';
      if (plan === 'held') held.push(event);
      if (plan === 'lost' || plan === 'held') continue;
      if (plan === 'before') await send(event);
      else track(sleep(1).then(() => send(event)));
      if (plan === 'twice') track(sleep(2).then(() => send(event)));
    }
  }

  function track(work: Promise<void>): void {
    underWay.add(work);
    work.finally(() => underWay.delete(work));
  }

  /** Stripe answers what it has begun in the same way again, for a day. */
  function perform({ account, key, content, perform: work }: Request): Reply {
    const name = `${account} ${key}`;
    const known = key === undefined ? undefined : keys.get(name);
    if (known) {
      const isSame = known.content === content;
      return isSame ? known.reply : refusal(400, { type: 'idempotency_error' });
    }
    const reply = work(booksOf(account));
    if (key !== undefined) keys.set(name, { content, reply });
    return reply;
  }

  function takeFault(operation: StripeOperation): StripeFault | undefined {
    const index = faults.findIndex(({ operations }) => operations.includes(operation));
    return index < 0 ? misconduct?.fault(operation) : faults.splice(index, 1)[0]?.fault;
  }

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(message.url ?? '/', 'http://stripe');
    if (url.pathname.startsWith('/authenticate/')) return authenticatePage(url, response);
    if (message.headers.authorization !== `Bearer ${SECRET_KEY}`)
      return answer(response, { status: 401, body: { error: { type: 'invalid_request_error' } } });
    const request = await readRequest(message, url);
    if (!request) return answer(response, refusal(404, {}));
    calls.set(request.operation, (calls.get(request.operation) ?? 0) + 1);
    await meet(takeFault(request.operation), request, response);
  }

  async function meet(fault: StripeFault | undefined, request: Request, response: ServerResponse) {
    switch (fault?.kind) {
      case 'cut-before':
        return void response.destroy();
      case 'late':
        late.push(() => void perform(request));
        return;
      case 'slow':
        await sleep(fault.delayMs);
        break;
      case 'status':
        if (fault.isDone) perform(request);
        await announce();
        return answer(response, { status: fault.status, body: { error: { type: 'api_error' } } });
    }
    const reply = perform(request);
    await announce();
    if (fault?.kind === 'cut-after') return void response.destroy();
    if (fault?.kind === 'garbage') return void response.end('<html>');
    if (fault?.kind !== 'mute') answer(response, reply);
  }

  /** The guest's browser goes there, and from there back to the partner. */
  async function authenticatePage(url: URL, response: ServerResponse): Promise<void> {
    const [, , account, id = ''] = url.pathname.split('/');
    const books = booksOf(account === 'platform' ? null : (account ?? null));
    const action = books.intents.get(id)?.next_action as { redirect_to_url?: { return_url: string } } | null;
    authenticate(books, id, !url.searchParams.has('fail'));
    await announce();
    response.writeHead(302, { location: action?.redirect_to_url?.return_url ?? '/' }).end();
  }

  function authenticate(books: Books, id: string, passes: boolean): void {
    books.onIntent(id, (intent) => {
      if (intent.status !== 'requires_action') return books.find(intent);
      return passes ? books.take(intent) : books.decline(intent, 'payment_intent_authentication_failure');
    });
  }

  function everywhere<Entry>(entriesOf: (books: Books) => Iterable<Entry>) {
    return [...accounts].flatMap(([account, books]) =>
      [...entriesOf(books)].map((entry) => ({ ...entry, account })),
    );
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  const listen = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  await listen();

  return {
    url: `http://127.0.0.1:${port}`,
    calls: (operation: StripeOperation) => calls.get(operation) ?? 0,
    intents: () => everywhere((books) => books.intents.values()),
    charges: () => everywhere((books) => books.charges.values()),
    refunds: () => everywhere((books) => books.refunds.values()),
    books: (account: string | null = null) => booksOf(account),

    plan: (fault: StripeFault, ...operations: StripeOperation[]) => void faults.push({ fault, operations }),
    planAnnouncements: (...plan: Announcement[]) => void announcements.push(...plan),
    /** Undefined: it behaves again. */
    misbehave(as: Misconduct | undefined): void {
      misconduct = as;
    },
    forgetPlans() {
      faults = [];
      announcements = [];
    },
    /** As it does after a day. */
    forgetKeys: () => keys.clear(),
    /** Nobody answers until it comes back. */
    goAway: stop,
    comeBack: listen,
    /** Requests that came late are carried out now. */
    async applyLate(): Promise<void> {
      for (const work of late.splice(0)) work();
      await announce();
    },

    notify(to: Receiver | undefined): void {
      receiver = to;
    },
    /** What was held back, or not accepted, is sent (again), the latest first. */
    async deliverHeld(): Promise<void> {
      const events = held.reverse();
      held = [];
      for (const event of events) await send(event);
    },
    /** Until all that was sent has arrived. */
    async announced(): Promise<void> {
      await announce();
      await Promise.all(underWay);
    },

    /** What a guest does on a page that has the client's secret. */
    async payOnPage(clientSecret: string, card: string): Promise<Reply> {
      const id = clientSecret.split('_secret_')[0] as string;
      const books = [...accounts.values()].find(({ intents }) => intents.has(id));
      if (!books) return refusal(404, {});
      const params = new URLSearchParams({
        payment_method: card,
        return_url: 'https://partner.example/back',
      });
      const reply = books.onIntent(id, (intent) => books.confirm(intent, params));
      await announce();
      return reply;
    },
    async authenticate(id: string, { passes = true } = {}): Promise<void> {
      for (const books of accounts.values()) if (books.intents.has(id)) authenticate(books, id, passes);
      await announce();
    },
    /** The bank decides on a debit. */
    async decide(id: string, { agrees = true } = {}): Promise<void> {
      for (const books of accounts.values()) {
        const intent = books.intents.get(id);
        if (intent?.status !== 'processing') continue;
        if (agrees) books.take(intent);
        else books.decline(intent, 'card_declined', 'insufficient_funds');
      }
      await announce();
    },
    async endRefund(id: string, status: 'succeeded' | 'failed'): Promise<void> {
      for (const books of accounts.values()) {
        const refund = books.refunds.get(id);
        if (refund) books.endRefund(refund, status);
      }
      await announce();
    },
    async close(): Promise<void> {
      receiver = undefined;
      late = [];
      await stop();
    },
  };
}

async function readRequest(message: IncomingMessage, url: URL): Promise<Request | undefined> {
  const body = await text(message);
  const params: Params = message.method === 'GET' ? url.searchParams : new URLSearchParams(body);
  const account = (message.headers['stripe-account'] as string | undefined) ?? null;
  const key = message.headers['idempotency-key'] as string | undefined;
  const [, , kind = '', id, action] = url.pathname.split('/');
  const rest = { account, key, content: `${url.pathname} ${body}` };
  const onIntent = (operation: StripeOperation, work: (books: Books, intent: StripeIntent) => Reply) => {
    const perform = (books: Books) => books.onIntent(id ?? '', (intent) => work(books, intent));
    return { ...rest, operation, perform };
  };
  if (message.method === 'GET' && id === undefined && isListed(kind))
    return { ...rest, operation: 'list', perform: (books) => books.list(kind, params) };
  if (kind === 'refunds' && message.method === 'POST')
    return { ...rest, operation: 'refund', perform: (books) => books.refund(params) };
  if (kind !== 'payment_intents') return undefined;
  if (id === undefined) return { ...rest, operation: 'open', perform: (books) => books.open(params) };
  switch (action) {
    case undefined:
      return onIntent('find', (books, intent) => books.find(intent));
    case 'confirm':
      return onIntent('confirm', (books, intent) => books.confirm(intent, params));
    case 'capture':
      return onIntent('capture', (books, intent) => books.capture(intent, params));
    case 'cancel':
      return onIntent('cancel', (books, intent) => books.cancel(intent));
  }
  return undefined;
}

const isListed = (kind: string) => kind === 'charges' || kind === 'refunds' || kind === 'payment_intents';

function answer(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** As Stripe signs what it sends. */
export function signed(body: string, { secret = WEBHOOK_SECRET, at = Date.now() } = {}): string {
  const seconds = Math.floor(at / 1000);
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
}
