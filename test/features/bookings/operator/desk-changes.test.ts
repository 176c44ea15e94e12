import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../../support/app.ts';
import { callNow } from '../amend/amending.ts';
import { type Body, booked, DINNER, freeDay, guest, tablesOf } from '../support.ts';
import { caller, deskApp, edit, move, ok, swap, taken } from './desk-support.ts';
import { assertLeft, auditLogOf, look } from './manage-support.ts';

/** The operator's desk over HTTP: changes, moves and swaps, of bookings of partners and of the house. */

const { maitred, tableFor, tables } = deskApp();

test('an operator changes a booking of a partner, who is told and reads the change', async () => {
  const date = freeDay();
  const { id } = await booked(maitred(), { date, time: '19:00' });
  const tried = await ok(edit(maitred(), id, { time: '20:00', partySize: 4 }, {}, '?dryRun=true'));
  assert.deepEqual([tried.time, tried.partySize, tried.change.isDryRun], ['20:00', 4, true]);
  assert.equal((await callNow(maitred(), `/venues/bookings/${id}`)).json.time, '19:00');
  const changed = await ok(
    edit(maitred(), id, { time: '20:00', partySize: 4, notes: 'Birthday', duration: 105 }),
  );
  assert.deepEqual([changed.change.isDryRun, changed.duration], [false, 105]);
  const read = (await callNow(maitred(), `/venues/bookings/${id}`)).json;
  assert.deepEqual([read.time, read.partySize, read.notes, read.duration], ['20:00', 4, 'Birthday', 105]);
  const { data: events } = (await callNow(maitred(), '/webhooks/events?limit=100')).json;
  const told = events
    .flatMap(({ body }: Body) => body?.bookings ?? [])
    .filter((each: Body) => each.id === id);
  assert.deepEqual(
    told.map(({ time: start }: Body) => start),
    ['19:00', '20:00'],
  );
  const [entry] = await auditLogOf(maitred(), id);
  assert.deepEqual(
    [entry?.action, entry?.before.time, entry?.after.time],
    ['booking.edit', '19:00', '20:00'],
  );
});

test('a party keeps its table when only its time moves', async () => {
  const date = freeDay();
  const table = await tableFor(4, 1);
  const { id } = await taken(maitred(), { date, partySize: 3, tableIds: [table.id] });
  const moved = await ok(edit(maitred(), id, { time: '20:30' }));
  assert.deepEqual(moved.tmsTables, [table.name]);
});

test('the guest of a partner is not the operator’s to change, that of the house is', async () => {
  const partners = await booked(maitred());
  await assertLeft(maitred(), partners.id, () => edit(maitred(), partners.id, { guest: caller }), [
    400,
    'VALID-N-001',
  ]);
  const house = await taken(maitred(), { date: freeDay() });
  const changed = await ok(
    edit(maitred(), house.id, { guest: { lastName: 'Murray', email: 'g@example.com' } }),
  );
  assert.deepEqual(
    [changed.lastName, changed.firstName, changed.email, changed.phone],
    ['Murray', 'Grace', 'g@example.com', caller.phone],
  );
});

test('a move takes free tables and refuses taken ones; two parties exchange theirs', async () => {
  const date = freeDay();
  const [a, b, c] = [await tableFor(4), await tableFor(4, 1), await tableFor(2)];
  const first = await taken(maitred(), { date, partySize: 4, tableIds: [a.id] });
  const second = await taken(maitred(), { date, partySize: 3, time: '19:30', tableIds: [b.id] });
  await assertLeft(maitred(), first.id, () => move(maitred(), first.id, { tableIds: [b.id] }), [
    409,
    'AVAIL-N-005',
  ]);
  const tried = await ok(swap(maitred(), first.id, { bookingId: second.id }, {}, '?dryRun=true'));
  assert.deepEqual(
    tried.data.map(({ tmsTables }: Body) => tmsTables),
    [[b.name], [a.name]],
  );
  assert.deepEqual(await tablesOf(maitred().sql, first.id), [a.id]);
  await ok(swap(maitred(), first.id, { bookingId: second.id }));
  assert.deepEqual(await tablesOf(maitred().sql, first.id), [b.id]);
  assert.deepEqual(await tablesOf(maitred().sql, second.id), [a.id]);
  assert.equal((await auditLogOf(maitred(), second.id))[0]?.action, 'booking.swap');
  const small = await taken(maitred(), { date, partySize: 2, tableIds: [c.id] });
  await assertLeft(maitred(), first.id, () => swap(maitred(), first.id, { bookingId: small.id }), [
    409,
    'AVAIL-N-005',
  ]);
  await ok(swap(maitred(), first.id, { bookingId: small.id, overrides: ['covers'] }));
  assert.deepEqual(await tablesOf(maitred().sql, first.id), [c.id]);
  assertProblem(await swap(maitred(), first.id, { bookingId: first.id }), 400, 'VALID-N-001');
});

test('parties whose stays have lengths of their own exchange tables', async () => {
  const date = freeDay();
  const [a, b] = [await tableFor(4), await tableFor(4, 1)];
  const first = await taken(maitred(), { date, partySize: 4, tableIds: [a.id], duration: 47 });
  const second = await taken(maitred(), { date, partySize: 4, tableIds: [b.id] });
  await ok(swap(maitred(), first.id, { bookingId: second.id }));
  assert.deepEqual(await tablesOf(maitred().sql, first.id), [b.id]);
});

test('a stale If-Match changes nothing', async () => {
  const { id } = await taken(maitred(), { date: freeDay() });
  const etag = String((await look(maitred(), `/${id}`)).headers.etag);
  await ok(edit(maitred(), id, { notes: 'First' }, { headers: { 'if-match': etag } }));
  await assertLeft(
    maitred(),
    id,
    () => edit(maitred(), id, { notes: 'Second' }, { headers: { 'if-match': etag } }),
    [412, 'HTTP-N-412'],
  );
});

test('a party of unchanged size may stay at its table, but gets no other that is too small', async () => {
  const date = freeDay();
  const small = await tableFor(2);
  const { id } = await taken(maitred(), { date, partySize: 4, tableIds: [small.id], overrides: ['covers'] });
  assert.deepEqual((await ok(edit(maitred(), id, { time: '20:00' }))).tmsTables, [small.name]);
  const free = await tableFor(2, 1);
  const others = (await tables()).map(({ id: each }) => each).filter((each) => each !== free.id);
  const full = { date, time: '17:00', partySize: 4, overrides: ['covers'], duration: 60 };
  for (let from = 0; from < others.length; from += 20)
    await taken(maitred(), { ...full, tableIds: others.slice(from, from + 20) });
  await assertLeft(maitred(), id, () => edit(maitred(), id, { time: '17:00' }), [409, 'AVAIL-N-005']);
});

test('a party that grows is bound by the hours that its longer stay reaches', async () => {
  const date = freeDay();
  const { id, duration } = await taken(maitred(), { date, time: '21:00', partySize: 2 });
  assert.ok(duration <= 120);
  const grown = await edit(maitred(), id, { partySize: 8 });
  assertProblem(grown, 409, 'AVAIL-N-005');
});

test('an enquiry is moved to what is on offer, and never into the past', async () => {
  const body = { ...guest, type: 'request', date: freeDay(), time: '19:00' };
  const path = `/venues/${encodeURIComponent(DINNER)}/booking`;
  const { json: enquiry } = await callNow(maitred(), path, { method: 'POST', body });
  const refused: [Body, [number, string]][] = [
    [{ date: '2020-01-01' }, [400, 'AVAIL-N-007']],
    [{ time: '03:07' }, [409, 'AVAIL-N-005']],
    [{ partySize: 900 }, [409, 'AVAIL-N-005']],
  ];
  for (const [change, problem] of refused)
    await assertLeft(maitred(), enquiry.id, () => edit(maitred(), enquiry.id, change), problem);
  assert.equal((await ok(edit(maitred(), enquiry.id, { time: '20:00' }))).time, '20:00');
});
