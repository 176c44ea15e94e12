import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, booked, bookingsApp, freeDay } from './support.ts';

const maitred = bookingsApp({}, async (app) => {
  for (const time of ['18:00', '19:00', '20:00']) await booked(app, { date: freeDay(), time });
  await booked(app, {}, { as: 'other-partner' });
});

async function totalOf(path: string, as: string): Promise<number> {
  const { json } = await maitred().call(path, { as });
  return (json as { meta: Body }).meta.totalItems;
}

async function totals() {
  return {
    partner: await totalOf('/venues/bookings', 'demo-partner'),
    other: await totalOf('/venues/bookings', 'other-partner'),
    operator: await totalOf('/manage/operators/1/bookings', 'demo-operator'),
    ofPartner: await totalOf('/manage/operators/1/bookings?partnerId=1', 'demo-operator'),
    platform: await totalOf('/venues/bookings', 'demo-admin'),
  };
}

const countRows = async () => (await maitred().sql`select from booking_count`).length;

test('totals are the same before and after they were added up', async () => {
  const expected = { partner: 3, other: 1, operator: 4, ofPartner: 3, platform: 4 };
  assert.deepEqual(await totals(), expected);
  const rows = await countRows();
  assert.equal(await maitred().services.bookings.addUpBookings(), 2);
  assert.equal(await countRows(), rows - 2);
  assert.deepEqual(await totals(), expected);
  assert.equal(await maitred().services.bookings.addUpBookings(), 0);
});

test('what is booked after that counts too, and a booking that is removed by hand does not', async () => {
  const { id } = await booked(maitred());
  assert.equal((await totals()).partner, 4);
  await maitred().sql`delete from event where booking_id = ${id}`;
  await maitred().sql`delete from booking where id = ${id}`;
  assert.equal((await totals()).partner, 3);
});

test('many who add up at once lose nothing', async () => {
  const before = await totals();
  for (let n = 0; n < 4; n += 1) await booked(maitred());
  await Promise.all(Array.from({ length: 8 }, () => maitred().services.bookings.addUpBookings()));
  assert.equal((await totals()).partner, before.partner + 4);
});
