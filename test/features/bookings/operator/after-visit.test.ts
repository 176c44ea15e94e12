import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../../support/app.ts';
import {
  asItIs,
  assertThrowsUnchanged,
  callNow,
  demoPartner,
  operator,
  rowsOf,
  standingClock,
} from '../amend/amending.ts';
import { type Body, booked, bookingsApp, freeDay, jazzDay, STANDARD } from '../support.ts';

const time = standingClock();
const maitred = bookingsApp({ deps: { clock: time.clock } });
const bookings = () => maitred().services.bookings;
const start = Temporal.Now.instant();

const readNow = async (id: string) => (await callNow(maitred(), `/venues/bookings/${id}`)).json;
const eventsOf = (id: string) => maitred().services.events.listOfBooking(maitred().sql, id);

/** Made today, whenever the tests before have left the clock. */
async function dinner(body: Body = {}, productId?: string) {
  time.moveTo(start);
  return booked(maitred(), body, productId === undefined ? {} : { productId });
}
const begin = ({ dateTime }: Body) => time.moveTo(dateTime);

test('a visit that has begun is completed, or marked as missed', async () => {
  for (const [act, status] of [
    ['complete', 'completed'],
    ['markNoShow', 'no_show'],
  ] as const) {
    const booking = await dinner();
    begin(booking);
    const { lastUpdate, ...after } = await bookings()[act](operator(1), booking.id);
    assert.equal(after.status, status);
    const read = await readNow(booking.id);
    assert.deepEqual(read, { ...booking, status, lastUpdate });
  }
});

test('a visit that has not begun is neither', async () => {
  const booking = await dinner();
  begin(booking);
  time.move({ milliseconds: -1 });
  for (const act of ['complete', 'markNoShow'] as const) {
    const attempt = () => bookings()[act](operator(1), booking.id);
    await assertThrowsUnchanged(maitred(), booking.id, attempt, 'BOOK-N-014');
  }
  const attempt = () => bookings().recordActuals(operator(1), booking.id, { guests: 2, spendPence: 1 });
  await assertThrowsUnchanged(maitred(), booking.id, attempt, 'BOOK-N-014');
});

test('who came and what they spent is written down and leaves the status as it is', async () => {
  const actuals = { guests: 3, spendPence: 12_345 };
  for (const [finish, status] of [
    [async () => {}, 'confirmed'],
    [(id: string) => bookings().complete(operator(1), id), 'completed'],
    [(id: string) => bookings().markNoShow(operator(1), id), 'no_show'],
  ] as const) {
    const booking = await dinner();
    begin(booking);
    await finish(booking.id);
    const { length } = await eventsOf(booking.id);
    assert.equal((await bookings().recordActuals(operator(1), booking.id, actuals)).status, status);
    assert.equal((await eventsOf(booking.id)).length, length + 1);
    const path = `/venues/bookings?operatorBookingId=${booking.operatorBookingId}`;
    const [listed] = (await callNow(maitred(), path)).json.data;
    assert.deepEqual([listed.status, listed.actualGuests, listed.actualSpend], [status, 3, 12_345]);
    const { actualGuests, actualSpend } = await readNow(booking.id);
    assert.deepEqual([actualGuests, actualSpend], [3, 12_345]);
    const selected = await callNow(
      maitred(),
      `/venues/bookings/${booking.id}?fields=actualGuests,actualSpend`,
    );
    assert.deepEqual(selected.json, { actualGuests: 3, actualSpend: 12_345 });
    await bookings().recordActuals(operator(1), booking.id, { guests: null, spendPence: null });
    const [corrected] = (await callNow(maitred(), path)).json.data;
    assert.deepEqual([corrected.actualGuests, corrected.actualSpend], [null, null]);
  }
});

test('actuals that are known already are not told again', async () => {
  const booking = await dinner();
  begin(booking);
  const actuals = { guests: 3, spendPence: 12_345 };
  const first = await bookings().recordActuals(operator(1), booking.id, actuals);
  const before = await rowsOf(maitred().sql, booking.id);
  assert.deepEqual(await bookings().recordActuals(operator(1), booking.id, actuals), first);
  assert.deepEqual(await rowsOf(maitred().sql, booking.id), before);
});

test('an enquiry that nobody answered, and what was cancelled or rejected, was no visit', async () => {
  const [enquiry, cancelled, rejected] = [
    await dinner({ type: 'request' }),
    await dinner(),
    await dinner({ type: 'request' }),
  ];
  await bookings().cancel(demoPartner, cancelled.id);
  await bookings().reject(operator(1), rejected.id);
  begin(rejected);
  time.move({ hours: 24 * 30 });
  for (const { id } of [enquiry, cancelled, rejected]) {
    const attempts = [
      () => bookings().complete(operator(1), id),
      () => bookings().markNoShow(operator(1), id),
      () => bookings().recordActuals(operator(1), id, { guests: 1, spendPence: 1 }),
    ];
    for (const attempt of attempts) await assertThrowsUnchanged(maitred(), id, attempt, 'BOOK-N-014');
  }
});

test('only the operator of the venue says how a visit went', async () => {
  const { id, dateTime } = await dinner();
  begin({ dateTime });
  for (const [caller, code] of [
    [operator(2), 'OPRTR-N-002'],
    [demoPartner, 'USER-N-009'],
  ] as const) {
    const attempts = [
      () => bookings().complete(caller, id),
      () => bookings().markNoShow(caller, id),
      () => bookings().recordActuals(caller, id, { guests: 1, spendPence: 1 }),
    ];
    for (const attempt of attempts) await assertThrowsUnchanged(maitred(), id, attempt, code);
  }
});

test('a booking that has begun cannot be amended, whatever has become of it', async () => {
  const day = { date: freeDay(), time: '19:00' };
  const [confirmed, completed, missed, enquiry] = [
    await dinner(day),
    await dinner(day),
    await dinner(day),
    await dinner({ ...day, type: 'request' }),
  ];
  begin(confirmed);
  await bookings().complete(operator(1), completed.id);
  await bookings().markNoShow(operator(1), missed.id);
  const later = freeDay();
  for (const booking of [confirmed, completed, missed, enquiry]) {
    for (const changes of [{ comments: 'x' }, { date: later }]) {
      const path = `/venues/bookings/${booking.id}`;
      const body = { ...asItIs(booking), ...changes };
      assertProblem(await callNow(maitred(), path, { method: 'PUT', body }), 409, 'BOOK-N-014');
      const steps = Object.entries(changes).map(([name, value]) => ({ op: 'add', path: `/${name}`, value }));
      assertProblem(await callNow(maitred(), path, { method: 'PATCH', body: steps }), 409, 'BOOK-N-014');
    }
    assert.equal((await eventsOf(booking.id)).length, booking === confirmed || booking === enquiry ? 1 : 2);
  }
});

test('a day after their end the visits that nobody spoke of are completed, and no others', async () => {
  await maitred().sql`update booking set status = 'cancelled'`;
  const date = freeDay();
  const [early, late, enquiry, missed] = [
    await dinner({ date, time: '18:00', duration: 60 }),
    await dinner({ date, time: '18:00', duration: 120 }),
    await dinner({ date, time: '18:00', type: 'request' }),
    await dinner({ date, time: '18:00' }),
  ];
  begin(early);
  await bookings().markNoShow(operator(1), missed.id);
  time.move({ hours: 25 });
  assert.equal(await bookings().completeVisits(), 0, 'to the minute it is not yet a day');
  time.move({ seconds: 1 });
  assert.equal(await bookings().completeVisits(), 1);
  const statuses = async () => {
    const read = await Promise.all([early, late, enquiry, missed].map(({ id }) => readNow(id)));
    return read.map(({ status }) => status);
  };
  assert.deepEqual(await statuses(), ['completed', 'confirmed', 'pending', 'no_show']);
  assert.equal((await eventsOf(early.id)).length, 2);
  time.move({ hours: 1 });
  assert.equal(await bookings().completeVisits(), 1);
  assert.deepEqual(await statuses(), ['completed', 'completed', 'pending', 'no_show']);
  assert.equal(await bookings().completeVisits(), 0);
});

test('tickets that were used are completed as well, and many visits in one go, by whoever runs it', async () => {
  const ids = [];
  for (const _ of Array(5)) {
    ids.push((await dinner({ date: jazzDay(), time: '20:00', partySize: 1 }, STANDARD)).id);
  }
  const [{ id }] = await maitred().sql<[{ id: string }]>`select id from booking where id = ${ids[0]}`;
  // Copied rather than booked: more than one batch of them.
  await maitred().sql`
    insert into booking select (copy).* from (
      select jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid(), 'guest', null)) as copy
      from booking b, generate_series(1, 230) where b.id = ${id}) copies`;
  time.moveTo(`${jazzDay(3)}T20:00:00Z`);
  const counts = await Promise.all([1, 2, 3].map(() => bookings().completeVisits()));
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    235,
  );
  const left = await maitred()
    .sql`select from booking where status = 'confirmed' and product_id = ${STANDARD}`;
  assert.equal(left.length, 0);
  const told = await maitred().sql`
    select booking_id, count(*) from event e join booking b on b.id = e.booking_id
    where b.product_id = ${STANDARD} and e.occurred_at > b.created_at group by 1`;
  assert.equal(told.length, 235);
  for (const { count } of told) assert.equal(count, 1);
});

test('a visit that cannot be read is named, and keeps no other from being completed', async () => {
  const [torn, other] = [await dinner(), await dinner()];
  begin(other);
  time.move({ hours: 48 });
  const { sql } = maitred();
  const [kept] = await sql`select guest from booking where id = ${torn.id}`;
  await sql`update booking set guest = 'torn' where id = ${torn.id}`;
  await assert.rejects(bookings().completeVisits(), ({ message }: Error) => message.includes(torn.id));
  assert.equal((await readNow(other.id)).status, 'completed');
  await sql`update booking set guest = ${kept?.guest} where id = ${torn.id}`;
  assert.equal(await bookings().completeVisits(), 1);
  assert.equal((await readNow(torn.id)).status, 'completed');
});
