import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem } from '../../../support/app.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  assertAgreed,
  type Bistro,
  type Bistros,
  countIntents,
  DAY,
  order,
  ordered,
  read,
  startBistros,
} from '../../../support/remote-tms/bistros.ts';
import type { Fault } from '../../../support/remote-tms/faults.ts';

let bistros: Bistros;
before(async () => {
  bistros = await startBistros({ count: 22 });
});
after(() => bistros.close());

/** The guest is told that nothing was done, while the system has done it, or may do it yet. */
async function orderInDoubt(bistro: Bistro, overrides: object, fault: Fault, headers = {}) {
  bistro.system.faults.plan(fault, { operations: ['book'] });
  bistro.system.faults.plan({ kind: 'cut-before-commit' }, { operations: ['find'], times: 2 });
  const answer = await order(bistros, bistro, overrides, headers);
  assertProblem(answer, 503, 'BOOK-R-002');
  assert.ok(Number(answer.headers['retry-after']) >= 1);
  bistro.system.faults.clear();
}

const FAULTS: Record<string, Fault> = {
  'cuts the connection after it has booked': { kind: 'cut-after-commit' },
  'answers nonsense after it has booked': { kind: 'garbage' },
};

for (const [name, fault] of Object.entries(FAULTS)) {
  test(`a system that ${name} is asked, and the guest is booked`, async () => {
    const bistro = bistros.next();
    bistro.system.faults.plan(fault, { operations: ['book'] });
    const id = await ordered(bistros, bistro);
    assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1140 2`]);
    assert.equal((await read(bistros, id)).reference, bistro.system.book.bookings.get(id)?.reference);
    assert.equal(await countIntents(bistros.app), 0);
  });

  test(`a system that ${name} and cannot be asked has the booking taken back from it`, async () => {
    const bistro = bistros.next();
    await orderInDoubt(bistro, {}, fault);
    assert.equal(bistro.system.book.bookings.size, 1, 'it was really booked');
    await bistros.settle();
    assert.deepEqual(await assertAgreed(bistros, bistro), []);
  });
}

for (const fault of [{ kind: 'cut-before-commit' }, { kind: 'status', status: 500 }] as const) {
  test(`a system that fails with ${JSON.stringify(fault)} before it has booked makes BOOK-R-002`, async () => {
    const bistro = bistros.next();
    bistro.system.faults.plan(fault, { operations: ['book'] });
    assertProblem(await order(bistros, bistro), 503, 'BOOK-R-002');
    assert.equal(bistro.system.calls('find'), 1, 'it was asked');
    await bistros.settle();
    assert.deepEqual(await assertAgreed(bistros, bistro), []);
  });
}

test('a booking that the system makes long after it was called is taken back', async () => {
  const bistro = bistros.next();
  bistro.system.faults.plan({ kind: 'late' }, { operations: ['book'] });
  assertProblem(await order(bistros, bistro), 503, 'BOOK-R-002');
  const { resolveIntents } = bistros.app.services.bookings;
  assert.equal(await resolveIntents(), 1);
  bistros.wind(31);
  assert.equal(await resolveIntents(), 1);
  bistro.system.applyLate();
  assert.equal(bistro.system.book.bookings.size, 1, 'it was really booked');
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), []);
});

test('the same booking sent again takes on what the first has brought about', async () => {
  const bistro = bistros.next();
  const body = { partnerBookingId: 'again' };
  await orderInDoubt(bistro, body, { kind: 'cut-after-commit' });
  const [made] = bistro.system.book.bookings.keys();
  const id = await ordered(bistros, bistro, body);
  assert.equal(id, made);
  assert.equal(bistro.system.calls('book'), 1);
  assertProblem(await order(bistros, bistro, body), 409, 'BOOK-N-002');
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1140 2`]);
});

test('the same booking sent again after the resolver has taken the first back is made anew', async () => {
  const bistro = bistros.next();
  const body = { partnerBookingId: 'anew' };
  await orderInDoubt(bistro, body, { kind: 'cut-after-commit' });
  await bistros.app.services.bookings.resolveIntents();
  assert.equal(bistro.system.book.bookings.size, 0);
  const id = await ordered(bistros, bistro, body);
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1140 2`]);
});

test('another booking under the same partnerBookingId has the first taken back', async () => {
  const bistro = bistros.next();
  await orderInDoubt(bistro, { partnerBookingId: 'other' }, { kind: 'cut-after-commit' });
  const id = await ordered(bistros, bistro, { partnerBookingId: 'other', time: '20:00' });
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1200 2`]);
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1200 2`]);
});

test('another booking under the same partnerBookingId survives the late arrival of the first', async () => {
  const bistro = bistros.next();
  await orderInDoubt(bistro, { partnerBookingId: 'late' }, { kind: 'late' });
  const id = await ordered(bistros, bistro, { partnerBookingId: 'late', time: '20:00' });
  bistro.system.applyLate();
  assert.equal(bistro.system.book.bookings.size, 2, 'both are there for a while');
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1200 2`]);
});

test('a partnerBookingId in doubt at one venue can be used at another, and the first is taken back', async () => {
  const [first, second] = [bistros.next(), bistros.next()];
  await orderInDoubt(first, { partnerBookingId: 'elsewhere' }, { kind: 'cut-after-commit' });
  const id = await ordered(bistros, second, { partnerBookingId: 'elsewhere' });
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, first), []);
  assert.deepEqual(await assertAgreed(bistros, second), [`${id} ${DAY} 1140 2`]);
});

test('while the first cannot be taken back, another booking under its partnerBookingId is BOOK-R-002', async () => {
  const bistro = bistros.next();
  await orderInDoubt(bistro, { partnerBookingId: 'stuck' }, { kind: 'cut-after-commit' });
  bistro.system.faults.plan({ kind: 'status', status: 503 }, { operations: ['cancel'] });
  const other = { partnerBookingId: 'stuck', time: '20:00' };
  assertProblem(await order(bistros, bistro, other), 503, 'BOOK-R-002');
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), []);
});

test('an Idempotency-Key sent again takes on what the first has brought about', async () => {
  const bistro = bistros.next();
  const headers = { 'idempotency-key': 'cut' };
  await orderInDoubt(bistro, {}, { kind: 'cut-after-commit' }, headers);
  const first = await order(bistros, bistro, {}, headers);
  assert.equal(first.status, 201, first.text);
  assert.equal((await order(bistros, bistro, {}, headers)).text, first.text);
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${first.json.id} ${DAY} 1140 2`]);
});

test('a booking made under doubt and cancelled stays cancelled when the first call arrives late', async () => {
  const bistro = bistros.next();
  await orderInDoubt(bistro, { partnerBookingId: 'ghost' }, { kind: 'late' });
  const id = await ordered(bistros, bistro, { partnerBookingId: 'ghost' });
  const cancelled = await bistros.app.call(`/venues/bookings/${id}`, { method: 'DELETE' });
  assert.equal(cancelled.status, 204, cancelled.text);
  bistro.system.applyLate();
  assert.equal(bistro.system.book.bookings.size, 1, 'it was really booked again');
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), []);
});

test('of twenty equal requests at once one books, whatever the system does', async () => {
  const bistro = bistros.next();
  bistro.system.faults.plan({ kind: 'cut-after-commit' }, { operations: ['book'] });
  const body = { partnerBookingId: 'twenty' };
  const answers = await Promise.all(Array.from({ length: 20 }, () => order(bistros, bistro, body)));
  const made = answers.filter(({ status }) => status === 201);
  assert.equal(made.length, 1);
  for (const answer of answers) if (answer.status !== 201) assertProblem(answer, 409, 'BOOK-N-002');
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${made[0]?.json.id} ${DAY} 1140 2`]);
});

test('a request that comes while the resolver is at work waits for it, and is then carried out', async () => {
  const bistro = bistros.next();
  const body = { partnerBookingId: 'meanwhile' };
  await orderInDoubt(bistro, body, { kind: 'cut-after-commit' });
  bistro.system.faults.plan({ kind: 'slow', delayMs: 300 }, { operations: ['cancel'] });
  const [, id] = await Promise.all([
    bistros.app.services.bookings.resolveIntents(),
    ordered(bistros, bistro, body),
  ]);
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1140 2`]);
});

test('a booking that cannot be written after the system has made it is taken back', async () => {
  const bistro = bistros.next();
  const { sql } = bistros.app;
  await sql.unsafe(`
    create function spoil() returns trigger language plpgsql as $$ begin raise 'spoilt'; end $$;
    create trigger spoil before insert on booking for each row execute function spoil();`);
  const answer = await order(bistros, bistro, { partnerBookingId: 'spoilt' });
  await sql.unsafe('drop trigger spoil on booking');
  assertProblem(answer, 500, 'HTTP-R-500');
  assert.equal(bistro.system.book.bookings.size, 1, 'the system has made it');
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), []);
});

test('a partnerBookingId that is used up while the system is called makes BOOK-N-002, and nothing stays', async () => {
  const bistro = bistros.next();
  bistro.system.faults.plan({ kind: 'slow', delayMs: 300 }, { operations: ['book'] });
  const slow = order(bistros, bistro, { partnerBookingId: 'used' });
  await eventually(() => bistro.system.calls('book') === 1);
  const enquiry = await order(bistros, bistro, { partnerBookingId: 'used', type: 'request' });
  assert.equal(enquiry.status, 201, enquiry.text);
  assertProblem(await slow, 409, 'BOOK-N-002');
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), []);
});

test('a venue that changes while the system is called is booked once all the same', async () => {
  const bistro = bistros.next();
  const { sql } = bistros.app;
  bistro.system.faults.plan({ kind: 'slow', delayMs: 300 }, { operations: ['book'] });
  const slow = ordered(bistros, bistro);
  await eventually(() => bistro.system.calls('book') === 1);
  await sql`update venue set updated_at = now() where id = ${bistro.productId.slice(0, -'|supper'.length)}`;
  const id = await slow;
  assert.equal(bistro.system.calls('book'), 1, 'what the first attempt made was taken on');
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1140 2`]);
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1140 2`]);
});
