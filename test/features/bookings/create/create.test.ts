import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '@toon-format/toon';
import { BOOKING_SOURCES } from '../../../../src/features/bookings/record.ts';
import { assertProblem } from '../../../support/app.ts';
import {
  assertRefused,
  book,
  booked,
  bookingsApp,
  DINNER,
  freeDay,
  PRIVATE,
  tablesOf,
  traces,
} from '../support.ts';

const app = bookingsApp();

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const read = async (id: string, as = 'demo-partner') =>
  (await app().call(`/venues/bookings/${id}`, { as })).json;

test('an instant booking is confirmed and answered in full', async () => {
  const date = freeDay();
  const before = await traces(app().sql);
  const booking = await booked(app(), { date, time: '19:30', partnerBookingId: 'order-1' });
  const { id, operatorBookingId, createdDate, tmsCreatedDate, lastUpdate, location, ...rest } = booking;
  assert.match(id, UUID_V7);
  assert.ok(operatorBookingId.length >= 4);
  assert.equal(createdDate, lastUpdate);
  assert.equal(tmsCreatedDate, createdDate);
  assert.ok(Math.abs(Date.parse(createdDate) - Date.now()) < 60_000);
  assert.equal(location.city, 'London');
  assert.equal(location.area, 'Soho');
  const dateTime = Temporal.ZonedDateTime.from(`${date}T19:30[Europe/London]`);
  assert.deepEqual(rest, {
    compositeId: DINNER,
    type: 'book',
    date,
    time: '19:30',
    dateTime: dateTime.toString({ timeZoneName: 'never' }),
    partySize: 2,
    children: 0,
    status: 'confirmed',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    phone: '+44 20 7946 0018',
    company: null,
    venueGroupName: 'Lamp & Larder',
    venueName: 'Soho Grill',
    duration: 90,
    productName: 'Dinner',
    spaceId: null,
    notes: null,
    labels: [],
    preorders: { packages: [], menus: [] },
    partnerBookingId: 'order-1',
    reference: operatorBookingId,
    payments: [],
    depositAmount: null,
    paymentDue: null,
    actualGuests: null,
    actualSpend: null,
  });
  const after = await traces(app().sql);
  assert.deepEqual(after, {
    ...before,
    bookings: before.bookings + 1,
    reservations: before.reservations + 1,
    tables: before.tables + 1,
    events: before.events + 1,
  });
  assert.deepEqual(await read(id), booking, 'a read shows what creation answered');
});

test('only type, party size, name and a date-time are needed, and null counts as left out', async () => {
  const nothing = {
    email: undefined,
    phone: undefined,
  };
  const bare = await booked(app(), nothing);
  const nulls = await booked(app(), {
    ...{ email: null, phone: null, company: null, comments: null, admin_notes: null, labels: null },
    ...{ children: null, duration: null, spaceId: null, depositAmount: null, preorders: null },
    ...{ partnerBookingId: null, dateTime: null, date: freeDay(), time: '19:00' },
  });
  for (const booking of [bare, nulls]) {
    assert.equal(booking.status, 'confirmed');
    assert.deepEqual(
      [booking.email, booking.phone, booking.notes, booking.partnerBookingId],
      Array(4).fill(null),
    );
    assert.equal(booking.children, 0);
    assert.deepEqual(booking.labels, []);
  }
});

test('notes are shown as they were sent, under either name', async () => {
  for (const body of [{ notes: 'Upstairs' }, { notes: 'Upstairs', comments: 'Upstairs' }])
    assert.equal((await booked(app(), body)).notes, 'Upstairs');
});

test('comments are shown as notes, and admin_notes to the operator alone', async () => {
  const booking = await booked(app(), {
    comments: 'By the window',
    admin_notes: 'Regular',
    labels: ['vip', 'birthday'],
  });
  assert.equal(booking.notes, 'By the window');
  assert.deepEqual(booking.labels, ['vip', 'birthday']);
  assert.ok(!('admin_notes' in booking) && !('comments' in booking));
  assert.ok(!('admin_notes' in (await read(booking.id))));
  const seenByOperator = await read(booking.id, 'demo-operator');
  assert.equal(seenByOperator.admin_notes, 'Regular');
  assert.equal(seenByOperator.notes, 'By the window');
});

test('a deposit that the partner took is kept to the fraction of a penny', async () => {
  const booking = await booked(app(), { depositAmount: 1250.5, partnerBookingId: 'with-deposit' });
  const list = await app().call('/venues/bookings?partnerBookingId=with-deposit');
  assert.deepEqual(
    list.json.data.map((each: { id: string; depositAmount: number }) => [each.id, each.depositAmount]),
    [[booking.id, 1250.5]],
  );
});

test('a company is kept where the channel does not ask for one', async () => {
  assert.equal((await booked(app(), { company: 'Anybody Ltd' })).company, 'Anybody Ltd');
});

test('the door through which a booking came is one of the list, and api when nobody says', async () => {
  const sourceOf = async (headers: Record<string, string>) => {
    const { id } = await booked(app(), {}, { headers });
    const [row] = await app().sql<{ source: string }[]>`select source from booking where id = ${id}`;
    return row?.source;
  };
  assert.equal(await sourceOf({}), 'api');
  for (const source of ['email', 'phone', 'api', 'webhook', 'js-tag', 'chatbot', 'puller', 'portal'])
    assert.equal(await sourceOf({ 'X-Booking-Source': source }), source);
  assert.equal(BOOKING_SOURCES.length, 8);
  for (const source of ['fax', 'API', '', 'api,phone']) {
    const attempt = () => book(app(), {}, { headers: { 'X-Booking-Source': source } });
    const { errors } = await assertRefused(app(), attempt, 400, 'VALID-N-001');
    assert.ok(errors['x-booking-source'], JSON.stringify(errors));
  }
});

test('in TOON it says the same', async () => {
  const answer = await book(app(), { partnerBookingId: 'toon' }, { headers: { accept: 'text/toon' } });
  assert.equal(answer.status, 201, answer.text);
  assert.match(String(answer.headers['content-type']), /^text\/toon/);
  const booking = decode(answer.text) as { id: string; status: string };
  assert.equal(booking.status, 'confirmed');
  assert.deepEqual(booking, await read(booking.id));
});

test('nobody on the way keeps what guests have said', async () => {
  assert.equal((await book(app())).headers['cache-control'], 'no-store');
});

test('neither JSON nor TOON is refused before anything is booked', async () => {
  await assertRefused(app(), () => book(app(), {}, { headers: { accept: 'image/png' } }), 406, 'HTTP-N-406');
});

test('a stay lasts as long as the house gives the party, or as was asked', async () => {
  assert.equal((await booked(app())).duration, 90);
  assert.equal((await booked(app(), { partySize: 5 })).duration, 120);
  assert.equal((await booked(app(), { duration: 180 })).duration, 180);
  for (const duration of [15, 255, 100])
    await assertRefused(app(), () => book(app(), { duration }), 422, 'AVAIL-N-006');
  const enquiry = { type: 'request', partySize: 12 };
  for (const duration of [15, 255, 100])
    await assertRefused(app(), () => book(app(), { ...enquiry, duration }), 422, 'AVAIL-N-006');
});

test('children count when the table is chosen, and partySize stays the adults', async () => {
  const family = await booked(app(), { partySize: 2, children: 4 });
  assert.equal(family.partySize, 2);
  assert.equal(family.children, 4);
  assert.equal(family.duration, 120, 'the stay of a party of six');
  const [seats] = await app().sql<{ covers: number }[]>`
    select sum(max_covers) as covers from house_table where id = any(${await tablesOf(app().sql, family.id)})`;
  assert.ok(Number(seats?.covers) >= 6);
  assert.equal((await booked(app(), { partySize: 6, children: 2 })).status, 'confirmed');
  await assertRefused(app(), () => book(app(), { partySize: 6, children: 3 }), 409, 'AVAIL-N-005');
});

test('a party that the house never seats is refused, at once and as an enquiry', async () => {
  for (const type of ['book', 'request'])
    await assertRefused(app(), () => book(app(), { type, partySize: 21 }), 409, 'AVAIL-N-005');
});

test('an enquiry waits for the operator and holds nothing', async () => {
  const before = await traces(app().sql);
  const enquiries = [
    await booked(app(), { type: 'request', partySize: 12 }),
    await booked(app(), { type: 'request' }),
    await booked(app(), { type: 'request', partySize: 12 }, { productId: PRIVATE }),
  ];
  assert.deepEqual(
    enquiries.map(({ type, status, operatorBookingId, reference, tmsCreatedDate, duration }) => [
      ...[type, status, operatorBookingId, reference, tmsCreatedDate, duration],
    ]),
    [
      ['request', 'pending', null, null, null, 150],
      ['request', 'pending', null, null, null, 90],
      ['request', 'pending', null, null, null, 240],
    ],
  );
  assert.deepEqual(await traces(app().sql), {
    ...before,
    bookings: before.bookings + 3,
    events: before.events + 3,
  });
});

test('what can only be enquired about is not booked', async () => {
  const instant = { partySize: 12 };
  await assertRefused(app(), () => book(app(), instant), 409, 'AVAIL-N-005');
  await assertRefused(app(), () => book(app(), instant, { productId: PRIVATE }), 409, 'AVAIL-N-005');
});

test('when the house is full an enquiry is still taken, and a booking is not', async () => {
  const at = { date: freeDay(), time: '20:00' };
  for (let party = 0; party < 3; party++) await booked(app(), { ...at, partySize: 8 });
  await assertRefused(app(), () => book(app(), at), 409, 'AVAIL-N-005');
  assert.equal((await booked(app(), { ...at, type: 'request' })).status, 'pending');
  assert.equal((await booked(app(), { ...at, time: '20:15' })).status, 'confirmed');
});

test('a start off the grid or outside the hours is nobody’s, at once and as an enquiry', async () => {
  const date = freeDay();
  for (const type of ['book', 'request'])
    for (const time of ['19:07', '19:00:30', '12:00', '03:00', '22:45'])
      assertProblem(await book(app(), { type, date, time }), 409, 'AVAIL-N-005');
});

test('an agent books for the partner it names', async () => {
  const agent = { as: 'demo-agent', headers: { 'X-Partner-Reference': 'demo-partner' } };
  const booking = await booked(app(), {}, agent);
  assert.deepEqual(await read(booking.id), booking);
  const [row] = await app().sql<{ partnerId: number; clientId: string }[]>`
    select partner_id as "partnerId", client_id as "clientId" from booking where id = ${booking.id}`;
  assert.deepEqual({ ...row }, { partnerId: 1, clientId: 'demo-agent' });
});
