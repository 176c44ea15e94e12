import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../../src/db/database.ts';
import { openBody } from '../../../src/features/events/service.ts';
import { assertSigned, KEYS } from '../../features/webhooks/delivering.ts';
import { addGig, addRoom, startsApart } from '../../race/venues.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import type { NodeProcess } from '../../support/node-process.ts';
import { patience } from '../../support/patience.ts';
import { type ReceivedPost, startReceiver } from '../../support/peers/receiver.ts';
import { repeats } from '../../support/repeats.ts';
import { keepBooking, startMortalNode, type Told, tokenFrom, untilAllAnswered } from '../booking-clients.ts';

const KILLS = repeats(50, 2);
/** A few kills can miss what they are to hit; then others follow. */
const MOST_KILLS = 50;
const CLIENTS = 4;
const ASKED_BETWEEN_KILLS = 10;
const PATIENCE_MS = patience(60_000);

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase({ hasDemo: true });
});
after(() => database.drop());

const startNode = () => startMortalNode(database.url, { WEBHOOK_ALLOW_LOOPBACK: 'true' });

/** As if the leases of those that were killed had ended. What the one that lives has claimed may go out twice. */
const endLeases = (sql: Sql) =>
  sql`update delivery set due_at = now() where status = 'pending' and claim is not null`;

/** Events that arrived and are not written down as delivered; what follows sends them again. */
async function countPostedUnnoted(sql: Sql, posts: readonly ReceivedPost[]): Promise<number> {
  const claimed = await sql<{ eventId: string }[]>`
    select event_id as "eventId" from delivery where status = 'pending' and claim is not null`;
  const arrived = new Set(posts.map(({ headers }) => headers['webhook-id']));
  return claimed.filter(({ eventId }) => arrived.has(eventId)).length;
}

async function post({ address }: NodeProcess, path: string, body: object, token: string) {
  const response = await fetch(address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, String(response.status));
  return (await response.json()) as Record<string, string>;
}

interface StoredEvent {
  id: string;
  bookingId: string;
  body: Buffer;
}

/** What clients were told and what is stored against what arrived; sentences about what does not fit. */
async function contradictions(
  sql: Sql,
  log: readonly Told[],
  posts: readonly ReceivedPost[],
): Promise<string[]> {
  const events = await sql<StoredEvent[]>`select id, booking_id as "bookingId", body from event`;
  const bodyOf = new Map(events.map(({ id, body }) => [id, openBody(KEYS, id, body)]));
  const arrived = new Set(posts.map(({ headers }) => headers['webhook-id']));
  const announced = new Set(events.map(({ bookingId }) => bookingId));
  return [
    ...events.filter(({ id }) => !arrived.has(id)).map(({ id }) => `event ${id} never arrived`),
    ...posts
      .filter(({ headers, body }) => !bodyOf.get(String(headers['webhook-id']))?.equals(body))
      .map(({ headers }) => `event ${headers['webhook-id']} arrived altered`),
    ...log
      .flatMap(({ ids }) => [...ids])
      .filter((id) => !announced.has(id))
      .map((id) => `booking ${id} was acknowledged and has no event`),
  ];
}

test(`after ${KILLS} kills or more the event of every acknowledged booking has arrived, with the bytes that are stored`, async (t) => {
  const { sql } = database;
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const starts = startsApart(60);
  const productIds = [await addRoom(sql, 12), await addRoom(sql, 12), await addGig(sql, 60, starts)];
  // Files of feeds are killed elsewhere; here each node would begin to make them, and come to nothing else.
  await sql`delete from feed_venue`;
  let isOver = false;
  let node = startNode();
  t.after(async () => {
    isOver = true;
    (await node).child.kill('SIGKILL');
  });
  const first = await node;
  const token = await tokenFrom(first.address);
  const hook = { callbackUrl: receiver.url };
  const { secretKey = '' } = await post(first, '/webhooks/subscriptions', hook, token);
  const log: Told[] = [];
  const site = { productIds, starts, token, address: async () => (await node).address, isOver: () => isOver };
  const working = Promise.all(Array.from({ length: CLIENTS }, () => keepBooking(site, log)));
  working.catch(() => {});
  let hits = 0;
  for (let kill = 0; kill < KILLS || (hits === 0 && kill < MOST_KILLS); kill += 1) {
    const { child, exit } = await node;
    const before = log.length;
    while (log.length < before + ASKED_BETWEEN_KILLS) await sleep(2);
    await sleep(Math.random() * 40);
    child.kill('SIGKILL');
    await exit;
    hits += await countPostedUnnoted(sql, receiver.received);
    node = startNode();
  }
  isOver = true;
  await working;
  await untilAllAnswered(log);
  await endLeases(sql);
  const deadline = Date.now() + PATIENCE_MS;
  while ((await sql`select from delivery where status = 'pending' limit 1`).length > 0) {
    assert.ok(Date.now() < deadline, 'something was never delivered');
    await sleep(200);
  }
  const last = await node;
  last.child.kill('SIGTERM');
  assert.equal(await last.exit, 0);

  const posts = receiver.received;
  const events = new Set(posts.map(({ headers }) => headers['webhook-id'])).size;
  t.diagnostic(`${events} events arrived, ${posts.length - events} of them a second time`);
  assert.ok(posts.length > events, 'kills hit posts under way');
  assert.deepEqual(await contradictions(sql, log, posts), []);
  for (const each of posts) assertSigned(each, secretKey);
  await assertNoticed(sql, log, posts);
});

/** The same comparison finds what a node that loses or alters events would have left behind. */
async function assertNoticed(sql: Sql, log: readonly Told[], posts: readonly ReceivedPost[]): Promise<void> {
  const [lost, ...rest] = posts.filter(
    (post, _, all) =>
      all.filter(({ headers }) => headers['webhook-id'] === post.headers['webhook-id']).length === 1,
  );
  const [altered] = rest;
  assert.ok(lost && altered);
  const others = posts.filter((post) => post !== lost && post !== altered);
  const found = await contradictions(sql, log, [...others, { ...altered, body: Buffer.from('{}') }]);
  assert.deepEqual(found, [
    `event ${lost.headers['webhook-id']} never arrived`,
    `event ${altered.headers['webhook-id']} arrived altered`,
  ]);
  const unannounced = log.find(({ ids }) => ids.size > 0);
  await sql`delete from event where booking_id = ${[...(unannounced?.ids ?? [])][0] ?? ''}`;
  assert.match((await contradictions(sql, log, [])).join(), /was acknowledged and has no event/);
}
