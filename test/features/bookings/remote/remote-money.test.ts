import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { assertProblem } from '../../../support/app.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  amend,
  type Bistro,
  type Bistros,
  cancel,
  inDoubt,
  OPERATOR,
  order,
  ordered,
  read,
  startBistros,
} from '../../../support/remote-tms/bistros.ts';
import type { Fault } from '../../../support/remote-tms/faults.ts';
import { storageOf } from '../../../support/rule-storage.ts';
import { paid, refundsOf } from '../../payments/support.ts';
import { callNow } from '../amend/amending.ts';

const PRICE = 2000;
/** Less than two days before a visit in ten, at whatever time of the day this runs: the terms give a tenth back. */
const LATE_SECONDS = 9 * 86_400;
const APPLIED: Fault = { kind: 'cut-after-commit' };
const NOT_APPLIED: Fault = { kind: 'cut-before-commit' };

let bistros: Bistros;
before(async () => {
  bistros = await startBistros({ count: 8, book: { pricePence: PRICE } });
  const terms = [
    { hoursBefore: 48, percent: 100 },
    { hoursBefore: 0, percent: 10 },
  ];
  const { sql } = bistros.app;
  await sql`update product set refund_terms = ${sql.json(terms)} where id like '9|%'`;
});
afterEach(() => bistros.wind(0));
after(() => bistros.close());

/** Four guests who have paid 8000. */
async function paidSupper(bistro: Bistro): Promise<string> {
  const id = await ordered(bistros, bistro, { partySize: 4 });
  await paid(bistros.app, id);
  return id;
}

async function fill(bistro: Bistro): Promise<void> {
  for (;;) {
    const answer = await order(bistros, bistro);
    if (answer.status === 201) continue;
    assertProblem(answer, 409, 'AVAIL-N-005');
    return;
  }
}

async function resolveAt(seconds: number): Promise<void> {
  bistros.wind(seconds);
  await bistros.app.services.bookings.resolveIntents();
  bistros.wind(0);
}

async function owedTo(id: string) {
  const refunds = await refundsOf(bistros.app, id);
  return refunds.map(({ reason, amountPence }) => ({ reason, amountPence }));
}

test('a guest whose table the system has dropped in a move gets everything back, however late it is', async () => {
  const bistro = bistros.next();
  const id = await paidSupper(bistro);
  await inDoubt(bistro, 'amend', NOT_APPLIED, () =>
    amend(bistros, bistro, id, { time: '20:00', partySize: 4 }),
  );
  bistro.system.book.bookings.delete(id);
  await fill(bistro);
  await resolveAt(LATE_SECONDS);
  assert.equal((await read(bistros, id)).status, 'cancelled');
  assert.deepEqual(await owedTo(id), [{ reason: 'cancelled', amountPence: 4 * PRICE }]);
});

test('a cancellation that turns out to be done gives back what it would have when it was asked for', async () => {
  const bistro = bistros.next();
  const id = await paidSupper(bistro);
  await inDoubt(bistro, 'cancel', APPLIED, () => cancel(bistros, id));
  await fill(bistro);
  await resolveAt(LATE_SECONDS);
  assert.equal((await read(bistros, id)).status, 'cancelled');
  assert.deepEqual(await owedTo(id), [{ reason: 'cancelled', amountPence: 4 * PRICE }]);
});

test('a late cancellation after an early move in doubt counts from the cancellation', async () => {
  const bistro = bistros.next();
  const id = await paidSupper(bistro);
  // Enough that goes well for the breaker to stay closed.
  for (let party = 0; party < 3; party += 1) await ordered(bistros, bistro, { time: '21:00' });
  await inDoubt(bistro, 'amend', NOT_APPLIED, () =>
    amend(bistros, bistro, id, { time: '20:00', partySize: 4 }),
  );
  bistros.wind(LATE_SECONDS);
  await inDoubt(bistro, 'cancel', APPLIED, () =>
    callNow(bistros.app, `/venues/bookings/${id}`, { method: 'DELETE' }),
  );
  bistros.wind(0);
  await fill(bistro);
  await resolveAt(LATE_SECONDS + 60);
  assert.equal((await read(bistros, id)).status, 'cancelled');
  assert.deepEqual(await owedTo(id), [{ reason: 'cancelled', amountPence: 0.1 * 4 * PRICE }]);
});

test('a cancellation that the system takes its time over counts from when it was asked for', async () => {
  const bistro = bistros.next();
  const id = await paidSupper(bistro);
  bistro.system.faults.plan({ kind: 'slow', delayMs: 500 }, { operations: ['cancel'] });
  const cancelling = cancel(bistros, id);
  await eventually(() => bistro.system.calls('cancel') === 1);
  bistros.wind(LATE_SECONDS);
  assert.equal((await cancelling).status, 204);
  bistros.wind(0);
  assert.deepEqual(await owedTo(id), [{ reason: 'cancelled', amountPence: 4 * PRICE }]);
});

test('tickets that turn out to be given back are paid back at the price that was paid', async () => {
  const bistro = bistros.next();
  const id = await paidSupper(bistro);
  await inDoubt(bistro, 'amend', APPLIED, () => amend(bistros, bistro, id, { partySize: 1 }));
  bistro.system.book.setPrice(3000);
  bistro.system.faults.plan({ kind: 'refuse', reason: 'taken' }, { operations: ['amend'] });
  await resolveAt(60);
  const [row] = await bistros.app.sql`select price_per_guest_pence as price from booking where id = ${id}`;
  assert.equal(row?.price, PRICE);
  assert.equal((await read(bistros, id)).partySize, 1);
  assert.deepEqual(await owedTo(id), [{ reason: 'fewer_tickets', amountPence: 3 * PRICE }]);
});

test('an undone cancellation costs what it cost before', async () => {
  const bistro = bistros.next();
  const id = await paidSupper(bistro);
  await inDoubt(bistro, 'cancel', APPLIED, () => cancel(bistros, id));
  bistro.system.book.setPrice(3000);
  await resolveAt(60);
  const [row] = await bistros.app
    .sql`select price_per_guest_pence as price, status from booking where id = ${id}`;
  assert.deepEqual({ ...row }, { price: PRICE, status: 'confirmed' });
  assert.deepEqual(await owedTo(id), []);
});

test('a booking that moves to another start by itself costs what it costs there', async () => {
  const bistro = bistros.next();
  const id = await paidSupper(bistro);
  bistro.system.book.setPrice(1500);
  await inDoubt(bistro, 'amend', APPLIED, () => amend(bistros, bistro, id, { time: '20:00', partySize: 2 }));
  await fill(bistro);
  await resolveAt(60);
  assert.equal((await read(bistros, id)).time, '20:00');
  assert.deepEqual(await owedTo(id), [{ reason: 'fewer_tickets', amountPence: 4 * PRICE - 2 * 1500 }]);
});

test('tickets that turn out to be given back are paid back by the rule that says what they cost', async () => {
  const bistro = bistros.next();
  const storage = storageOf(bistros.app);
  const value = { '*': [{ var: 'booking.guests' }, 3000] };
  const then = [{ set: { fact: 'payment.finalBalance', value } }];
  const rule = { name: 'Balance', effect: 'expression', hook: 'payment', when: true, then };
  const { id: ruleId } = await storage.create(OPERATOR, rule);
  const id = await paidSupper(bistro);
  await inDoubt(bistro, 'amend', APPLIED, () => amend(bistros, bistro, id, { partySize: 1 }));
  bistro.system.faults.plan({ kind: 'refuse', reason: 'taken' }, { operations: ['amend'] });
  await resolveAt(60);
  await storage.retire(OPERATOR, ruleId);
  assert.equal((await read(bistros, id)).partySize, 1);
  assert.deepEqual(await owedTo(id), [{ reason: 'fewer_tickets', amountPence: 3 * 3000 }]);
});
