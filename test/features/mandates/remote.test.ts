/** Mandates where the tables are in somebody else's system, which carries out what it is asked at once. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import {
  amend,
  type Bistro,
  type Bistros,
  bothSides,
  order,
  ordered,
  startBistros,
} from '../../support/remote-tms/bistros.ts';
import type { Body } from '../bookings/support.ts';
import { limitTo, ownMandate, tokenOf, unlimited } from './support.ts';

let bistros: Bistros;
before(async () => {
  bistros = await startBistros({ count: 3, book: { tables: ['1', '2', '3'] } });
});
after(() => bistros.close());
afterEach(async () => {
  await bistros.settle();
  await unlimited(bistros.app);
  // What one test has made must not count in the next.
  await bistros.app.sql`update booking set client_id = 'another'`;
});

/** The system books, and nobody learns of it. */
async function orderUnheard(bistro: Bistro, body: Body, headers: Record<string, string>): Promise<void> {
  const { faults } = bistro.system;
  faults.plan({ kind: 'cut-after-commit' }, { operations: ['book'] });
  faults.plan({ kind: 'cut-before-commit' }, { operations: ['find'], times: 2 });
  assertProblem(await order(bistros, bistro, body, headers), 503, 'BOOK-R-002');
  assert.equal(bistro.held().length, 1);
  faults.clear();
}

test('a token that was used changes nothing in the system', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro, { partySize: 1 });
  await limitTo(bistros.app, { confirmAbove: { partySize: 1 } });
  const large = { time: '20:00', partySize: 2 };
  const confirmationToken = tokenOf(await amend(bistros, bistro, id, large));
  assert.equal((await amend(bistros, bistro, id, { ...large, confirmationToken })).status, 200);
  assert.equal((await amend(bistros, bistro, id, { time: '19:00', partySize: 1 })).status, 200);
  const standing = await bothSides(bistros, bistro);
  const calls = bistro.system.calls('amend');
  tokenOf(await amend(bistros, bistro, id, { ...large, confirmationToken }));
  assert.equal(bistro.system.calls('amend'), calls);
  assert.deepEqual(await bothSides(bistros, bistro), standing);
});

test('the repeat of a booking in doubt does not count besides it', async () => {
  const bistro = bistros.next();
  await limitTo(bistros.app, { maxOpenBookings: 1 });
  const headers = { 'idempotency-key': 'the-last-one' };
  await orderUnheard(bistro, {}, headers);
  const repeated = await order(bistros, bistro, {}, headers);
  assert.equal(repeated.status, 201, repeated.text);
  assert.equal(bistro.held().length, 1);
  assert.equal((await ownMandate(bistros.app)).openBookings, 1);
});

test('the repeat of a booking in doubt brings the same confirmation', async () => {
  const bistro = bistros.next();
  await limitTo(bistros.app, { confirmAbove: { partySize: 1 } });
  const headers = { 'idempotency-key': 'confirmed-once' };
  const confirmationToken = tokenOf(await order(bistros, bistro, {}, headers));
  await orderUnheard(bistro, { confirmationToken }, headers);
  const repeated = await order(bistros, bistro, { confirmationToken }, headers);
  assert.equal(repeated.status, 201, repeated.text);
  assert.equal(bistro.held().length, 1);
});
