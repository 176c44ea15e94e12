import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../../src/config.ts';
import type { Sql } from '../../../src/db/database.ts';
import { openNotifications } from '../../../src/db/notifications.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import { createServices } from '../../../src/services.ts';
import { addGig, addRoom, startsApart } from '../../race/venues.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { eventually } from '../../support/eventually.ts';
import { repeats } from '../../support/repeats.ts';
import { startMortalNode, tokenFrom } from '../booking-clients.ts';
import { readBooks } from './order-books.ts';
import { isNamed, type OrderAnswer, orderMaker, randomFrom, type SentOrder } from './order-random.ts';

const KILLS = repeats(18, 2);
const CLIENTS = 4;
const SENT_BETWEEN_KILLS = 6;
/** So many orders are waited for that one node began and another one finished. */
const RESUMED = 3;

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase({ hasDemo: true });
});
after(() => database.drop());

interface Site {
  /** The node that is up, or will be. */
  address(): Promise<string>;
  token: string;
  /** Aborted when it is over. */
  signal: AbortSignal;
}

async function post(url: URL, body: object, options: { headers?: object; signal?: AbortSignal } = {}) {
  const response = await fetch(url, {
    ...options,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...options.headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, json: (await response.json()) as OrderAnswer['json'] };
}

/** Until there is an answer, where it can be told which order is meant; otherwise once. Says how often it was cut off. */
async function sendOrder({ address, token, signal }: Site, order: SentOrder): Promise<number> {
  const { key, body, answers } = order;
  const headers = { authorization: `Bearer ${token}`, ...(key !== null && { 'idempotency-key': key }) };
  let cuts = 0;
  do {
    const url = new URL('/v1/orders', await address());
    const answer = await post(url, body, { headers, signal }).catch(() => undefined);
    if (answer) answers.push(answer);
    else cuts += 1;
    await sleep(20);
  } while (isNamed(order) && !isAnswered(order) && !signal.aborted);
  return cuts;
}

const isAnswered = ({ answers }: SentOrder) => answers.some(({ status }) => status !== 503);

/** Transactions of nodes that are gone, until the server has noticed. */
async function countOpen(sql: Sql): Promise<number> {
  const open = await sql`select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`;
  return open.count;
}

/** What nobody comes back for is closed as if time had passed. */
async function closeTheRest(): Promise<number> {
  const { sql, url } = database;
  const notifications = await openNotifications(url);
  const { orders, webhooks } = await createServices({
    config: readConfig({ LOG_LEVEL: 'silent' }),
    sql,
    notifications,
    encryptionKeys: createKeyring([Buffer.alloc(32, 7)]),
    clock: () => systemClock().add({ minutes: 16 }),
  });
  const closed = await orders.closeAbandoned();
  await webhooks.close();
  await notifications.close();
  return closed;
}

test(`after ${KILLS} kills every item of every order is booked once or failed, as its sender was told`, async (t) => {
  const { sql } = database;
  const starts = startsApart(20);
  const places = [
    await addRoom(sql, 8),
    await addRoom(sql, 8),
    await addGig(sql, 40, starts),
    await addGig(sql, 40, starts),
  ].map((productId) => ({ productId, starts, isRemote: false }));
  const newOrder = orderMaker(places, randomFrom(Date.now()));
  const startNode = () => startMortalNode(database.url, { ROLE: 'api' });
  let node = startNode();
  const end = new AbortController();
  t.after(async () => {
    end.abort();
    (await node).child.kill('SIGKILL');
  });
  const address = async () => (await node).address;
  const site = { address, token: await tokenFrom(await address()), signal: end.signal };
  const sent: SentOrder[] = [];
  let resumed = 0;
  const serve = async (order: SentOrder) => {
    const cuts = await sendOrder(site, order);
    if (cuts > 0 && isAnswered(order)) resumed += 1;
  };
  const serving: Promise<void>[] = [];
  const client = async () => {
    while (!end.signal.aborted) {
      await address();
      const order = newOrder();
      sent.push(order);
      const served = serve(order);
      serving.push(served);
      // One that was cut off waits for its lease; the client has other things to do meanwhile.
      await Promise.race([served, sleep(500)]);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const { child, exit } = await node;
    const before = sent.length;
    while (sent.length < before + SENT_BETWEEN_KILLS) await sleep(2);
    await sleep(Math.random() * 40);
    if (kill === KILLS) {
      while (resumed < RESUMED) await sleep(50);
      end.abort();
    }
    child.kill('SIGKILL');
    if (kill < KILLS) node = startNode();
    await exit;
  }
  await Promise.all([...clients, ...serving]);
  await eventually(async () => (await countOpen(sql)) === 0);

  assert.ok((await closeTheRest()) > 0, 'kills hit orders that nobody came back for');
  const { faults, counts } = await readBooks(sql, sent);
  t.diagnostic(`${sent.length} orders, ${resumed} taken up again; ${JSON.stringify(counts)}`);
  assert.deepEqual(faults, []);
});
