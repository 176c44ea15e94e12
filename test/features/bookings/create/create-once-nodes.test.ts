import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type SecondNode, startSecondNode } from '../../../abuse/support/second-node.ts';
import { startTestApp, type TestApp } from '../../../support/app.ts';
import { eventually } from '../../../support/eventually.ts';
import { DINNER, freeDay, guest, jazzDay, traces, VIP } from '../support.ts';

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

/** The same request many times at once, half of it to each node; all are on their way before the first is done. */
async function storm(productId: string, body: object, key: string, lockName: string) {
  const headers = { authorization: `Bearer ${await first.token('demo-partner')}`, 'idempotency-key': key };
  const url = `/venues/${encodeURIComponent(productId)}/booking`;
  const { sql } = first;
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`;
    const answers = Array.from({ length: COPIES }, (_, index) =>
      (index % 2 === 0 ? first : second).app.inject({ method: 'POST', url, headers, payload: body }),
    );
    await eventually(async () => (await sql`select from idempotency_key where key = ${key}`).length === 1);
    return { answers };
  });
}

test('twenty equal requests at once on two nodes are one booking and one answer', async () => {
  const body = { ...guest, date: freeDay(), time: '19:00' };
  const past = await traces(first.sql);
  const { answers } = await storm(DINNER, body, 'table-storm', `house 1|house|soho-grill ${body.date}`);
  const answered = await Promise.all(answers);
  for (const { statusCode, body: text } of answered) assert.equal(statusCode, 201, text);
  assert.equal(new Set(answered.map(({ body: text }) => text)).size, 1);
  assert.deepEqual(await traces(first.sql), {
    ...past,
    bookings: past.bookings + 1,
    reservations: past.reservations + 1,
    tables: past.tables + 1,
    events: past.events + 1,
  });
});

test('the same for tickets, and for a refusal', async () => {
  const date = jazzDay();
  const lockName = `tickets/occurrence/2|tickets|jazz-night/${date}/1200`;
  const body = { ...guest, date, time: '20:00', partySize: 4 };
  const past = await traces(first.sql);
  for (const [key, status] of [
    ['a', 201],
    ['b', 201],
    ['c', 201],
    ['d', 409],
  ] as const) {
    const { answers } = await storm(VIP, body, key, lockName);
    const answered = await Promise.all(answers);
    for (const { statusCode, body: text } of answered) assert.equal(statusCode, status, text);
    const said = answered.map((answer) => (status === 201 ? answer.json().id : answer.json().code));
    assert.equal(new Set(said).size, 1);
  }
  const now = await traces(first.sql);
  assert.equal(now.bookings, past.bookings + 3);
  assert.equal(Number(now.tickets), Number(past.tickets) + 12);
});

test('without a key each of them is a booking of its own', async () => {
  const date = freeDay();
  const authorization = `Bearer ${await first.token('demo-partner')}`;
  const answers = await Promise.all(
    [first, second].map(({ app }) =>
      app.inject({
        method: 'POST',
        url: `/venues/${encodeURIComponent(DINNER)}/booking`,
        headers: { authorization },
        payload: { ...guest, date, time: '19:00' },
      }),
    ),
  );
  assert.equal(new Set(answers.map((answer) => answer.json().id)).size, 2);
});
