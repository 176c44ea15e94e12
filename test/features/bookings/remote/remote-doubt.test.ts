import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { bookingJobs } from '../../../../src/features/bookings/running/jobs.ts';
import { Problem } from '../../../../src/kernel/problem.ts';
import { assertProblem } from '../../../support/app.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  amend,
  assertAgreed,
  type Bistro,
  type Bistros,
  cancel,
  countIntents,
  DAY,
  inDoubt,
  operator,
  order,
  ordered,
  read,
  startBistros,
} from '../../../support/remote-tms/bistros.ts';

let bistros: Bistros;
before(async () => {
  bistros = await startBistros({ count: 17, book: { tables: ['1', '2', '3'] } });
});
afterEach(() => bistros.wind(0));
after(() => bistros.close());

const DAY_SECONDS = 86_400;
const service = () => bistros.app.services.bookings;
const isProblem = (code: string) => (error: unknown) => error instanceof Problem && error.code === code;
const eventsOf = async (id: string) =>
  (await bistros.app.services.events.listOfBooking(bistros.app.sql, id)).length;
const moveInDoubt = (
  bistro: Bistro,
  id: string,
  kind: 'cut-before-commit' | 'cut-after-commit' | 'late',
  body = {},
) => inDoubt(bistro, 'amend', { kind }, () => amend(bistros, bistro, id, { time: '20:00', ...body }));
const cancelInDoubt = (bistro: Bistro, id: string) =>
  inDoubt(bistro, 'cancel', { kind: 'cut-after-commit' }, () => cancel(bistros, id));

async function fill(bistro: Bistro, time: string): Promise<void> {
  for (;;) {
    const answer = await order(bistros, bistro, { time });
    if (answer.status === 201) continue;
    assertProblem(answer, 409, 'AVAIL-N-005');
    return;
  }
}

async function tablesOf(id: string): Promise<string[]> {
  const [row] = await bistros.app.sql<{ tables: string[] }[]>`select tables from booking where id = ${id}`;
  return row?.tables ?? [];
}

test('a system that holds what we say is looked at and not written to', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await moveInDoubt(bistro, id, 'cut-before-commit');
  const [calls, events] = [bistro.system.calls('amend'), await eventsOf(id)];
  await bistros.settle();
  assert.equal(bistro.system.calls('amend'), calls);
  assert.equal(await eventsOf(id), events);
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1140 2`]);
});

test('what was never applied is not applied because the system refuses to be written to', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await moveInDoubt(bistro, id, 'cut-before-commit');
  bistro.system.faults.plan({ kind: 'refuse', reason: 'taken' }, { operations: ['amend'] });
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1140 2`]);
});

test('a change that cannot be told from the outside is undone by writing', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await moveInDoubt(bistro, id, 'cut-after-commit', { time: '19:00', partySize: 1, children: 1 });
  const calls = bistro.system.calls('amend');
  await bistros.settle();
  assert.ok(bistro.system.calls('amend') > calls);
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1140 2`]);
});

test('after an undone cancellation the booking carries the number that the system has given it then', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  const before = await read(bistros, id);
  await cancelInDoubt(bistro, id);
  const events = await eventsOf(id);
  await bistros.settle();
  const after = await read(bistros, id);
  assert.equal(after.operatorBookingId, bistro.system.book.bookings.get(id)?.reference);
  assert.notEqual(after.operatorBookingId, before.operatorBookingId);
  assert.equal(after.status, 'confirmed');
  assert.equal(await eventsOf(id), events + 1, 'the partner hears of it once');
});

test('after an undone move the booking has the table that the system has given it then', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  assert.deepEqual(await tablesOf(id), ['1']);
  await moveInDoubt(bistro, id, 'cut-after-commit');
  await ordered(bistros, bistro);
  const events = await eventsOf(id);
  await bistros.settle();
  assert.deepEqual(await tablesOf(id), ['2']);
  assert.equal(await eventsOf(id), events + 1, 'the partner hears of it once');
});

test('a booking that the system holds for neither of two starts is brought back as soon as there is room', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await moveInDoubt(bistro, id, 'late');
  assert.equal((await amend(bistros, bistro, id, { time: '21:00' })).status, 200);
  bistro.system.applyLate();
  const guest = await ordered(bistros, bistro, { time: '21:00' });
  await fill(bistro, '21:00');
  bistros.wind(3600);
  await service().resolveIntents();
  bistros.wind(0);
  const { time, status } = await read(bistros, id);
  assert.deepEqual([time, status, bistro.system.book.bookings.get(id)?.minute], ['21:00', 'confirmed', 1200]);
  await cancel(bistros, guest);
  await bistros.settle();
  assert.ok((await assertAgreed(bistros, bistro)).includes(`${id} ${DAY} 1260 2`));
});

test('what a system has made of an amendment in doubt is brought back while there is room', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await moveInDoubt(bistro, id, 'cut-after-commit');
  bistro.system.book.edit(id, { minute: 1215, guests: 3 });
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1140 2`]);
});

test('the places of requests that were replaced are kept once each, however often they are repeated', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  const replaced = async () => {
    const [row] = await bistros.app.sql<{ count: number }[]>`
      select jsonb_array_length(replaced) as count from booking_intent where booking_id = ${id}`;
    return row?.count;
  };
  const counts: unknown[] = [];
  for (const time of ['20:00', '20:00', '21:00', '20:00', '21:00', '20:00']) {
    await moveInDoubt(bistro, id, 'cut-before-commit', { time });
    counts.push(await replaced());
  }
  assert.deepEqual(counts, [0, 0, 1, 2, 2, 2]);
  await bistros.settle();
});

test('whoever is overtaken by an equal request is not told that nothing was done', async () => {
  const bistro = bistros.next();
  const body = { partnerBookingId: 'overtaken' };
  bistro.system.faults.plan({ kind: 'slow', delayMs: 700 }, { operations: ['book'] });
  const first = order(bistros, bistro, body);
  await eventually(() => bistro.system.calls('book') === 1);
  bistros.wind(21);
  const id = await ordered(bistros, bistro, body);
  assertProblem(await first, 503, 'HTTP-R-503');
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1140 2`]);
});

test('the same holds where the call of the first was cut', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  const move = () => amend(bistros, bistro, id, { time: '20:00' });
  bistro.system.faults.plan({ kind: 'cut-before-commit' }, { operations: ['amend'] });
  bistro.system.faults.plan({ kind: 'status', status: 503, delayMs: 700 }, { operations: ['amend'] });
  const first = move();
  await eventually(() => bistro.system.calls('amend') === 2);
  bistros.wind(21);
  assert.equal((await move()).status, 200);
  assertProblem(await first, 503, 'HTTP-R-503');
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1200 2`]);
});

test('what is left to whoever comes next can be had although the clock has been put back', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await moveInDoubt(bistro, id, 'cut-after-commit');
  bistros.wind(-3600);
  const answer = await amend(bistros, bistro, id, { time: '20:00' });
  assert.equal(answer.status, 200, answer.text);
  assert.equal((await cancel(bistros, id)).status, 204, 'and once more, after it was settled');
  bistros.wind(0);
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), []);
});

test('giving up on a system when the visit begins is logged, with the booking and the system', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await cancelInDoubt(bistro, id);
  await bistro.system.close();
  const lines: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void lines.push(line), error: () => {} };
  const [job] = bookingJobs(service(), { guestDataDays: 1 });
  assert.equal(job?.name, 'bookings.resolve-intents');
  const run = () => job.handle(new AbortController().signal, log);
  bistros.wind(9 * DAY_SECONDS);
  await run();
  assert.deepEqual(lines, []);
  bistros.wind(11 * DAY_SECONDS);
  await run();
  assert.deepEqual(lines, [
    [
      { tms: bistro.slug, bookingId: id },
      'the visit has begun, and it is not known what the system of the venue holds',
    ],
  ]);
  assert.equal(await countIntents(bistros.app), 0);
  bistros.wind(0);
});

test('a visit that has taken place is not booked again', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await cancelInDoubt(bistro, id);
  const calls = bistro.system.calls('book');
  bistros.wind(11 * DAY_SECONDS);
  await service().complete(operator, id);
  await service().resolveIntents();
  assert.equal(await countIntents(bistros.app), 0);
  assert.equal(bistro.system.calls('book'), calls);
  bistros.wind(0);
  assert.equal((await read(bistros, id)).status, 'completed');
});

test('a visit that is said to have taken place while the system refuses to book it again stays so', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await cancelInDoubt(bistro, id);
  await fill(bistro, '19:00');
  const calls = bistro.system.calls('book');
  bistro.system.faults.plan({ kind: 'slow', delayMs: 700 }, { operations: ['book'] });
  bistros.wind(11 * DAY_SECONDS);
  const looking = service().resolveIntents();
  await eventually(() => bistro.system.calls('book') === calls + 1);
  await service().complete(operator, id);
  await looking;
  assert.equal(await countIntents(bistros.app), 0, 'nothing is left to look after');
  bistros.wind(0);
  assert.equal((await read(bistros, id)).status, 'completed');
});

test('a visit that is said to have taken place while it is cancelled is not cancelled', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  bistro.system.faults.plan({ kind: 'slow', delayMs: 700 }, { operations: ['cancel'] });
  const cancelling = cancel(bistros, id);
  await eventually(() => bistro.system.calls('cancel') === 1);
  bistros.wind(11 * DAY_SECONDS);
  await service().complete(operator, id);
  assertProblem(await cancelling, 409, 'BOOK-N-014');
  bistros.wind(0);
  assert.equal((await read(bistros, id)).status, 'completed');
  bistros.wind(11 * DAY_SECONDS);
  await service().resolveIntents();
  assert.equal(await countIntents(bistros.app), 0);
  bistros.wind(0);
});

test('an acceptance repeated after doubt takes on nothing that is for another start', async () => {
  const bistro = bistros.next();
  const { faults } = bistro.system;
  const id = await ordered(bistros, bistro, { type: 'request' });
  const accept = () => service().accept(operator, id);
  faults.plan({ kind: 'cut-after-commit' }, { operations: ['book'] });
  faults.plan({ kind: 'status', status: 503 }, { operations: ['find'], times: 2 });
  await assert.rejects(accept(), isProblem('BOOK-R-002'));
  faults.clear();
  await amend(bistros, bistro, id, { type: 'request', time: '21:00' });
  faults.plan({ kind: 'cut-before-commit' }, { operations: ['amend'] });
  await assert.rejects(accept(), isProblem('BOOK-R-002'));
  assert.equal(bistro.system.book.bookings.get(id)?.minute, 1140, 'the first is still there');
  assert.equal((await accept()).status, 'confirmed');
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1260 2`]);
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1260 2`]);
});

test('a round that is called off ends with the booking that it is at', async () => {
  const bistro = bistros.next();
  const ids = [await ordered(bistros, bistro), await ordered(bistros, bistro)];
  // Enough that goes well for the breaker to stay closed.
  for (let party = 0; party < 3; party += 1) await ordered(bistros, bistro, { time: '21:00' });
  for (const id of ids) await moveInDoubt(bistro, id, 'cut-after-commit');
  const calls = bistro.system.calls('find');
  bistro.system.faults.plan({ kind: 'slow', delayMs: 300 }, { operations: ['find'] });
  const calling = new AbortController();
  const round = service().resolveIntents({ signal: calling.signal });
  await eventually(() => bistro.system.calls('find') === calls + 1);
  calling.abort();
  assert.equal(await round, 1);
  assert.equal(bistro.system.calls('find'), calls + 1);
  await bistros.settle();
  assert.equal((await assertAgreed(bistros, bistro)).filter((line) => line.includes(' 1140 ')).length, 2);
});
