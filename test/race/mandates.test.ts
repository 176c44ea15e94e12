/** Many requests of one client at once, on two nodes: none passes what its mandate allows. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { type SecondNode, startSecondNode } from '../abuse/support/second-node.ts';
import { DINNER, freeDay, guest } from '../features/bookings/support.ts';
import { limitTo, ownMandate } from '../features/mandates/support.ts';
import { startTestApp, type TestApp } from '../support/app.ts';

const CALLERS = 64;
const ALLOWED = 5;
const HOLDS = `/venues/${encodeURIComponent(DINNER)}/holds`;
const BOOKINGS = `/venues/${encodeURIComponent(DINNER)}/booking`;

/** Every caller has a day of its own, so that nothing else is in its way. */
let days: string[];
let maitred: TestApp;
let second: SecondNode;
before(async () => {
  days = Array.from({ length: CALLERS }, () => freeDay());
  maitred = await startTestApp();
  second = await startSecondNode(maitred);
});
after(async () => {
  await second.close();
  await maitred.close();
});
afterEach(async () => {
  await maitred.sql`update booking set status = 'cancelled', client_id = 'another'`;
  await maitred.sql`delete from hold`;
});

type Kind = 'book' | 'request' | 'hold' | 'order';

const requestOf = (kind: Kind, date: string) => {
  const stay = { date, time: '19:00' };
  if (kind === 'hold') return { url: HOLDS, payload: { partySize: 2, ...stay } };
  if (kind === 'order') {
    const items = [{ compositeId: DINNER, quantity: 2, type: 'request', ...stay }];
    return { url: '/v1/orders', payload: { firstName: 'Ada', lastName: 'Lovelace', items } };
  }
  return { url: BOOKINGS, payload: { ...guest, type: kind, ...stay } };
};

/** How many of them were made. */
async function storm(nodes: readonly TestApp['app'][], kinds: readonly Kind[]): Promise<number> {
  const authorization = `Bearer ${await maitred.token('demo-partner')}`;
  const answers = await Promise.all(
    Array.from({ length: CALLERS }, async (_, index) => {
      const node = nodes[index % nodes.length] as TestApp['app'];
      const request = requestOf(kinds[index % kinds.length] as Kind, days[index] as string);
      const { statusCode, body } = await node.inject({
        method: 'POST',
        headers: { authorization },
        ...request,
      });
      const made = JSON.parse(body);
      const refusal = made.items?.[0].error ?? made;
      const isMade = statusCode === 201 || made.status === 'complete';
      if (!isMade) assert.equal(refusal.code, 'MANDT-N-001', body);
      return isMade;
    }),
  );
  return answers.filter(Boolean).length;
}

test('bookings, enquiries, holds and orders at once never pass what may be open', async () => {
  await limitTo(maitred, { maxOpenBookings: ALLOWED });
  assert.equal(await storm([maitred.app, second.app], ['book', 'request', 'hold', 'order']), ALLOWED);
  assert.equal((await ownMandate(maitred)).openBookings, ALLOWED);
});

test('bookings and enquiries at once never pass what may be made within a day', async () => {
  await limitTo(maitred, { maxBookingsPerDay: ALLOWED });
  assert.equal(await storm([maitred.app, second.app], ['book', 'request', 'order']), ALLOWED);
  assert.equal((await ownMandate(maitred)).bookingsInLastDay, ALLOWED);
});

test('without the lock the same storm passes the limit', async () => {
  await limitTo(maitred, { maxOpenBookings: ALLOWED });
  // What the next node finds under the name of the lock waits for nobody.
  const { sql } = maitred;
  await sql`create schema unlocked`;
  await sql`create function unlocked.pg_advisory_xact_lock(bigint) returns void language sql
    as 'select pg_sleep(0.02)'`;
  const [{ name }] = await sql<[{ name: string }]>`select current_database() as name`;
  await sql.unsafe(`alter database "${name}" set search_path = unlocked, public, pg_catalog`);
  const unlocked = await startSecondNode(maitred);
  try {
    const made = await storm([unlocked.app], ['request']);
    assert.ok(made > ALLOWED, `${made} were made`);
  } finally {
    await unlocked.close();
  }
});
