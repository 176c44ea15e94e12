import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../../support/app.ts';
import { callNow } from '../amend/amending.ts';
import { booked, freeDay, tablesOf } from '../support.ts';
import { deskApp, edit, move, ok, take, taken, visit } from './desk-support.ts';
import { assertLeft } from './manage-support.ts';

/** The operator's desk over HTTP: how far a visit is, and the tables that go with it. */

const { at, maitred, tableFor, time } = deskApp();

test('the visit goes forwards and backwards, and a party that leaves frees its table', async () => {
  const date = freeDay();
  const table = await tableFor(8);
  const { id } = await taken(maitred(), { date, partySize: 8, tableIds: [table.id] });
  await assertLeft(maitred(), id, () => visit(maitred(), id, { state: 'no_show' }), [409, 'BOOK-N-014']);
  await at(date, '18:55', async () => {
    const arrived = await ok(visit(maitred(), id, { state: 'arrived' }));
    assert.deepEqual([arrived.status, arrived.visit.state], ['confirmed', 'arrived']);
    assert.equal(arrived.visit.arrivedAt, time.clock().toString({ fractionalSecondDigits: 3 }));
  });
  await at(date, '19:10', async () => {
    const seated = await ok(visit(maitred(), id, { state: 'seated' }));
    assert.notEqual(seated.visit.arrivedAt, seated.visit.seatedAt);
  });
  await at(date, '20:00', async () => {
    const next = { date, time: '20:15', partySize: 8, tableIds: [table.id], overrides: ['notice'] };
    assertProblem(await take(maitred(), next), 409, 'AVAIL-N-005');
    const left = await ok(visit(maitred(), id, { state: 'left' }));
    assert.deepEqual([left.status, left.visit.state], ['completed', 'left']);
    const undone = await ok(visit(maitred(), id, { state: 'seated' }));
    assert.deepEqual(
      [undone.status, undone.visit.leftAt, undone.tmsTables],
      ['confirmed', null, [table.name]],
    );
    time.move({ minutes: 1 });
    await ok(visit(maitred(), id, { state: 'left' }));
    await taken(maitred(), next);
    const back = await visit(maitred(), id, { state: 'seated' });
    assert.match(assertProblem(back, 409, 'AVAIL-N-005').detail, /given away/);
    const other = await tableFor(8, 1);
    const elsewhere = await ok(visit(maitred(), id, { state: 'seated', tableIds: [other.id] }));
    assert.deepEqual(elsewhere.tmsTables, [other.name]);
  });
});

test('a late party keeps its table until it is given up, and a no-show can be taken back', async () => {
  const date = freeDay();
  const table = await tableFor(8);
  const { id } = await booked(maitred(), { date, time: '19:00', partySize: 8 });
  await ok(move(maitred(), id, { tableIds: [table.id] }));
  await at(date, '19:40', async () => {
    const want = { date, time: '19:45', partySize: 8, tableIds: [table.id], overrides: ['notice'] };
    assertProblem(await take(maitred(), want), 409, 'AVAIL-N-005');
    assert.equal((await ok(visit(maitred(), id, { state: 'no_show' }))).status, 'no_show');
    assert.equal((await callNow(maitred(), `/venues/bookings/${id}`)).json.status, 'no_show');
    const undone = await ok(visit(maitred(), id, { state: 'seated' }));
    assert.deepEqual([undone.status, undone.tmsTables], ['confirmed', [table.name]]);
    assertProblem(await take(maitred(), want), 409, 'AVAIL-N-005');
    await ok(visit(maitred(), id, { state: 'no_show' }));
    await taken(maitred(), want);
  });
});

test('a party that has begun moves from now on, although its new table was taken before', async () => {
  const date = freeDay();
  const [a, b] = [await tableFor(8), await tableFor(8, 1)];
  const early = await taken(maitred(), { date, time: '17:30', partySize: 8, tableIds: [b.id], duration: 60 });
  const late = await taken(maitred(), { date, time: '18:00', partySize: 8, tableIds: [a.id], duration: 120 });
  await at(date, '18:20', async () => {
    assertProblem(await move(maitred(), late.id, { tableIds: [b.id] }), 409, 'AVAIL-N-005');
    await ok(visit(maitred(), early.id, { state: 'left' }));
    await ok(move(maitred(), late.id, { tableIds: [b.id] }));
    assert.deepEqual(await tablesOf(maitred().sql, late.id), [b.id]);
    await taken(maitred(), { date, time: '18:30', partySize: 8, tableIds: [a.id], overrides: ['notice'] });
  });
});

test('tables are named only for a party that needs some, where there are some to name', async () => {
  const date = freeDay();
  const [own, other] = [await tableFor(8), await tableFor(8, 1)];
  const { id } = await taken(maitred(), { date, partySize: 8, tableIds: [own.id] });
  await at(date, '19:30', async () => {
    for (const state of ['left', 'no_show'])
      await assertLeft(maitred(), id, () => visit(maitred(), id, { state, tableIds: [other.id] }), [
        400,
        'VALID-N-001',
      ]);
    await ok(visit(maitred(), id, { state: 'seated', tableIds: [other.id] }));
    assert.deepEqual(await tablesOf(maitred().sql, id), [other.id]);
  });
});

test('a stay that has begun cannot be made to end in the past', async () => {
  const date = freeDay();
  const { id } = await taken(maitred(), { date, duration: 120 });
  await at(date, '20:00', async () => {
    for (const duration of [30, 60])
      await assertLeft(maitred(), id, () => edit(maitred(), id, { duration }), [409, 'BOOK-N-014']);
    assert.equal((await ok(edit(maitred(), id, { duration: 75 }))).duration, 75);
  });
});

test('the visit takes no tables for a party that has gone, and no table that is too small', async () => {
  const date = freeDay();
  const [small, large] = [await tableFor(2), await tableFor(8, 1)];
  const { id } = await taken(maitred(), { date, partySize: 4 });
  const sit = (state: string, tableIds: number[]) => () => visit(maitred(), id, { state, tableIds });
  await assertLeft(maitred(), id, sit('expected', [small.id]), [409, 'AVAIL-N-005']);
  await at(date, '19:30', () => assertLeft(maitred(), id, sit('left', [large.id]), [400, 'VALID-N-001']));
});

test('a seated party keeps its start, and one that came early may leave before it', async () => {
  const date = freeDay();
  const { id } = await taken(maitred(), { date });
  await at(date, '18:50', async () => {
    await ok(visit(maitred(), id, { state: 'seated' }));
    await assertLeft(maitred(), id, () => edit(maitred(), id, { time: '20:00' }), [409, 'BOOK-N-014']);
    assert.equal((await ok(visit(maitred(), id, { state: 'left' }))).status, 'completed');
  });
});

test('a party at ten to twelve starts at midnight, and can be taken back to waiting', async () => {
  const date = freeDay();
  await at(date, '23:50', async () => {
    const body = { origin: 'walk_in', guest: undefined, time: undefined, overrides: ['notice', 'hours'] };
    const made = await taken(maitred(), body);
    assert.ok(made.dateTime.includes('T00:00'), made.dateTime);
    const arrived = await ok(visit(maitred(), made.id, { state: 'arrived' }));
    assert.equal(arrived.visit.state, 'arrived');
  });
});
