/** Deposits that confirm bookings in somebody else's system. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import {
  assertAgreed,
  type Bistro,
  type Bistros,
  cancel,
  OPERATOR,
  order,
  ordered,
  read,
  startBistros,
} from '../../support/remote-tms/bistros.ts';
import { paid, pay, refundsOf } from './support.ts';

let bistros: Bistros;
before(async () => {
  bistros = await startBistros({ count: 8 });
  const { sql } = bistros.app;
  const rule = { amount: 500, currency: 'GBP', per: 'guest', minPartySize: null, maxPartySize: null };
  const rules = sql.json([{ ...rule, weekdays: null }] as never);
  await sql`update product set payment_rules = ${rules} where id like ${`${OPERATOR}|%`}`;
  await sql`update venue_mapping set deposit = 'before_confirmation' where venue_id like ${`${OPERATOR}|%`}`;
});
afterEach(() => bistros.wind(0));
after(() => bistros.close());

const DEPOSIT = { option: 'deposit', token: 'tok_success' };

async function work(seconds: number): Promise<void> {
  bistros.wind(seconds);
  const { payments, bookings } = bistros.app.services;
  await bookings.resolveIntents();
  await payments.settlePending();
  await payments.finishUnpaid();
  bistros.wind(0);
}

const holdsOf = ({ system }: Bistro) => [...system.book.holds.keys()];

test('the system holds the place until it is paid, and books it then', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  assert.deepEqual(holdsOf(bistro), [id]);
  assert.deepEqual(await assertAgreed(bistros, bistro), []);
  await paid(bistros.app, id, DEPOSIT);
  const { status, paymentDue } = await read(bistros, id);
  assert.deepEqual([status, paymentDue], ['confirmed', null]);
  assert.equal((await assertAgreed(bistros, bistro)).length, 1);
});

test('unpaid or cancelled, it is released there', async () => {
  const bistro = bistros.next();
  const [first, second] = [await ordered(bistros, bistro), await ordered(bistros, bistro)];
  assert.equal((await cancel(bistros, first)).status, 204);
  assert.deepEqual(holdsOf(bistro), [second]);
  await work(11 * 60);
  assert.deepEqual(holdsOf(bistro), []);
  assert.equal((await read(bistros, second)).status, 'cancelled');
});

test('away when it is to be confirmed, it is confirmed later', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  bistro.system.faults.plan({ kind: 'status', status: 503 }, { operations: ['confirm'], times: 2 });
  const { status } = await paid(bistros.app, id, DEPOSIT);
  assert.equal(status, 'succeeded');
  assert.equal((await read(bistros, id)).status, 'pending');
  bistro.system.faults.clear();
  await work(61);
  assert.equal((await read(bistros, id)).status, 'confirmed');
  await bistros.settle();
  assert.equal((await assertAgreed(bistros, bistro)).length, 1);
});

test('a hold that the system has lost is noticed before money is taken', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  bistro.system.book.holds.clear();
  assertProblem(await pay(bistros.app, id, DEPOSIT), 409, 'AVAIL-N-005');
  const { status, payments } = await read(bistros, id);
  assert.deepEqual([status, payments[0].status], ['cancelled', 'failed']);
});

test('lost after the money was taken, the place is booked anew if it is free', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  bistro.system.faults.plan({ kind: 'refuse', reason: 'hold-ended' }, { operations: ['confirm'] });
  await paid(bistros.app, id, DEPOSIT);
  assert.equal((await read(bistros, id)).status, 'confirmed');
  assert.equal((await assertAgreed(bistros, bistro)).length, 1);
});

test('and where it is not, everything goes back', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  bistro.system.faults.plan({ kind: 'refuse', reason: 'hold-ended' }, { operations: ['confirm'] });
  bistro.system.faults.plan({ kind: 'refuse', reason: 'taken' }, { operations: ['book'] });
  await paid(bistros.app, id, DEPOSIT);
  assert.equal((await read(bistros, id)).status, 'cancelled');
  const [refund] = await refundsOf(bistros.app, id);
  assert.deepEqual([refund?.amountPence, refund?.reason], [1000, 'cancelled']);
});

test('a system that cannot hold takes no such bookings', async () => {
  const other = await startBistros({ count: 1, remote: { holds: false } });
  try {
    const { sql } = other.app;
    const rule = { amount: 500, currency: 'GBP', per: 'booking', minPartySize: null, maxPartySize: null };
    const rules = sql.json([{ ...rule, weekdays: null }] as never);
    await sql`update product set payment_rules = ${rules} where id like ${`${OPERATOR}|%`}`;
    await sql`update venue_mapping set deposit = 'before_confirmation' where venue_id like ${`${OPERATOR}|%`}`;
    assertProblem(await order(other, other.next()), 422, 'HOLD-N-005');
  } finally {
    await other.close();
  }
});
