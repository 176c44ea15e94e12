import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { refusalOf } from '../../../src/http/problems/framework-errors.ts';
import { problem } from '../../../src/kernel/problem.ts';
import { type SecondNode, startSecondNode } from '../../abuse/support/second-node.ts';
import { addRoom, startsApart } from '../../race/venues.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type ForgetfulProxy, startForgetfulProxy } from '../../support/databases/forgetful-proxy.ts';

let maitred: TestApp;
let proxy: ForgetfulProxy;
let node: SecondNode;
before(async () => {
  maitred = await startTestApp();
  proxy = await startForgetfulProxy(maitred.url);
  node = await startSecondNode({ ...maitred, url: proxy.url });
});
after(async () => {
  await node.close();
  await proxy.close();
  await maitred.close();
});

const guest = { type: 'book', partySize: 2, firstName: 'Ada', lastName: 'Lovelace' };

async function book(productId: string, draft: object, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${await maitred.token('demo-partner')}`;
  return node.app.inject({
    method: 'POST',
    url: `/venues/${encodeURIComponent(productId)}/booking`,
    headers: { authorization, ...headers },
    payload: { ...guest, ...draft },
  });
}

/** A node that has just started on a busy machine turns calls away before they reach the database. */
async function bookUntil(isDone: (status: number) => boolean, ...wanted: Parameters<typeof book>) {
  for (;;) {
    const answer = await book(...wanted);
    if (isDone(answer.statusCode)) return answer;
  }
}

test('a booking whose commit nobody heard of is not said to be undone, and is had again under its key', async () => {
  const productId = await addRoom(maitred.sql, 3);
  const [start = {}] = startsApart(1);
  const key = { 'idempotency-key': 'lost-commit' };
  proxy.forgetCommitsOf('insert into booking');
  const lost = await bookUntil(() => proxy.forgotten() > 0, productId, start, key);
  assert.equal(lost.statusCode, 503, lost.body);
  assert.equal(lost.json().code, 'HTTP-R-503');
  assert.equal(lost.json().isOutcomeKnown, false, 'it is there, whatever the node believes');
  const rows = await maitred.sql<{ id: string }[]>`select id from booking where product_id = ${productId}`;
  assert.equal(rows.length, 1);

  const again = await bookUntil((status) => status !== 503, productId, start, key);
  assert.equal(again.statusCode, 201, again.body);
  assert.equal(again.json().id, rows[0]?.id);
});

test('of several that were written together, and whose commit nobody heard of, none is made twice', async () => {
  const productId = await addRoom(maitred.sql, 20);
  const [start = {}, other = {}] = startsApart(2);
  proxy.forgetCommitsOf('lost together');
  // Until the node has read the venue.
  for (let count = 0; count < 2; count += 1) await bookUntil((status) => status === 201, productId, other);
  const requested = Array.from({ length: 8 }, (_, n) =>
    n % 2 ? start : { ...start, partnerBookingId: `lost together ${n}` },
  );
  const answers = await Promise.all(requested.map((draft) => book(productId, draft)));
  const lost = answers.filter(({ statusCode }) => statusCode !== 201);
  for (const answer of lost) {
    assert.equal(answer.statusCode, 503, answer.body);
    assert.equal(answer.json().isOutcomeKnown, false);
  }
  const [written] = await maitred.sql`
    select count(*) as bookings, count(distinct xmin::text) as transactions, count(partner_booking_id) as named
    from booking where product_id = ${productId} and starts_at = (
      select min(starts_at) from booking where product_id = ${productId})`;
  assert.equal(written?.bookings, requested.length);
  assert.ok(lost.length > written?.transactions, JSON.stringify({ ...written, lost: lost.length }));
});

test('a change that the database went away from is in doubt; a read and a refusal of our own are not', () => {
  const away = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
  const told = (method: string, error: Error) =>
    refusalOf(error, { method, raw: { complete: true } } as FastifyRequest).options.extensions
      ?.isOutcomeKnown;
  // What was committed a moment before stays, whatever a look at it afterwards meets.
  assert.equal(told('POST', away), false);
  assert.equal(told('GET', away), undefined);
  assert.equal(told('POST', problem('HTTP-R-503')), undefined);
});

test('what the database has undone because of others can be asked again, and nothing is in doubt', () => {
  for (const code of ['55P03', '40P01', '23503']) {
    const undone = Object.assign(new Error('no'), { code });
    const refusal = refusalOf(undone, { method: 'POST', raw: { complete: true } } as FastifyRequest);
    assert.equal(refusal.code, 'HTTP-R-503');
    assert.equal(refusal.options.extensions?.isOutcomeKnown, undefined);
  }
});
