import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ProductId } from '../../src/kernel/ids.ts';
import { type SecondNode, startSecondNode } from '../abuse/support/second-node.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { deadlocks, imbalances } from './balance.ts';
import { ATTEMPTS, CLIENTS, storm, tally } from './storm.ts';
import { addGig, addRoom, startsApart } from './venues.ts';

const PLACES = 20;
const [start] = startsApart(1) as [ReturnType<typeof startsApart>[number]];

let maitred: TestApp;
let second: SecondNode;
before(async () => {
  maitred = await startTestApp();
  second = await startSecondNode(maitred);
});
after(async () => {
  await second.close();
  await maitred.close();
});

/** The same requests, answered by the second node. */
const onSecond: TestApp['call'] = async (path, { method = 'GET', body } = {}) => {
  const response = await second.app.inject({
    method,
    url: path,
    headers: { authorization: `Bearer ${await maitred.token('demo-partner')}` },
    ...(body !== undefined && { payload: body as object }),
  });
  const { statusCode: status, headers, body: text } = response;
  return { status, headers, text, json: JSON.parse(text) };
};

async function assertSoldOut(calls: TestApp['call'][], productId: ProductId): Promise<void> {
  const { sql } = maitred;
  const before = await deadlocks(sql);
  const answers = await storm(calls, productId, start);
  assert.deepEqual(tally(answers), { 201: PLACES, '409 AVAIL-N-005': CLIENTS * ATTEMPTS - PLACES });
  assert.equal(await deadlocks(sql), before);
  const [stored] = await sql<[{ bookings: number }]>`
    select count(*) as bookings from booking where product_id = ${productId} and status = 'confirmed'`;
  assert.equal(stored.bookings, PLACES);
  assert.deepEqual(await imbalances(sql), []);
}

test(`sixty-four clients who ask ${ATTEMPTS} times each for twenty tables get twenty`, async () => {
  await assertSoldOut([maitred.call], await addRoom(maitred.sql, PLACES));
});

test('two nodes on one database sell twenty tables once each between them', async () => {
  await assertSoldOut([maitred.call, onSecond], await addRoom(maitred.sql, PLACES));
});

test(`sixty-four clients who ask ${ATTEMPTS} times each for twenty tickets get twenty`, async () => {
  await assertSoldOut([maitred.call], await addGig(maitred.sql, PLACES, [start]));
});

test('two nodes on one database sell twenty tickets once each between them', async () => {
  await assertSoldOut([maitred.call, onSecond], await addGig(maitred.sql, PLACES, [start]));
});

test('a deadlock is counted where these tests look for one', async () => {
  const { sql } = maitred;
  const before = await deadlocks(sql);
  const lockBoth = (first: number, other: number) =>
    sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${first})`;
      await tx`select pg_sleep(0.2)`;
      await tx`select pg_advisory_xact_lock(${other})`;
    });
  await assert.rejects(Promise.all([lockBoth(1, 2), lockBoth(2, 1)]), { code: '40P01' });
  assert.equal(await deadlocks(sql), before + 1);
});
