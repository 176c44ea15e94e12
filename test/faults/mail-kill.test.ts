import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../src/db/database.ts';
import { addRoom, startsApart } from '../race/venues.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import { patience } from '../support/patience.ts';
import { type ReceivedMessage, startMailServer } from '../support/peers/mail-server.ts';
import { repeats } from '../support/repeats.ts';
import { keepBooking, startMortalNode, type Told, tokenFrom, untilAllAnswered } from './booking-clients.ts';

const KILLS = repeats(30, 2);
/** A few kills can miss what they are to hit; then others follow. */
const MOST_KILLS = 30;
const CLIENTS = 4;
const ASKED_BETWEEN_KILLS = 10;
const PATIENCE_MS = patience(60_000);

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase({ hasDemo: true });
});
after(() => database.drop());

interface Arrived {
  messageId: string;
  bookingId: string;
  sequence: number;
}

function arrivedIn({ headers, parts }: ReceivedMessage): Arrived {
  const calendar = parts.find(({ type }) => type.startsWith('text/calendar'))?.content ?? '';
  return {
    messageId: headers.get('message-id') ?? '',
    bookingId: /^UID:(.*)@maitred\r$/m.exec(calendar)?.[1] ?? '',
    sequence: Number(/^SEQUENCE:(\d+)\r$/m.exec(calendar)?.[1]),
  };
}

/** Every change has one mail, numbered from nought, whatever was sent twice; sentences about what does not fit. */
async function contradictions(sql: Sql, log: readonly Told[], mails: readonly Arrived[]): Promise<string[]> {
  const events = await sql<{ bookingId: string; count: number }[]>`
    select booking_id as "bookingId", count(*)::int as count from event group by booking_id`;
  const changes = new Map(events.map(({ bookingId, count }) => [bookingId, count]));
  const byId = new Map(mails.map((mail) => [mail.messageId, mail]));
  const byBooking = Map.groupBy(byId.values(), ({ bookingId }) => bookingId);
  const expected = (count: number) => [...Array(count).keys()].join();
  return [
    ...[...changes].flatMap(([bookingId, count]) => {
      const sequences = (byBooking.get(bookingId) ?? [])
        .map(({ sequence }) => sequence)
        .sort((a, b) => a - b);
      return sequences.join() === expected(count)
        ? []
        : [`booking ${bookingId} changed ${count} times and has mails ${sequences.join()}`];
    }),
    ...[...byBooking.keys()]
      .filter((bookingId) => !changes.has(bookingId))
      .map((bookingId) => `a mail is about ${bookingId}, which is no booking`),
    ...log
      .flatMap(({ ids }) => [...ids])
      .filter((id) => !byBooking.has(id))
      .map((id) => `booking ${id} was acknowledged and has no mail`),
  ];
}

test(`after ${KILLS} kills or more every change of every booking has reached its guest in one mail`, async (t) => {
  const { sql } = database;
  const server = await startMailServer();
  t.after(() => server.close());
  const starts = startsApart(60);
  const productIds = [await addRoom(sql, 12), await addRoom(sql, 12)];
  await sql`update venue_mapping set guest_mails = 'venue'`;
  await sql`delete from feed_venue`;
  await sql`delete from account_notification`;
  const env = { SMTP_URL: server.url, MAIL_FROM: 'no-reply@maitred.example' };
  const startNode = () => startMortalNode(database.url, env);
  let isOver = false;
  let node = startNode();
  t.after(async () => {
    isOver = true;
    (await node).child.kill('SIGKILL');
  });
  const token = await tokenFrom((await node).address);
  const log: Told[] = [];
  const site = {
    productIds,
    starts,
    token,
    email: 'ada@example.com',
    address: async () => (await node).address,
    isOver: () => isOver,
  };
  const working = Promise.all(Array.from({ length: CLIENTS }, () => keepBooking(site, log)));
  working.catch(() => {});
  let hits = 0;
  for (let kill = 0; kill < KILLS || (hits === 0 && kill < MOST_KILLS); kill += 1) {
    const { child, exit } = await node;
    const asked = log.length;
    while (log.length < asked + ASKED_BETWEEN_KILLS) await sleep(2);
    await sleep(Math.random() * 40);
    child.kill('SIGKILL');
    await exit;
    // Claimed by the one that died: on their way, or sent and not deleted.
    hits += (await sql`select from mail where attempts > 0`).length;
    node = startNode();
  }
  isOver = true;
  await working;
  await untilAllAnswered(log);
  const deadline = Date.now() + PATIENCE_MS;
  while ((await sql`select from mail limit 1`).length > 0) {
    assert.ok(Date.now() < deadline, 'something was never sent');
    // As if the leases of those that were killed had ended; the notification wakes the node.
    await sql`update mail set attempt_at = now() where attempts > 0`;
    await sql`select pg_notify('changed', 'mail')`;
    await sleep(200);
  }
  const last = await node;
  last.child.kill('SIGTERM');
  assert.equal(await last.exit, 0);

  const mails = server.received.map(arrivedIn);
  const distinct = new Set(mails.map(({ messageId }) => messageId)).size;
  t.diagnostic(`${distinct} mails arrived, ${mails.length - distinct} of them a second time`);
  assert.ok(hits > 0, 'kills hit mails under way');
  assert.deepEqual(await contradictions(sql, log, mails), []);
  // The same comparison finds what a node that loses mails would have left behind.
  const lost = mails.filter(({ bookingId }) => bookingId !== mails[0]?.bookingId);
  assert.notDeepEqual(await contradictions(sql, log, lost), []);
});
