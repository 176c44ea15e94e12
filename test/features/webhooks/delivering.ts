/** What the tests of deliveries share: applications whose clock is moved, subscriptions, receivers, and dispatchers that misbehave. */

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { after, before } from 'node:test';
import { inTransaction, type Sql, type Tx } from '../../../src/db/database.ts';
import { openNotifications } from '../../../src/db/notifications.ts';
import {
  type Dispatcher,
  type DispatcherDeps,
  startDispatcher,
} from '../../../src/features/webhooks/delivery/dispatcher.ts';
import { createSender } from '../../../src/features/webhooks/delivery/sender.ts';
import { timestampOf } from '../../../src/kernel/clock.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import { parseVenueId } from '../../../src/kernel/ids.ts';
import { type CallOptions, startTestApp, type TestApp } from '../../support/app.ts';
import {
  type Behaviour,
  type ReceivedPost,
  type Receiver,
  startReceiver,
} from '../../support/peers/receiver.ts';
import { callNow, standingClock } from '../bookings/amend/amending.ts';
import { madeUpBooking } from './made-up.ts';

export const KEYS = createKeyring([Buffer.alloc(32, 7)]);
export const quiet = { warn() {}, error() {} };

export interface BookingDraft {
  /** Whether a dispatcher is at work all the while. */
  delivers: boolean;
  /** Where the lines of the log go. */
  lines?: string[];
}

/** An application that may post to loopback, on a clock that stands until it is moved, and a receiver. */
export function deliveringApp({ delivers, lines = [] }: BookingDraft) {
  const time = standingClock();
  const started = new AsyncDisposableStack();
  let maitred: TestApp;
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
    started.defer(() => receiver.close());
    maitred = await startTestApp({
      config: { webhookAllowLoopback: true, logLevel: 'warn' },
      deps: { clock: time.clock, logStream: { write: (line) => void lines.push(line) } },
    });
    started.defer(() => maitred.close());
    if (!delivers) return;
    const dispatcher = maitred.services.webhooks.startDispatcher();
    started.defer(() => dispatcher.stop());
  });
  after(() => started.disposeAsync());
  return { maitred: () => maitred, time, receiver: () => receiver };
}

/** A dispatcher of its own for a test, which says what is different about it. */
export async function openCourier(
  app: TestApp,
  deps: Partial<DispatcherDeps> & Pick<DispatcherDeps, 'clock'>,
): Promise<Dispatcher> {
  const notifications = await openNotifications(app.url);
  const sender = createSender({ allowLoopback: true });
  const dispatcher = startDispatcher({
    sql: app.sql,
    notifications,
    encryptionKeys: KEYS,
    sender,
    log: quiet,
    ...deps,
  });
  return {
    async stop() {
      await dispatcher.stop();
      await sender.close();
      await notifications.close();
    },
  };
}

/** A sender that gives up sooner than receivers are granted. */
export function impatientSender(timeoutMs: number): DispatcherDeps['sender'] {
  const sender = createSender({ allowLoopback: true });
  return { ...sender, post: (post) => sender.post({ ...post, timeoutMs }) };
}

type Statement = 'claim' | 'record' | 'other';
type Run = (on: Tx) => Promise<unknown>;

/** The database as a dispatcher sees it, with something that happens to the statements it sends. */
export function interceptedSql(
  sql: Sql,
  intercept: (statement: Statement, run: Run) => Promise<unknown>,
): Sql {
  return new Proxy(sql, {
    apply(_target, self, args: [TemplateStringsArray, ...unknown[]]) {
      const text = args[0].join('');
      const statement = text.includes('recursive')
        ? 'claim'
        : text.includes('delivery_attempt')
          ? 'record'
          : 'other';
      return intercept(statement, (on) => Reflect.apply(on as unknown as () => Promise<unknown>, self, args));
    },
  });
}

/** Does what it was asked to do, and then has not done it. */
export async function undone(sql: Sql, run: Run): Promise<unknown> {
  let outcome: unknown;
  const undo = new Error('Rolled back on purpose.');
  await inTransaction(sql, async (tx) => {
    outcome = await run(tx);
    throw undo;
  }).catch((error) => {
    if (error !== undo) throw error;
  });
  return outcome;
}

/** Takes requests and answers them when it is told to. */
export function holding() {
  const held: ServerResponse[] = [];
  let isHolding = true;
  const behaviour: Behaviour = (response) => {
    if (isHolding) held.push(response);
    else response.writeHead(204).end();
  };
  return {
    behaviour,
    held,
    letGo(): void {
      isHolding = false;
      for (const response of held) response.writeHead(204).end();
    },
  };
}

export interface Subscribed {
  webhookId: string;
  secretKey: string;
  /** What arrived there so far. */
  posts(): ReceivedPost[];
}

const PATH = '/webhooks/subscriptions';
let paths = 0;

/** At a path of its own, which is where a test tells the receiver how to behave. */
export const freePath = () => `/hooks/${++paths}`;

export async function subscribe(
  app: TestApp,
  receiver: Receiver,
  { path = freePath(), eventTypes = null, ...options }: SubscriptionWish = {},
): Promise<Subscribed> {
  const body = { callbackUrl: receiver.url + path, eventTypes };
  const answer = await callNow(app, PATH, { method: 'POST', body, ...options });
  assert.equal(answer.status, 201, answer.text);
  const { webhookId, secretKey } = answer.json;
  return { webhookId, secretKey, posts: () => receiver.received.filter((post) => post.path === path) };
}

interface SubscriptionWish extends Pick<CallOptions, 'as'> {
  path?: string;
  eventTypes?: string[] | null;
}

export async function change(app: TestApp, { webhookId }: Subscribed, body: object): Promise<void> {
  const answer = await callNow(app, `${PATH}/${webhookId}`, { method: 'PUT', body });
  assert.equal(answer.status, 200, answer.text);
}

export async function unsubscribe(app: TestApp, { webhookId }: Subscribed): Promise<void> {
  const answer = await callNow(app, `${PATH}/${webhookId}`, { method: 'DELETE' });
  assert.equal(answer.status, 204, answer.text);
}

export async function rotate(app: TestApp, { webhookId }: Subscribed): Promise<string> {
  const answer = await callNow(app, `${PATH}/${webhookId}/secret`, { method: 'POST' });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.secretKey;
}

const VENUE = parseVenueId('1|house|soho-grill');

/** Something that happened, without a booking behind it; says the words in which it is told. */
export async function happen(
  app: TestApp,
  clock: DispatcherDeps['clock'],
  mark: string | number,
  partnerId = 1,
): Promise<string> {
  const occurredAt = Temporal.Instant.from(instantOf(clock));
  const content = { bookings: [madeUpBooking({ mark })] };
  await inTransaction(app.sql, (tx) =>
    app.services.events.append(tx, {
      type: 'booking.updated',
      partnerId,
      venueId: VENUE,
      occurredAt,
      content,
    }),
  );
  return JSON.stringify({ eventType: 'booking.updated', timestamp: timestampOf(occurredAt), ...content });
}

/** Which of those that `happen` told of these are about. */
export const marksOf = (posts: readonly ReceivedPost[]) =>
  posts.map(({ body }) => JSON.parse(body.toString()).bookings[0].mark);

/** Worked out here by the letter of both schemes, from what a partner was shown and what came over the wire. */
export function assertSigned({ headers, body }: ReceivedPost, secretKey: string, previous?: string): void {
  assert.equal(headers['x-api-key'], createHmac('sha256', secretKey).update(body).digest('hex'));
  const signed = Buffer.concat([
    Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`),
    body,
  ]);
  const signatures = [secretKey, ...(previous === undefined ? [] : [previous])].map((secret) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  assert.equal(headers['webhook-signature'], signatures.join(' '));
}

export interface DeliveryRow {
  status: string;
  attempts: number;
  finishedAt: string | null;
}

export async function deliveriesTo(sql: Sql, { webhookId }: Subscribed): Promise<DeliveryRow[]> {
  const rows = await sql`
    select status, attempts, finished_at as "finishedAt" from delivery where webhook_id = ${webhookId}
    order by created_at, id`;
  return rows.map(({ status, attempts, finishedAt }) => ({
    status,
    attempts,
    finishedAt: finishedAt?.toString({ smallestUnit: 'millisecond' }) ?? null,
  }));
}

/** The present as it is stored and told. */
export const instantOf = (clock: DispatcherDeps['clock']): string => timestampOf(clock());
