import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { metricOf } from '../../support/metrics.ts';
import {
  amend,
  assertAgreed,
  type Bistros,
  cancel,
  DAY,
  inDoubt,
  OPERATOR,
  operator,
  ordered,
  read,
  startBistros,
} from '../../support/remote-tms/bistros.ts';
import { auditOf, beginReading, eventsOf, followed, later, queued } from './support.ts';

let bistros: Bistros;
before(async () => {
  bistros = await startBistros({
    count: 24,
    remote: { changes: true },
    book: { tables: ['T1', 'T2', 'T3'] },
  });
  await beginReading(bistros);
});
after(() => bistros.close());

test('a booking that the venue moves, resizes and lengthens changes here, with event and audit entry', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro, { partySize: 2, children: 2 });
  await later(bistros);
  const before = (await eventsOf(bistros, id)).length;
  bistro.system.book.edit(id, { minute: 1200, guests: 7, durationMinutes: 90, table: 'T9' });
  await later(bistros);
  const { date, time, partySize, children, duration, status } = await read(bistros, id);
  assert.deepEqual(
    { date, time, partySize, children, duration, status },
    { date: DAY, time: '20:00', partySize: 5, children: 2, duration: 90, status: 'confirmed' },
  );
  const events = await eventsOf(bistros, id);
  assert.equal(events.length, before + 1);
  assert.equal(events.at(-1)?.time, '20:00');
  const [entry, ...others] = await auditOf(bistros, id);
  assert.deepEqual(others, []);
  assert.deepEqual(entry?.actor, { kind: 'system', id: bistro.slug, name: bistro.slug });
  assert.equal(entry?.action, 'booking.move');
  assert.deepEqual([entry?.after.guests, entry?.after.tables], [7, ['T9']]);
  const path = `/manage/operators/${OPERATOR}/bookings/${id}/history`;
  const history = await bistros.app.call(path, { as: 'demo-admin' });
  assert.deepEqual(history.json.data.at(-1).by, { kind: 'system', name: bistro.slug });
  assert.deepEqual(await queued(bistros), []);
});

test('a booking that the venue moves while a call about it is in doubt stays where the venue has it', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await inDoubt(bistro, 'amend', { kind: 'cut-before-commit' }, () =>
    amend(bistros, bistro, id, { phone: '+44 20 7946 0000' }),
  );
  bistro.system.book.edit(id, { minute: 1200, guests: 3 });
  for (let table = 1; table <= 3; table += 1) await ordered(bistros, bistro);
  await later(bistros);
  await bistros.settle();
  await later(bistros);
  const { time, partySize, status } = await read(bistros, id);
  assert.deepEqual([time, partySize, status], ['20:00', 3, 'confirmed']);
  assert.ok((await assertAgreed(bistros, bistro)).includes(`${id} ${DAY} 1200 3`));
  assert.equal((await eventsOf(bistros, id)).at(-1)?.time, '20:00');
  assert.deepEqual(await queued(bistros), []);
});

test('of a party that shrinks below its children one adult is left', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro, { partySize: 1, children: 4 });
  bistro.system.book.edit(id, { guests: 3 });
  await later(bistros);
  const { partySize, children } = await read(bistros, id);
  assert.deepEqual({ partySize, children }, { partySize: 1, children: 2 });
});

test('a booking that the venue cancels is cancelled here, and everything paid goes back', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  const { sql } = bistros.app;
  await sql`
    insert into payment (id, booking_id, option, status, amount_pence, currency, provider, client_id, asked_at, created_at, ends_at)
    values (gen_random_uuid(), ${id}, 'deposit', 'succeeded', 5000, 'EUR', 'sandbox', 'demo-partner', now(), now(), now())`;
  await sql`update booking set has_payments = true where id = ${id}`;
  bistro.system.book.cancel(id);
  await later(bistros);
  assert.equal((await read(bistros, id)).status, 'confirmed', 'one look is not enough');
  await later(bistros);
  assert.equal((await read(bistros, id)).status, 'cancelled');
  assert.equal((await eventsOf(bistros, id)).at(-1)?.status, 'cancelled');
  assert.deepEqual(
    (await auditOf(bistros, id)).map(({ action }) => action),
    ['booking.cancel'],
  );
  const refunds = await sql`
    select r.amount_pence as pence from refund r join payment p on p.id = r.payment_id where p.booking_id = ${id}`;
  assert.deepEqual([...refunds], [{ pence: 5000 }]);
});

test('a booking that the system has lost for a moment stays', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  const held = bistro.system.book.bookings.get(id);
  bistro.system.book.cancel(id);
  await later(bistros);
  assert.ok(held);
  bistro.system.book.bookings.set(id, held);
  await later(bistros);
  assert.equal((await read(bistros, id)).status, 'confirmed');
  assert.deepEqual(await queued(bistros), []);
});

test('a party that is seated there is seated here, and leaves or stays away', async () => {
  const bistro = bistros.next();
  const [first, second] = [await ordered(bistros, bistro), await ordered(bistros, bistro)];
  const visitOf = async (id: string) => {
    const path = `/manage/operators/${OPERATOR}/bookings/${id}`;
    const { visit, status } = (await bistros.app.call(path, { as: 'demo-admin' })).json;
    return [visit.state, status];
  };
  for (const [visit, expected] of [
    ['arrived', ['arrived', 'confirmed']],
    ['seated', ['seated', 'confirmed']],
    ['left', ['left', 'completed']],
    ['seated', ['seated', 'confirmed']],
    ['expected', ['expected', 'confirmed']],
  ] as const) {
    bistro.system.book.edit(first, { visit });
    await later(bistros);
    assert.deepEqual(await visitOf(first), expected);
  }
  bistro.system.book.edit(second, { visit: 'no_show' });
  await later(bistros);
  assert.deepEqual(await visitOf(second), ['no_show', 'no_show']);
  const actions = (await auditOf(bistros, first)).map(({ action }) => action);
  assert.deepEqual(actions, Array(5).fill('booking.visit'));
});

test('what a host says here stands until the system says something else', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  bistro.system.book.edit(id, { visit: 'expected' });
  await later(bistros);
  await bistros.app.sql`
    update booking set visit_state = 'seated', seated_at = now(), last_update = last_update + interval '1 ms' where id = ${id}`;
  bistro.system.book.edit(id, { table: 'T7' });
  await later(bistros);
  const [here] = await bistros.app.sql`select visit_state as state, tables from booking where id = ${id}`;
  assert.deepEqual(here, { state: 'seated', tables: ['T7'] });
  bistro.system.book.edit(id, { visit: 'left' });
  await later(bistros);
  assert.equal((await read(bistros, id)).status, 'completed');
});

test('our own bookings, amendments and cancellations come back as changes and change nothing', async () => {
  const bistro = bistros.next();
  const [id, other] = [await ordered(bistros, bistro), await ordered(bistros, bistro)];
  assert.equal((await amend(bistros, bistro, id, { time: '20:00', partySize: 4 })).status, 200);
  assert.equal((await cancel(bistros, other)).status, 204);
  const before = [await read(bistros, id), await read(bistros, other)];
  const events = [(await eventsOf(bistros, id)).length, (await eventsOf(bistros, other)).length];
  const looks = bistro.system.calls('find');
  await later(bistros);
  assert.ok(bistro.system.calls('find') > looks, 'it was looked at');
  assert.deepEqual([await read(bistros, id), await read(bistros, other)], before);
  assert.deepEqual([(await eventsOf(bistros, id)).length, (await eventsOf(bistros, other)).length], events);
  assert.deepEqual(await auditOf(bistros, id), []);
  assert.deepEqual(await queued(bistros), []);
});

test('many changes of one booking are one change here, and every page of them is read', async () => {
  const bistro = bistros.next();
  const ids = [await ordered(bistros, bistro), await ordered(bistros, bistro)] as const;
  await later(bistros);
  for (let count = 0; count < 30; count += 1)
    bistro.system.book.edit(ids[count % 2] as string, { guests: 1 + (count % 7) });
  bistro.system.book.edit(ids[1], { guests: 8 });
  const before = (await eventsOf(bistros, ids[0])).length;
  await later(bistros);
  assert.equal((await eventsOf(bistros, ids[0])).length, before + 1);
  assert.equal((await read(bistros, ids[1])).partySize, 8);
  await assertAgreed(bistros, bistro);
});

test('a change during an amendment of ours waits for it, and both sides end alike', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await later(bistros);
  await inDoubt(bistro, 'amend', { kind: 'cut-after-commit' }, () =>
    amend(bistros, bistro, id, { time: '20:00' }),
  );
  const before = await read(bistros, id);
  bistro.system.book.edit(id, { guests: 5 });
  await later(bistros);
  assert.deepEqual(await read(bistros, id), before, 'nothing is concluded while the outcome is in doubt');
  assert.deepEqual(await queued(bistros), [id]);
  await bistros.settle();
  await later(bistros, 120);
  assert.deepEqual(await queued(bistros), []);
  await assertAgreed(bistros, bistro);
});

test('a booking that has changed since it was read is looked at again', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await later(bistros);
  bistro.system.book.edit(id, { guests: 6 });
  bistro.system.faults.plan({ kind: 'slow', delayMs: 300 }, { operations: ['find'] });
  const following = later(bistros);
  const looks = bistro.system.calls('find');
  while (bistro.system.calls('find') === looks) await new Promise((resolve) => setTimeout(resolve, 5));
  await bistros.app.sql`update booking set last_update = last_update + interval '1 ms' where id = ${id}`;
  await following;
  assert.equal((await read(bistros, id)).partySize, 2);
  assert.deepEqual(await queued(bistros), [id]);
  await later(bistros);
  assert.equal((await read(bistros, id)).partySize, 6);
});

test('a system that is away, limits its calls or talks nonsense changes nothing, and is asked again', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await later(bistros);
  const before = await read(bistros, id);
  bistro.system.book.edit(id, { guests: 3 });
  for (const fault of [
    { kind: 'status', status: 503 },
    { kind: 'rate-limit', retryAfterSeconds: 7 },
    { kind: 'garbage' },
  ] as const) {
    bistro.system.faults.plan(fault, { operations: ['find'], times: 2 });
    await later(bistros, 30);
    bistro.system.faults.clear();
    assert.deepEqual(await read(bistros, id), before);
    assert.deepEqual(await queued(bistros), [id]);
  }
  await later(bistros, 60);
  assert.equal((await read(bistros, id)).partySize, 3);
});

for (const wrong of [
  { guests: 0 },
  { guests: 70_000 },
  { durationMinutes: -5 },
  { table: 'A\u0000B' },
] as const)
  test(`an answer with ${JSON.stringify(wrong)} is no booking, and nothing changes`, async () => {
    const bistro = bistros.next();
    const id = await ordered(bistros, bistro);
    await later(bistros);
    const before = await read(bistros, id);
    bistro.system.book.edit(id, { minute: 1260, ...wrong });
    await later(bistros);
    assert.deepEqual(await read(bistros, id), before);
    bistro.system.book.edit(id, { minute: 1140, guests: 2, durationMinutes: 60, table: 'T1' });
    await later(bistros, 60);
    assert.deepEqual(await queued(bistros), []);
  });

test('the log of changes that cannot be read is read on from the same place', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await later(bistros);
  bistro.system.faults.plan({ kind: 'status', status: 503 }, { operations: ['changes'], times: 2 });
  bistro.system.book.edit(id, { guests: 4 });
  await later(bistros);
  assert.equal((await read(bistros, id)).partySize, 2);
  await later(bistros, 70);
  assert.equal((await read(bistros, id)).partySize, 4);
});

test('a system that does not know the cursor any more is read from now on, and all bookings are looked at', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await later(bistros);
  bistro.system.book.edit(id, { guests: 4 });
  await bistros.app.sql`update system_cursor set cursor = '99999' where tms = ${bistro.slug}`;
  await later(bistros);
  assert.equal((await read(bistros, id)).partySize, 4);
  bistro.system.book.edit(id, { guests: 5 });
  await later(bistros);
  assert.equal((await read(bistros, id)).partySize, 5);
});

test('what is cancelled here stays cancelled, and what is gone after the visit is left', async () => {
  const bistro = bistros.next();
  const [id, visited] = [await ordered(bistros, bistro), await ordered(bistros, bistro)];
  await later(bistros);
  const { sql, services } = bistros.app;
  await sql`update booking set status = 'cancelled', last_update = last_update + interval '1 ms' where id = ${id}`;
  await sql`update booking set starts_at = now() - interval '5 hours', last_update = last_update + interval '1 ms' where id = ${visited}`;
  bistro.system.book.edit(id, { guests: 6 });
  bistro.system.book.cancel(visited);
  await later(bistros);
  assert.equal((await read(bistros, id)).status, 'cancelled');
  assert.equal((await read(bistros, visited)).status, 'confirmed');
  assert.deepEqual(await queued(bistros), []);
  const source = { operatorId: OPERATOR, tms: bistro.slug };
  const LOOK = { wasMissing: true };
  const foreign = { ...source, operatorId: 1 };
  assert.deepEqual(await services.bookings.reconcile(foreign, visited, LOOK), { kind: 'ignored' });
  assert.deepEqual(await services.bookings.reconcile({ ...source, tms: 'house' }, visited, LOOK), {
    kind: 'ignored',
  });
  assert.deepEqual(await services.bookings.reconcile(source, 'no id', LOOK), { kind: 'ignored' });
});

test('an enquiry is not looked at, and is followed once it is accepted', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro, { type: 'request' });
  await later(bistros);
  assert.equal((await read(bistros, id)).status, 'pending');
  await bistros.app.services.bookings.accept(operator, id);
  bistro.system.book.edit(id, { minute: 1260 });
  await later(bistros);
  assert.equal((await read(bistros, id)).time, '21:00');
});

test('the metrics say what waits and what was compared', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro);
  await later(bistros);
  bistro.system.book.edit(id, { guests: 3 });
  bistro.system.faults.plan({ kind: 'status', status: 503 }, { operations: ['find'], times: 2 });
  await later(bistros);
  assert.equal(await metricOf(bistros.app, 'system_changes_waiting'), 1);
  assert.ok(((await metricOf(bistros.app, 'system_changes_oldest_seconds')) ?? -1) >= 0);
  await later(bistros, 60);
  const changed = `system_changes_compared_total{tms="${bistro.slug}",outcome="changed"}`;
  assert.equal(await metricOf(bistros.app, changed), 1);
  assert.equal(await metricOf(bistros.app, 'system_changes_waiting'), 0);
  await followed(bistros);
});
