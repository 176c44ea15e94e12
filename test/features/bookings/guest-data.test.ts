import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addOperatorClient,
  asItIs,
  assertThrows,
  callNow,
  cancel,
  demoPartner,
  operator,
  patch,
  put,
  replacing,
  rowsOf,
  standingClock,
  taken,
} from './amend/amending.ts';
import { type Body, BRUNCH, book, booked, bookingsApp, COMPANY, freeDay } from './support.ts';

const time = standingClock();
const start = Temporal.Now.instant();
const lines: string[] = [];
const maitred = bookingsApp({
  config: { logLevel: 'trace' },
  deps: { clock: time.clock, logStream: { write: (line) => void lines.push(line) } },
});
const bookings = () => maitred().services.bookings;

/** Words that stand nowhere else, so that one of them found anywhere is a leak. */
const PERSON = {
  firstName: 'Wilhelmina',
  lastName: 'Featherstonehaugh',
  email: 'minnie.f@quagmire.example',
  phone: '+44 7700 900461',
  company: 'Zyzzyva Holdings',
  comments: 'Allergic to persimmon',
  admin_notes: 'Tips generously with doubloons',
  labels: ['philatelist'],
};
const MESSAGE = { text: 'Your persimmon-free menu', replyTo: 'sommelier@quagmire.example' };
const SECRETS = [
  ...Object.values(PERSON).flat(),
  ...Object.values(MESSAGE),
  'Augustina',
  'persimmon',
  'quagmire',
  '900461',
  'not-an-address',
];

/** Every value of every column of every table that is about bookings, as text and as bytes. */
async function everyByte(): Promise<string> {
  const { sql } = maitred();
  const columns = await sql<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and table_name in ('booking', 'booking_intent', 'booking_message', 'event',
      'idempotency_key', 'payment', 'refund', 'house_reservation', 'house_allocation', 'ticket_reservation', 'booking_guest_hash', 'diary_change')`;
  assert.ok(columns.length > 60);
  const found: string[] = [];
  for (const { table, column } of columns) {
    const values = await sql`
      select ${sql(column)}::text as text, pg_typeof(${sql(column)})::text as type
      from ${sql(table)} where ${sql(column)} is not null`;
    for (const { text, type } of values)
      found.push(type === 'bytea' ? Buffer.from(text.slice(2), 'hex').toString('latin1') : text);
  }
  return found.join('\n');
}

const holds = (text: string) => SECRETS.filter((secret) => text.toLowerCase().includes(secret.toLowerCase()));

/** A booking with everything that one can say, changed in every way, asked for wrongly, and written about. */
async function wholeRound(): Promise<Body> {
  const app = maitred();
  const headers = { 'idempotency-key': 'whole-round' };
  const body = { ...PERSON, type: 'request', partnerBookingId: 'round', date: freeDay(), time: '19:00' };
  const booking = await booked(app, body, { headers });
  assert.deepEqual((await book(app, body, { headers })).json, booking, 'answered from what was kept');
  await book(app, { ...body, email: 'not-an-address' });
  await book(app, body);
  await taken(put(app, booking.id, { ...asItIs(booking), ...PERSON, firstName: 'Augustina' }));
  await taken(patch(app, booking.id, [replacing('/comments', PERSON.comments)]));
  await patch(app, booking.id, [replacing('/email', 'not-an-address')]);
  await patch(app, booking.id, [replacing('/email', `${PERSON.email}\0`)]);
  await bookings().accept(operator(1), booking.id);
  await bookings().sendMessage(operator(1), booking.id, MESSAGE);
  for (const query of [`?partnerBookingId=${PERSON.lastName}`, `/${encodeURIComponent(PERSON.email)}`])
    await app.call(`/venues/bookings${query}`);
  await app.call(`/venues/bookings/${booking.id}`, { method: 'PUT', body: `{"email":"${PERSON.email}` });
  const brunch = { date: freeDay(), time: '11:00', company: PERSON.company, preorders: {} };
  await book(app, { ...PERSON, ...brunch }, { productId: BRUNCH });
  return booking;
}

let round: Promise<Body> | undefined;
const theRound = () => (round ??= wholeRound());

test('the database has nothing of a guest in clear', async () => {
  await theRound();
  const bytes = await everyByte();
  assert.ok(bytes.includes('whole-round') && bytes.includes('soho-grill'), 'it was searched');
  assert.deepEqual(holds(bytes), []);
});

test('the log has nothing of a guest', async () => {
  await theRound();
  assert.ok(lines.filter((line) => line.includes('/venues/')).length >= 12, 'it was written');
  assert.deepEqual(holds(lines.join('\n')), []);
});

test("a guest's data that was copied to another booking does not open there", async () => {
  const { sql } = maitred();
  const [mine, other] = [
    await booked(maitred(), PERSON),
    await booked(maitred(), {}, { as: 'other-partner' }),
  ];
  await sql`update booking b set guest = o.guest from booking o where b.id = ${other.id} and o.id = ${mine.id}`;
  await assert.rejects(bookings().get(operator(1), other.id));
  await sql`update booking set guest = null where id = ${other.id}`;
});

/** What a read shows of a guest that was forgotten. */
const NOBODY = {
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  company: null,
  notes: null,
  labels: [],
};

test('a guest who is forgotten is gone from everywhere, and the numbers of the booking stay', async () => {
  const { sql, services } = maitred();
  const booking = await booked(maitred(), { ...PERSON, children: 1, depositAmount: 700 });
  await bookings().sendMessage(operator(1), booking.id, MESSAGE);
  const [eventsBefore] = [await services.events.listOfBooking(sql, booking.id)];
  await bookings().forgetGuest(operator(1), booking.id);
  assert.deepEqual(await bookings().get(demoPartner, booking.id), { ...booking, ...NOBODY });
  assert.equal((await bookings().get(operator(1), booking.id)).admin_notes, null);
  const [row] = await sql`select guest, deposit_pence, children from booking where id = ${booking.id}`;
  assert.deepEqual({ ...row }, { guest: null, deposit_pence: 700, children: 1 });
  const [message] = await bookings().listMessages(demoPartner, booking.id, { limit: 1, offset: 0 });
  assert.equal(message?.message, null);
  const events = await services.events.listOfBooking(sql, booking.id);
  assert.deepEqual(
    events,
    eventsBefore.map((event) => ({ ...event, body: null })),
  );
  const path = `/venues/bookings?operatorBookingId=${booking.operatorBookingId}`;
  const [listed] = (await callNow(maitred(), path)).json.data;
  assert.deepEqual([listed.firstName, listed.labels, listed.depositAmount], [null, [], 700]);
});

test('a booking whose guest was forgotten can be cancelled and finished, but needs a name to be amended', async () => {
  const [first, second] = [await booked(maitred(), PERSON), await booked(maitred(), PERSON)];
  for (const { id } of [first, second]) await bookings().forgetGuest(operator(1), id);
  const refused = await patch(maitred(), first.id, [replacing('/comments', 'x')]);
  assert.deepEqual(Object.keys(refused.json.errors), ['firstName', 'lastName']);
  assert.equal((await cancel(maitred(), first.id)).status, 204);
  const named = [replacing('/firstName', 'Somebody'), replacing('/lastName', 'Else')];
  assert.equal((await taken(patch(maitred(), second.id, named))).lastName, 'Else');
});

test('a guest is forgotten for the operator of the venue and for the partner, and for nobody else', async () => {
  const { id } = await booked(maitred(), PERSON);
  await addOperatorClient(maitred().sql, 2);
  const rows = await rowsOf(maitred().sql, id);
  await assertThrows(bookings().forgetGuest(operator(2), id), 'OPRTR-N-002');
  const other = { ...demoPartner, partner: { id: 2, reference: 'other-partner', name: '' } };
  await assertThrows(bookings().forgetGuest(other as typeof demoPartner, id), 'PMAP-N-003');
  assert.deepEqual(await rowsOf(maitred().sql, id), rows);
});

test('a change that was begun before the guest was forgotten does not bring it back', async () => {
  for (const _ of Array(10)) {
    const { id } = await booked(maitred(), PERSON);
    const changes = [1, 2, 3, 4].map((each) =>
      patch(maitred(), id, [replacing('/phone', `+44 7700 90046${each}`)]),
    );
    await Promise.all([...changes, bookings().forgetGuest(operator(1), id)]);
    assert.deepEqual((await bookings().get(demoPartner, id)).firstName, null);
  }
});

test('guests are forgotten so many days after their visit, whatever became of it, and not before', async () => {
  const { sql } = maitred();
  await sql`update booking set guest = null`;
  time.moveTo(start);
  const day = freeDay();
  const at = (hour: string, more: Body = {}) =>
    booked(maitred(), { ...PERSON, date: day, time: hour, ...more });
  const [early, cancelled, enquiry, late] = [
    await at('18:00'),
    await at('18:00'),
    await at('18:00', { type: 'request' }),
    await at('19:00'),
  ];
  await cancel(maitred(), cancelled.id);
  time.moveTo(early.dateTime);
  time.move({ hours: 24 * 30 });
  assert.equal(await bookings().forgetOldGuests(30), 0);
  time.move({ milliseconds: 1 });
  assert.equal(await bookings().forgetOldGuests(31), 0);
  assert.equal(await bookings().forgetOldGuests(30), 3);
  for (const { id } of [early, cancelled, enquiry]) {
    assert.equal((await bookings().get(demoPartner, id)).lastName, null);
    for (const { body } of await maitred().services.events.listOfBooking(sql, id)) assert.equal(body, null);
  }
  assert.equal((await bookings().get(demoPartner, late.id)).lastName, PERSON.lastName);
  assert.equal(await bookings().forgetOldGuests(30), 0);
});

test('more guests than fit into one batch are forgotten in one go', async () => {
  const { sql } = maitred();
  time.moveTo(start);
  const { id } = await booked(maitred(), PERSON);
  await sql`
    insert into booking select (copy).* from (
      select jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid(),
        'starts_at', b.starts_at - interval '400 days')) as copy
      from booking b, generate_series(1, 250) where b.id = ${id}) copies`;
  assert.equal(await bookings().forgetOldGuests(30), 250);
  assert.equal((await bookings().get(demoPartner, id)).lastName, PERSON.lastName);
});

test('the company that a channel asks for is one of its list and kept like the rest', async () => {
  const preorders = {
    packages: [{ id: 112, quantity: 2 }],
    menus: [{ id: 111, items: [{ id: 11108, quantity: 2 }] }],
  };
  const brunch = { date: freeDay(), time: '11:00', company: COMPANY, preorders };
  const booking = await booked(maitred(), brunch, { productId: BRUNCH });
  assert.equal(booking.company, COMPANY);
  const [row] = await maitred().sql`select b::text as row from booking b where id = ${booking.id}`;
  assert.ok(!row?.row.includes(COMPANY));
});
