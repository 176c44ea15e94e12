import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BOOTH,
  type Body,
  bookingsApp,
  COMPANY,
  COPPER_ROOM,
  freeDay,
  guest,
  jazzDay,
  PRIVATE,
  STANDARD,
  traces,
  VIP,
} from '../bookings/support.ts';
import {
  ada,
  BLUE_NOTE,
  brunch,
  dinner,
  done,
  order,
  ordered,
  plates,
  read,
  tickets,
  wordsOf,
} from './support.ts';

const app = bookingsApp();

const bookingOf = async (id: string) => (await app().call(`/venues/bookings/${id}`)).json;

test('tables and tickets over venues and operators are booked, and answered in the order of the request', async () => {
  const past = await traces(app().sql);
  const items = [
    tickets(),
    dinner(),
    { compositeId: BOOTH, quantity: 4, date: freeDay(), time: '22:00' },
    tickets({ compositeId: VIP, quantity: 1 }),
    dinner(),
    { compositeId: BLUE_NOTE, quantity: 2, date: freeDay(), time: '18:00' },
  ];
  const made = await ordered(app(), items);
  assert.equal(made.status, 'complete');
  assert.deepEqual(
    wordsOf(made),
    items.map(() => 'booked'),
  );
  assert.deepEqual(
    made.items.map(({ index, compositeId }: Body) => [index, compositeId]),
    items.map(({ compositeId }, index) => [index, compositeId]),
  );
  for (const [index, { bookingId, booking }] of made.items.entries()) {
    assert.equal(booking.id, bookingId);
    assert.equal(booking.status, 'confirmed');
    assert.deepEqual(
      [booking.compositeId, booking.partySize, booking.date, booking.time],
      [items[index]?.compositeId, items[index]?.quantity, items[index]?.date, items[index]?.time],
    );
    assert.deepEqual(await bookingOf(bookingId), booking, 'a booking like any other');
  }
  const now = await traces(app().sql);
  assert.deepEqual(
    [now.bookings - past.bookings, now.reservations - past.reservations, now.events - past.events],
    [6, 4, 6],
  );
  assert.equal(Number(now.tickets) - Number(past.tickets), 3);
});

test('an order is read back as it was answered', async () => {
  const made = await ordered(app(), [dinner(), dinner({ quantity: 900 })], { partnerOrderId: 'read me' });
  assert.equal(made.partnerOrderId, 'read me');
  assert.deepEqual(await done(read(app(), made.orderId)), made);
  assert.deepEqual(await done(read(app(), made.orderId.toUpperCase())), made);
});

test('every field of an item arrives in its booking', async () => {
  const date = freeDay();
  const item = {
    compositeId: PRIVATE,
    quantity: 10,
    children: 2,
    date,
    time: '19:00',
    type: 'request',
    duration: 180,
    spaceId: COPPER_ROOM,
    firstName: 'Grace',
    lastName: 'Hopper',
    email: 'grace@example.com',
    phone: '+1 202 555 0143',
    company: 'Navy',
    notes: 'By the fireplace',
    preorders: { packages: [{ slug: 'grill-feast', quantity: 12 }] },
    partnerBookingId: 'room-1',
    depositAmount: 500,
  };
  const made = await ordered(app(), [item]);
  assert.deepEqual(wordsOf(made), ['requested']);
  const { booking } = made.items[0];
  const { quantity, preorders: _, depositAmount, ...same } = item;
  assert.deepEqual(Object.fromEntries(Object.keys(same).map((name) => [name, booking[name]])), same);
  assert.equal(booking.partySize, quantity);
  assert.deepEqual(
    booking.preorders.packages.map(({ id, quantity: each, total }: Body) => [id, each, total]),
    [[101, 12, 78_000]],
  );
  const listed = await app().call('/venues/bookings?partnerBookingId=room-1');
  assert.equal(listed.json.data[0].depositAmount, depositAmount);
});

test('an instant says where on the clock of the venue it is', async () => {
  const date = freeDay();
  const dateTime = Temporal.ZonedDateTime.from(`${date}T19:30[Europe/London]`).toInstant().toString();
  const made = await ordered(app(), [dinner({ dateTime }), dinner({ dateTime, date, time: '19:30' })]);
  for (const { booking } of made.items) assert.deepEqual([booking.date, booking.time], [date, '19:30']);
});

test('what an order says of its guest holds for the items that do not say it themselves', async () => {
  const { firstName, lastName, email, phone } = guest;
  const root = { firstName, lastName, email, phone, company: COMPANY };
  const other = { firstName: 'Grace', email: 'grace@example.com', company: 'Fennimore Bank' };
  const { company: __, ...hers } = brunch();
  const made = await ordered(app(), [hers, { ...hers, ...other, date: freeDay() }], root);
  const guests = made.items.map(({ booking }: Body) =>
    Object.keys(root).map((name) => booking[name as keyof typeof root]),
  );
  assert.deepEqual(guests, [
    [firstName, lastName, email, phone, COMPANY],
    ['Grace', lastName, 'grace@example.com', phone, 'Fennimore Bank'],
  ]);
});

test('a guest can be named by the items alone, and null is as good as nothing', async () => {
  const nothing = { partnerOrderId: null, atomic: null, firstName: null, lastName: null, email: null };
  const empty = { children: null, dateTime: null, type: null, notes: null, preorders: null, spaceId: null };
  const made = await done(
    order(app(), { ...nothing, items: [dinner({ ...ada, ...empty, date: freeDay(), time: '19:00' })] }),
  );
  assert.deepEqual(wordsOf(made), ['booked']);
  assert.equal(made.partnerOrderId, null);
  const { firstName, children, notes } = made.items[0].booking;
  assert.deepEqual([firstName, children, notes], ['Ada', 0, null]);
});

test('what is ordered ahead is booked with a table and means nothing with tickets', async () => {
  const nonsense = { packages: [{ id: 4711, quantity: 1 }] };
  const made = await ordered(app(), [brunch(), tickets({ preorders: nonsense })]);
  assert.deepEqual(wordsOf(made), ['booked', 'booked']);
  const [table, seats] = made.items.map(({ booking }: Body) => booking.preorders);
  assert.deepEqual([table.packages[0].id, table.menus[0].id], [plates.packages[0]?.id, 111]);
  assert.deepEqual(seats, { packages: [], menus: [] });
});

test('where a booking comes from is kept, by default as the interface', async () => {
  const sources = async (asking = {}) => {
    const made = await ordered(app(), [dinner(), tickets()], {}, asking);
    const ids = made.items.map(({ bookingId }: Body) => bookingId);
    const rows = await app().sql<
      { source: string }[]
    >`select source from booking where id = any(${ids}::uuid[])`;
    return rows.map(({ source }) => source);
  };
  assert.deepEqual(await sources(), ['api', 'api']);
  assert.deepEqual(await sources({ headers: { 'X-Booking-Source': 'chatbot' } }), ['chatbot', 'chatbot']);
});

test('an agent orders for its partner, and both may look after it', async () => {
  const agent = { as: 'demo-agent', headers: { 'X-Partner-Reference': 'demo-partner' } };
  const made = await ordered(app(), [dinner()], {}, agent);
  assert.deepEqual(await done(read(app(), made.orderId)), made);
  assert.deepEqual(await done(read(app(), made.orderId, agent)), made);
});

test('fifty items are one order, at one venue one after the other', async () => {
  const date = freeDay();
  const items = Array.from({ length: 50 }, (_, index) =>
    index % 2 === 0
      ? tickets({ quantity: 1, date: jazzDay(4) })
      : dinner({ quantity: 1, date, time: index % 4 === 1 ? '17:00' : '21:00' }),
  );
  const made = await ordered(app(), items);
  assert.equal(made.status, 'complete');
  assert.equal(new Set(made.items.map(({ bookingId }: Body) => bookingId)).size, 50);
  assert.deepEqual(
    made.items.map(({ compositeId }: Body) => compositeId),
    items.map(({ compositeId }) => compositeId),
  );
});

test('of items that want the last place the first has it', async () => {
  const date = jazzDay(6);
  const vip = (quantity: number) => tickets({ compositeId: VIP, quantity, date });
  await ordered(app(), [vip(4), vip(4), vip(2)]);
  const made = await ordered(app(), [vip(3), vip(2), vip(1), tickets({ compositeId: STANDARD, date })]);
  assert.equal(made.status, 'partial');
  assert.deepEqual(wordsOf(made), ['failed AVAIL-N-005', 'booked', 'failed AVAIL-N-005', 'booked']);
});
