/** Blocks and closures bind the house as they bind partners, except where a manager opens for a party. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTransaction, type Tx } from '../../../src/db/database.ts';
import { type Answer, assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { edit, move, SOHO, swap, take, taken } from '../bookings/operator/desk-support.ts';
import { look } from '../bookings/operator/manage-support.ts';
import { type Body, bookingsApp, freeDay, tablesOf } from '../bookings/support.ts';
import { managerOf } from '../layout/support.ts';
import { closingOf } from './support.ts';

const maitred = bookingsApp();
const soho = closingOf(maitred, SOHO, 'demo-operator');
const { read, made } = managerOf(maitred);

test('the house books nothing at a blocked table, whatever it sets aside, and moves nobody there', async () => {
  const date = freeDay();
  const tables = (await read('tables')).json.data.filter(({ maxCovers }: Body) => maxCovers === 2);
  const [blocked, free] = tables.map(({ id }: Body) => id as number);
  await made('blocks', { from: `${date}T18:00`, to: `${date}T22:00`, tableIds: [blocked] });
  const all = ['notice', 'pacing', 'rules', 'hours', 'covers'];
  for (const overrides of [[], all])
    assertProblem(await take(maitred(), { date, tableIds: [blocked], overrides }), 409, 'AVAIL-N-005');
  const seated = await taken(maitred(), { date, tableIds: [free] });
  assertProblem(await move(maitred(), seated.id, { tableIds: [blocked] }), 409, 'AVAIL-N-005');
  const early = await taken(maitred(), { date, time: '17:00', duration: 60, tableIds: [blocked] });
  assertProblem(await edit(maitred(), early.id, { time: '18:00', tableIds: [blocked] }), 409, 'AVAIL-N-005');
  assertProblem(await swap(maitred(), seated.id, { bookingId: early.id }), 409, 'AVAIL-N-005');
  assert.deepEqual(await tablesOf(maitred().sql, seated.id), [free]);
  assert.deepEqual(await tablesOf(maitred().sql, early.id), [blocked]);
});

test('in a closed time staff and managers take nothing, unless the hours are set aside', async () => {
  const date = freeDay();
  const standing = await taken(maitred(), { date, time: '17:00', duration: 60 });
  const closure = await soho.closed({ from: `${date}T19:00`, to: `${date}T23:00`, bookings: 'keep' });
  assertProblem(await take(maitred(), { date, time: '19:00' }), 422, 'AVAIL-N-004');
  assertProblem(await take(maitred(), { date, time: '18:30' }), 422, 'AVAIL-N-004');
  assertProblem(await edit(maitred(), standing.id, { time: '19:30' }), 422, 'AVAIL-N-004');
  const noted = await edit(maitred(), standing.id, { notes: 'By the window' });
  assert.equal(noted.status, 200, noted.text);
  await taken(maitred(), { date, time: '19:00', overrides: ['hours'] });
  await soho.reopen(closure.id);
  await soho.closed({ from: date, to: date, bookings: 'keep' });
  assertProblem(await take(maitred(), { date, time: '17:30' }), 422, 'AVAIL-N-004');
});

test('a change that was planned before the venue closed is not made afterwards', async () => {
  const date = freeDay();
  const { id } = await taken(maitred(), { date, time: '17:00', duration: 60 });
  let changing: Promise<Answer> | undefined;
  await inTransaction(maitred().sql, async (tx) => {
    await tx`select from booking where id = ${id} for update`;
    changing = edit(maitred(), id, { time: '19:30' });
    // The change is planned, and waits for the booking.
    await eventually(async () => (await waiting(tx)) > 0);
    await soho.closed({ from: `${date}T19:00`, to: `${date}T23:00`, bookings: 'keep' });
  });
  assertProblem(await (changing as Promise<Answer>), 422, 'AVAIL-N-004');
  assert.equal((await look(maitred(), `/${id}`)).json.time, '17:00');
});

async function waiting(tx: Tx): Promise<number> {
  return (await tx`select from pg_locks where not granted`).length;
}

test('bookings of the house are called off with the others', async () => {
  const date = freeDay();
  const { id } = await taken(maitred(), { date });
  const closure = await soho.closed({ from: date, to: date, bookings: 'cancel', message: 'Sorry' });
  const done = await soho.work(closure.id);
  assert.deepEqual([done.state, done.cancelled, done.failed], ['done', 1, []]);
  assert.equal((await look(maitred(), `/${id}`)).json.status, 'cancelled');
});
