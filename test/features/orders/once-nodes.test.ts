import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type SecondNode, startSecondNode } from '../../abuse/support/second-node.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { freeDay } from '../bookings/support.ts';
import { ada, dinner, remains, tickets, wordsOf } from './support.ts';

let first: TestApp;
let second: SecondNode;
before(async () => {
  first = await startTestApp();
  second = await startSecondNode(first);
});
after(async () => {
  await second.close();
  await first.close();
});

const COPIES = 20;

for (const [names, root, headers] of [
  ['a key', {}, { 'idempotency-key': 'nodes' }],
  ['a partnerOrderId', { partnerOrderId: 'nodes' }, {}],
  ['both', { partnerOrderId: 'nodes too' }, { 'idempotency-key': 'nodes too' }],
] as const)
  test(`twenty equal requests with ${names} on two nodes are one order, though all are on their way at once`, async () => {
    const { sql } = first;
    const date = freeDay();
    const payload = {
      ...ada,
      ...root,
      items: [dinner({ date, time: '19:00' }), tickets(), dinner({ quantity: 900 })],
    };
    const authorization = `Bearer ${await first.token('demo-partner')}`;
    const past = await remains(sql);
    const { answers } = await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended(${`house 1|house|soho-grill ${date}`}, 0))`;
      const sent = Array.from({ length: COPIES }, (_, index) =>
        (index % 2 === 0 ? first : second).app.inject({
          method: 'POST',
          url: '/v1/orders',
          headers: { ...headers, authorization },
          payload,
        }),
      );
      await eventually(async () => (await remains(sql)).orders > past.orders);
      return { answers: sent };
    });
    const answered = await Promise.all(answers);
    for (const { statusCode, body } of answered) assert.equal(statusCode, 200, body);
    assert.equal(new Set(answered.map(({ body }) => body)).size, 1);
    assert.deepEqual(wordsOf(JSON.parse(answered[0]?.body ?? '')), [
      'booked',
      'booked',
      'failed AVAIL-N-005',
    ]);
    const now = await remains(sql);
    assert.deepEqual(
      [now.orders - past.orders, now.bookings - past.bookings, now.events - past.events],
      [1, 2, 2],
    );
  });
