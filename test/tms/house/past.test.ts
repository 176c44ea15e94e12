import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { callNow } from '../../features/bookings/amend/amending.ts';
import { deskApp, edit, ok, SOHO, taken, visit } from '../../features/bookings/operator/desk-support.ts';
import { type Body, freeDay } from '../../features/bookings/support.ts';

/** Stays that are over leave the table that new bookings read, and nothing that is shown of them changes. */

const { maitred, at, tables } = deskApp();

const moveStays = () => maitred().services.movePastStays(new AbortController().signal);

const placeOf = async (id: string) => {
  const [row] = await maitred().sql<{ hot: number; past: number }[]>`
    select (select count(*)::int from house_allocation where reservation_id = ${id}) as hot,
      (select count(*)::int from house_past_allocation where reservation_id = ${id}) as past`;
  return row;
};

async function diaryOf(date: string): Promise<Body[]> {
  const path = `/manage/venues/${encodeURIComponent(SOHO)}/diary?date=${date}`;
  return (await ok(callNow(maitred(), path, { as: 'demo-operator' }))).bookings;
}

/** A week after that evening. */
const aWeekLater = <Result>(date: string, work: () => Promise<Result>) =>
  at(Temporal.PlainDate.from(date).add({ days: 7 }).toString(), '12:00', work);

test('three days after a stay it is moved, the marks of its day go, and neither screens nor feeds are told', async () => {
  const { sql } = maitred();
  const date = freeDay();
  const { id } = await taken(maitred(), { date });
  const before = await diaryOf(date);
  await at(date, '23:59', moveStays);
  assert.deepEqual(await placeOf(id), { hot: 1, past: 0 });

  await sql`update house_day set is_fed = true`;
  const changes = (await sql`select from diary_change`).length;
  await aWeekLater(date, async () => {
    await moveStays();
    await moveStays();
    assert.deepEqual(await placeOf(id), { hot: 0, past: 1 });
    assert.equal((await sql`select from house_day where day = ${date} and venue_id = ${SOHO}`).length, 0);
    assert.equal((await sql`select from house_day where not is_fed`).length, 0);
    assert.equal((await sql`select from diary_change`).length, changes);
    assert.deepEqual(await diaryOf(date), before);
  });
});

test('what a desk does to an old booking meets its stay where it is', async () => {
  const date = freeDay();
  const [moved, cut] = [await taken(maitred(), { date }), await taken(maitred(), { date, time: '18:00' })];
  await at(date, '18:30', () => ok(visit(maitred(), cut.id, { state: 'seated' })));
  await aWeekLater(date, moveStays);
  await aWeekLater(date, () => ok(visit(maitred(), cut.id, { state: 'left' })));
  assert.deepEqual(await placeOf(cut.id), { hot: 0, past: 1 });
  const later = freeDay();
  await ok(edit(maitred(), moved.id, { date: later }));
  assert.deepEqual(
    await placeOf(moved.id),
    { hot: 1, past: 0 },
    'a booking that is put off is to come again',
  );
  assert.ok((await diaryOf(later)).some(({ id }) => id === moved.id));
});

test('a table that was used in the past is not taken away', async () => {
  const date = freeDay();
  const { id } = await taken(maitred(), { date });
  await aWeekLater(date, moveStays);
  const [stay] = await maitred().sql<{ tableId: number }[]>`
    select table_id as "tableId" from house_past_allocation where reservation_id = ${id}`;
  const used = (await tables()).find((table) => table.id === stay?.tableId);
  const path = `/manage/venues/${encodeURIComponent(SOHO)}/tables/${used?.id}`;
  const refused = await callNow(maitred(), path, { method: 'DELETE', as: 'demo-operator' });
  assert.equal(refused.status, 400, refused.text);
  assert.match(refused.json.detail, /has \d+ booking/);
});

test('a booking that is being changed is left for the next time, and moved once', async () => {
  const { sql } = maitred();
  const date = freeDay();
  const { id } = await taken(maitred(), { date });
  await inTransaction(sql, async (tx) => {
    await tx`select from house_reservation where id = ${id} for update`;
    await aWeekLater(date, moveStays);
  });
  assert.deepEqual(await placeOf(id), { hot: 1, past: 0 });
  await aWeekLater(date, () => Promise.all([moveStays(), moveStays(), moveStays()]));
  assert.deepEqual(await placeOf(id), { hot: 0, past: 1 });
});
