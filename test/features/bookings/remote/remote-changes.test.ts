import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { operationsOf } from '../../../../proof/abuse/document.ts';
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
  ordered,
  read,
  startBistros,
} from '../../../support/remote-tms/bistros.ts';
import type { Fault } from '../../../support/remote-tms/faults.ts';

let bistros: Bistros;
before(async () => {
  bistros = await startBistros({ count: 28 });
});
after(() => bistros.close());

const accept = (id: string) => bistros.app.services.bookings.accept(operator, id);
const isProblem = (code: string) => (error: unknown) => error instanceof Problem && error.code === code;
const REST: Fault = { kind: 'status', status: 503 };

async function acceptInDoubt(bistro: Bistro, id: string): Promise<void> {
  bistro.system.faults.plan({ kind: 'cut-after-commit' }, { operations: ['book'] });
  bistro.system.faults.plan(REST, { operations: ['find'], times: 2 });
  await assert.rejects(accept(id), isProblem('BOOK-R-002'));
  bistro.system.faults.clear();
  assert.equal(bistro.system.book.bookings.size, 1, 'it was really booked');
}

for (const kind of ['cut-before-commit', 'cut-after-commit', 'garbage'] as const) {
  test(`an amendment that meets ${kind} once is carried out`, async () => {
    const bistro = bistros.next();
    const id = await ordered(bistros, bistro);
    bistro.system.faults.plan({ kind }, { operations: ['amend'] });
    const answer = await amend(bistros, bistro, id, { time: '20:00' });
    assert.equal(answer.status, 200, answer.text);
    await bistros.settle();
    assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1200 2`]);
  });

  test(`a cancellation that meets ${kind} once is carried out`, async () => {
    const bistro = bistros.next();
    const id = await ordered(bistros, bistro);
    bistro.system.faults.plan({ kind }, { operations: ['cancel'] });
    assert.equal((await cancel(bistros, id)).status, 204);
    await bistros.settle();
    assert.deepEqual(await assertAgreed(bistros, bistro), []);
  });
}

test('an amendment that changes nothing asks nothing of the system', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  const before = await read(bistros, id);
  bistro.system.faults.plan(REST, { times: 100 });
  const { app } = bistros;
  const patched = await app.call(`/venues/bookings/${id}`, { method: 'PATCH', body: [] });
  assert.equal(patched.status, 200, patched.text);
  assert.deepEqual(await read(bistros, id), before);
  assert.deepEqual([bistro.system.calls('amend'), await countIntents(app)], [0, 0]);
  bistro.system.faults.clear();
});

test('a cancellation that the system refuses is BOOK-N-009, as the document says, and the booking stands', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  const before = await read(bistros, id);
  bistro.system.faults.plan({ kind: 'refuse', reason: 'rejected' }, { operations: ['cancel'] });
  assertProblem(await cancel(bistros, id), 422, 'BOOK-N-009');
  assert.deepEqual(await read(bistros, id), before);
  assert.equal(await countIntents(bistros.app), 0);
  const operations = operationsOf((await bistros.app.call('/openapi.json', { as: null })).json);
  const cancelling = operations.find(({ name }) => name === 'DELETE /venues/bookings/{bookingId}');
  assert.ok(cancelling?.codesByStatus.get(422)?.has('BOOK-N-009'));
});

test('an amendment of unknown outcome is undone in the system', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  const before = await read(bistros, id);
  await inDoubt(bistro, 'amend', { kind: 'cut-after-commit' }, () =>
    amend(bistros, bistro, id, { time: '20:00', partySize: 5 }),
  );
  assert.equal(bistro.system.book.bookings.get(id)?.minute, 1200, 'it has really moved');
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1140 2`]);
  assert.deepEqual(await read(bistros, id), before);
});

test('an amendment that cannot be undone is followed, and the partner hears of it', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await inDoubt(bistro, 'amend', { kind: 'cut-after-commit' }, () =>
    amend(bistros, bistro, id, { time: '20:00', partySize: 5 }),
  );
  for (let party = 0; party < 3; party += 1) await ordered(bistros, bistro);
  const { events } = bistros.app.services;
  const before = (await events.listOfBooking(bistros.app.sql, id)).length;
  await bistros.settle();
  const lines = await assertAgreed(bistros, bistro);
  assert.ok(lines.includes(`${id} ${DAY} 1200 5`), lines.join());
  assert.equal((await events.listOfBooking(bistros.app.sql, id)).length, before + 1);
});

test('a cancellation of unknown outcome is undone in the system', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await inDoubt(bistro, 'cancel', { kind: 'cut-after-commit' }, () => cancel(bistros, id));
  assert.equal(bistro.system.book.bookings.size, 0, 'it is really gone');
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1140 2`]);
});

test('a cancellation that cannot be undone is followed, and stays so', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await inDoubt(bistro, 'cancel', { kind: 'cut-after-commit' }, () => cancel(bistros, id));
  for (let party = 0; party < 3; party += 1) await ordered(bistros, bistro);
  await bistros.settle();
  assert.equal((await assertAgreed(bistros, bistro)).length, 3);
  assert.equal((await read(bistros, id)).status, 'cancelled');
});

test('a cancellation repeated after doubt is carried out', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await inDoubt(bistro, 'cancel', { kind: 'cut-after-commit' }, () => cancel(bistros, id));
  assert.equal((await cancel(bistros, id)).status, 204);
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), []);
});

test('an amendment after another in doubt wins, even when the first arrives later', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await inDoubt(bistro, 'amend', { kind: 'late' }, () => amend(bistros, bistro, id, { time: '20:00' }));
  const answer = await amend(bistros, bistro, id, { time: '21:00' });
  assert.equal(answer.status, 200, answer.text);
  bistro.system.applyLate();
  assert.equal(bistro.system.book.bookings.get(id)?.minute, 1200, 'the first has come late');
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1260 2`]);
});

test('an amendment after a cancellation in doubt keeps the booking, even when that arrives later', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await inDoubt(bistro, 'cancel', { kind: 'late' }, () => cancel(bistros, id));
  const answer = await amend(bistros, bistro, id, { time: '21:00' });
  assert.equal(answer.status, 200, answer.text);
  bistro.system.applyLate();
  assert.equal(bistro.system.book.bookings.size, 0, 'the cancellation has come late');
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1260 2`]);
});

test('an acceptance of unknown outcome is undone in the system, and the enquiry stays open', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro, { type: 'request' });
  await acceptInDoubt(bistro, id);
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), []);
  assert.equal((await read(bistros, id)).status, 'pending');
});

test('an acceptance repeated after doubt takes on what the first has brought about', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro, { type: 'request' });
  await acceptInDoubt(bistro, id);
  assert.equal((await accept(id)).status, 'confirmed');
  assert.equal(bistro.system.calls('book'), 1);
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1140 2`]);
});

test('an enquiry amended after an acceptance in doubt is accepted for what it is now', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro, { type: 'request' });
  await acceptInDoubt(bistro, id);
  const answer = await amend(bistros, bistro, id, { type: 'request', time: '21:00' });
  assert.equal(answer.status, 200, answer.text);
  assert.equal((await accept(id)).status, 'confirmed');
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1260 2`]);
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1260 2`]);
});

test('of ten acceptances at once one confirms, and the table stays taken', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro, { type: 'request' });
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => accept(id)));
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') assert.ok(isProblem('BOOK-N-014')(outcome.reason), outcome.reason);
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1140 2`]);
});

test('an enquiry rejected while the system is called for it stays rejected, and nothing stays there', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro, { type: 'request' });
  bistro.system.faults.plan({ kind: 'slow', delayMs: 300 }, { operations: ['book'] });
  const accepting = assert.rejects(accept(id), isProblem('BOOK-N-014'));
  await eventually(() => bistro.system.calls('book') === 1);
  await bistros.app.services.bookings.reject(operator, id);
  await accepting;
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), []);
  assert.equal((await read(bistros, id)).status, 'rejected');
});

test('patches of different fields at once all survive', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  const changes = { time: '20:00', partySize: 4, children: 2, comments: 'A candle.', lastName: 'Byron' };
  const answers = await Promise.all(
    Object.entries(changes).map(([field, value]) =>
      bistros.app.call(`/venues/bookings/${id}`, {
        method: 'PATCH',
        body: [{ op: 'replace', path: `/${field}`, value }],
      }),
    ),
  );
  for (const answer of answers) assert.equal(answer.status, 200, answer.text);
  const { time, partySize, children, notes, lastName } = await read(bistros, id);
  assert.deepEqual({ time, partySize, children, comments: notes, lastName }, changes);
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), [`${id} ${DAY} 1200 6`]);
});

test('cancelled twice at once, both are answered alike, and doubt about one does not bring it back', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  bistro.system.faults.plan({ kind: 'slow', delayMs: 200 }, { operations: ['cancel'] });
  bistro.system.faults.plan({ kind: 'cut-after-commit' }, { operations: ['cancel'], times: 2 });
  const answers = await Promise.all([cancel(bistros, id), cancel(bistros, id)]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [204, 204],
  );
  await bistros.settle();
  assert.deepEqual(await assertAgreed(bistros, bistro), []);
});

test('a system that is gone is asked until the visit begins, and no longer', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await inDoubt(bistro, 'cancel', { kind: 'cut-after-commit' }, () => cancel(bistros, id));
  await bistro.system.close();
  const { resolveIntents } = bistros.app.services.bookings;
  bistros.wind(9 * 86_400);
  assert.equal(await resolveIntents(), 1);
  assert.equal(await countIntents(bistros.app), 1);
  bistros.wind(11 * 86_400);
  assert.equal(await resolveIntents(), 1);
  assert.equal(await countIntents(bistros.app), 0);
  bistros.wind(0);
});

test('a partnerBookingId that another transaction has just used makes BOOK-N-002', async () => {
  const bistro = bistros.next();
  const { sql } = bistros.app;
  const [id, other] = [await ordered(bistros, bistro), await ordered(bistros, bistro)];
  const using = Promise.withResolvers<void>();
  const rival = sql.begin(async (tx) => {
    await tx`update booking set partner_booking_id = 'contested' where id = ${other}`;
    await using.promise;
  });
  const renamed = amend(bistros, bistro, id, { partnerBookingId: 'contested' });
  await eventually(async () => {
    const waiting = await sql`
      select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    return waiting.length > 0;
  });
  using.resolve();
  await rival;
  assert.equal(assertProblem(await renamed, 409, 'BOOK-N-002').bookingId, other);
});

test('another row that is not unique is no matter of the partnerBookingId', async (t) => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  const { sql } = bistros.app;
  await sql.unsafe(`
    create function spoil_event() returns trigger language plpgsql as $$
      begin raise unique_violation using constraint = 'event_pkey'; end $$;
    create trigger spoil before insert on event for each row execute function spoil_event();`);
  t.after(() => sql.unsafe('drop trigger spoil on event; drop function spoil_event'));
  assertProblem(await amend(bistros, bistro, id, { lastName: 'Byron' }), 500, 'HTTP-R-500');
});
