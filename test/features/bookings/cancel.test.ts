import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { assertUnchanged, callNow, cancel, operator, read, rowsOf, standingClock } from './amend/amending.ts';
import { BOOTH, book, booked, bookingsApp, freeDay, jazzDay, STANDARD, tablesOf, VIP } from './support.ts';

const time = standingClock();
const maitred = bookingsApp({ deps: { clock: time.clock } });

test('cancelling answers 204 with nothing, and 204 again, and is done once', async () => {
  const booking = await booked(maitred(), { comments: 'By the window' });
  const first = await cancel(maitred(), booking.id);
  assert.deepEqual([first.status, first.text], [204, '']);
  const rows = await rowsOf(maitred().sql, booking.id);
  assert.equal((await cancel(maitred(), booking.id)).status, 204);
  assert.deepEqual(await rowsOf(maitred().sql, booking.id), rows);
  const { lastUpdate, ...after } = (await read(maitred(), booking.id)).json;
  const { lastUpdate: before, ...same } = booking;
  assert.deepEqual(after, { ...same, status: 'cancelled' });
  assert.ok(Temporal.Instant.compare(lastUpdate, before) > 0);
});

test('ten cancellations at once are all answered alike and leave one event', async () => {
  const { id } = await booked(maitred());
  const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(maitred(), id)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204]);
  const events = await maitred().services.events.listOfBooking(maitred().sql, id);
  assert.equal(events.length, 2);
});

test('a cancelled booking sits nowhere: lists show the operator no table and no area for it', async () => {
  const { id } = await booked(maitred(), { partnerBookingId: 'gave-it-back' });
  const listed = async () => {
    const path = '/venues/bookings?partnerBookingId=gave-it-back';
    const { area, tmsTables } = (await callNow(maitred(), path, { as: 'demo-operator' })).json.data[0];
    return { area, tables: tmsTables.length };
  };
  const before = await listed();
  assert.ok(before.area !== null && before.tables === 1);
  await cancel(maitred(), id);
  assert.deepEqual(await listed(), { area: null, tables: 0 });
});

test('a table that was given back can be booked by others', async () => {
  const full = { date: freeDay(), time: '19:00', partySize: 8 };
  const [first] = [
    await booked(maitred(), full),
    await booked(maitred(), full),
    await booked(maitred(), full),
  ];
  assertProblem(await book(maitred(), full), 409, 'AVAIL-N-005');
  const tables = await tablesOf(maitred().sql, first.id);
  await cancel(maitred(), first.id);
  assert.deepEqual(await tablesOf(maitred().sql, first.id), []);
  const next = await booked(maitred(), full);
  assert.deepEqual(await tablesOf(maitred().sql, next.id), tables);
});

test('tickets that were given back can be bought by others', async () => {
  const night = { date: jazzDay(), time: '20:00', partySize: 4 };
  const parties = [];
  for (const _ of [1, 2, 3]) parties.push(await booked(maitred(), night, { productId: VIP }));
  assertProblem(await book(maitred(), night, { productId: VIP }), 409, 'AVAIL-N-005');
  await cancel(maitred(), parties[1].id);
  await booked(maitred(), night, { productId: VIP });
  assertProblem(await book(maitred(), { ...night, partySize: 1 }, { productId: VIP }), 409, 'AVAIL-N-005');
});

test('an enquiry is withdrawn, also when the operator has taken it up or accepted it', async () => {
  const { bookings } = maitred().services;
  const [open, inHand, accepted] = [
    await booked(maitred(), { type: 'request' }),
    await booked(maitred(), { type: 'request' }),
    await booked(maitred(), { type: 'request' }),
  ];
  await bookings.takeUp(operator(1), inHand.id);
  await bookings.accept(operator(1), accepted.id);
  for (const { id } of [open, inHand, accepted]) {
    assert.equal((await cancel(maitred(), id)).status, 204);
    assert.equal((await read(maitred(), id)).json.status, 'cancelled');
    assert.deepEqual(await tablesOf(maitred().sql, id), []);
  }
});

test('a rejected enquiry cannot be cancelled', async () => {
  const { id } = await booked(maitred(), { type: 'request' });
  await maitred().services.bookings.reject(operator(1), id);
  await assertUnchanged(maitred(), id, () => cancel(maitred(), id), 409, 'BOOK-N-014');
});

test('what is not there is not found, and what is not ours is denied', async () => {
  const { id } = await booked(maitred());
  const nobodys = '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60';
  for (const unknown of [nobodys, 'x']) assertProblem(await cancel(maitred(), unknown), 404, 'BOOK-N-006');
  await assertUnchanged(maitred(), id, () => cancel(maitred(), id, 'other-partner'), 403, 'PMAP-N-003');
  await assertUnchanged(maitred(), id, () => cancel(maitred(), id, 'demo-operator'), 403, 'USER-N-009');
  const others = await booked(maitred(), {}, { as: 'other-partner' });
  await assertUnchanged(maitred(), others.id, () => cancel(maitred(), others.id), 403, 'PMAP-N-003');
});

test('a cancelled booking of another partner is denied as well', async () => {
  const { id } = await booked(maitred());
  await cancel(maitred(), id);
  await assertUnchanged(maitred(), id, () => cancel(maitred(), id, 'other-partner'), 403, 'PMAP-N-003');
});

test('neither a closed venue nor a mapping that was taken away is in the way', async () => {
  const { sql } = maitred();
  const [closed, enquiry] = [
    await booked(maitred(), {}, { productId: BOOTH }),
    await booked(maitred(), { type: 'request' }, { productId: BOOTH }),
  ];
  const tickets = await booked(maitred(), { date: jazzDay(5), time: '20:00' }, { productId: STANDARD });
  await sql`update venue set closed_at = now() where id = '2|house|night-owl'`;
  await sql`delete from venue_mapping where partner_id = 1 and venue_id = '2|tickets|jazz-night'`;
  await sql`update partner_operator set is_suspended = true where partner_id = 1 and operator_id = 2`;
  for (const { id } of [closed, enquiry, tickets]) {
    assert.equal((await cancel(maitred(), id)).status, 204);
    assert.equal((await read(maitred(), id)).json.status, 'cancelled');
  }
  assert.deepEqual(await tablesOf(sql, closed.id), []);
  const [stock] = await sql`select sum(sold)::int as sold from ticket_stock where product_id = ${STANDARD}`;
  assert.equal(stock?.sold, 0);
});

test('what has begun cannot be cancelled, whatever has become of it, except what is cancelled already', async () => {
  const { bookings } = maitred().services;
  const day = freeDay();
  const at = { date: day, time: '19:00' };
  const [confirmed, completed, missed, enquiry, cancelled] = [
    await booked(maitred(), at),
    await booked(maitred(), at),
    await booked(maitred(), at),
    await booked(maitred(), { ...at, type: 'request' }),
    await booked(maitred(), at),
  ];
  await cancel(maitred(), cancelled.id);
  time.moveTo(confirmed.dateTime);
  await bookings.complete(operator(1), completed.id);
  await bookings.markNoShow(operator(1), missed.id);
  const cancelNow = (id: string) => callNow(maitred(), `/venues/bookings/${id}`, { method: 'DELETE' });
  for (const { id } of [confirmed, completed, missed, enquiry]) {
    await assertUnchanged(maitred(), id, () => cancelNow(id), 409, 'BOOK-N-014');
  }
  assert.equal((await cancelNow(cancelled.id)).status, 204);
});
