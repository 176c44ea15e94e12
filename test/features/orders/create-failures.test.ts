/** What only a venue or its system can tell: it stays in its item, and the others are booked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BOOTH,
  type Body,
  booked,
  bookingsApp,
  CLOSED,
  COPPER_ROOM,
  DINNER,
  freeDay,
  HIDDEN,
  jazzDay,
  PRIVATE,
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
  read,
  remains,
  tickets,
  wordsOf,
} from './support.ts';

const app = bookingsApp();

const on = { date: freeDay(), time: '19:00' };
const table = (compositeId: string, overrides: Body = {}) => ({
  compositeId,
  quantity: 2,
  ...on,
  ...overrides,
});

/** An item that cannot be had, the code that says so and the status that the code has everywhere. */
const failures: [string, Body, string, number][] = [
  ['an unknown venue', table('1|house|nowhere|dinner'), 'VENUE-N-001', 404],
  ['an unknown product', table('1|house|soho-grill|tea'), 'VENUE-N-002', 404],
  ['an unknown event', table('2|tickets|nowhere|vip'), 'VENUE-N-001', 404],
  ['an unknown ticket type', tickets({ compositeId: '2|tickets|jazz-night|balcony' }), 'EVENT-N-002', 404],
  ['an unknown system', table('1|nosuch|soho-grill|dinner'), 'BOOK-N-003', 404],
  [
    'an unknown system of an operator that is not yours',
    table('3|nosuch|kitchen|dinner'),
    'VENUE-N-001',
    404,
  ],
  ['a venue that is not ours to sell', table(HIDDEN), 'PMAP-N-001', 403],
  ['a closed venue', table(CLOSED), 'VENUE-N-009', 409],
  [
    'a time that contradicts the zone of the venue',
    table(DINNER, { dateTime: `${on.date}T12:00:00Z` }),
    'BOOK-N-018',
    400,
  ],
  ['an hour at which it does not trade', table(DINNER, { time: '09:00' }), 'AVAIL-N-005', 409],
  ['a day that is over', table(DINNER, { date: '2020-01-06' }), 'AVAIL-N-007', 400],
  ['a day that is too far away', table(DINNER, { date: '2099-01-05' }), 'AVAIL-N-008', 400],
  ['a party that never fits', table(DINNER, { quantity: 21 }), 'AVAIL-N-005', 409],
  ['an unknown space', table(PRIVATE, { spaceId: 4711, quantity: 10 }), 'BOOK-N-010', 404],
  ['a space of another product', table(DINNER, { spaceId: COPPER_ROOM }), 'BOOK-N-017', 422],
  ['no pre-order where one is needed', brunch({ preorders: null }), 'BOOK-N-007', 422],
  [
    'a pre-order that the product does not have',
    brunch({ preorders: { packages: [{ id: 1, quantity: 2 }] } }),
    'VALID-N-001',
    400,
  ],
  ['no company where one is needed', brunch({ company: null }), 'BOOK-N-016', 422],
  ['a company that is not on the list', brunch({ company: 'Nobody Ltd' }), 'BOOK-N-015', 422],
  ['more tickets than one may buy at once', tickets({ quantity: 9 }), 'AVAIL-N-005', 409],
  ['a night without a concert', tickets({ date: freeDay(2) }), 'AVAIL-N-004', 422],
  ['a rule that it breaks', table(BLUE_NOTE, { quantity: 10, date: freeDay(5) }), 'BKRUL-N-001', 400],
];
for (const [index, [what, item, code, status]] of failures.entries())
  test(`${what} stays in its item`, async () => {
    const good = table(DINNER, { quantity: 1, time: index % 2 === 0 ? '17:00' : '21:00' });
    const past = await traces(app().sql);
    const made = await ordered(app(), [good, item, tickets({ quantity: 1 })]);
    assert.deepEqual(wordsOf(made), ['booked', `failed ${code}`, 'booked']);
    assert.equal(made.status, 'partial');
    const { bookingId, booking, compositeId, error } = made.items[1];
    assert.deepEqual([bookingId, booking, compositeId], [null, undefined, item.compositeId]);
    assert.equal(error.status, status);
    assert.match(error.type, new RegExp(`/problems/${code}$`));
    assert.ok(error.title && error.detail);
    assert.deepEqual(await done(read(app(), made.orderId)), made, 'and is read the same later');
    const now = await traces(app().sql);
    assert.deepEqual([now.bookings - past.bookings, now.events - past.events], [2, 2]);
  });

test('an order of which nothing can be had has failed, and is there all the same', async () => {
  const past = await remains(app().sql);
  const made = await ordered(app(), [table(HIDDEN), table(CLOSED)]);
  assert.equal(made.status, 'failed');
  assert.deepEqual(await done(read(app(), made.orderId)), made);
  assert.deepEqual(await remains(app().sql), { ...past, orders: past.orders + 1, items: past.items + 2 });
});

test('a partnerBookingId that another booking has fails its item', async () => {
  const { id } = await booked(app(), { partnerBookingId: 'taken' });
  const made = await ordered(app(), [
    dinner({ partnerBookingId: 'taken' }),
    dinner({ partnerBookingId: 'free' }),
  ]);
  assert.deepEqual(wordsOf(made), ['failed BOOK-N-002', 'booked']);
  assert.equal(made.items[0].error.bookingId, id);
  assert.deepEqual(await done(read(app(), made.orderId)), made);
});

test('a partner that its operator has suspended gets nothing there, and the rest elsewhere', async () => {
  const { sql } = app();
  await sql`update partner_operator set is_suspended = true where partner_id = 1 and operator_id = 5`;
  const made = await ordered(app(), [table('5|house|brasserie-voltige|table'), dinner()]);
  assert.deepEqual(wordsOf(made), ['failed BOOK-N-005', 'booked']);
});

const typeOf = ({ items }: Body) =>
  items.map(({ booking }: Body) => booking && [booking.type, booking.status]);

test('without a type an item is booked where that is offered, and asked for where it is not', async () => {
  const items = [
    dinner(),
    dinner({ quantity: 9 }),
    table(PRIVATE, { quantity: 10 }),
    tickets(),
    table(BOOTH, { quantity: 7, date: freeDay(6), time: '22:00' }),
  ];
  const made = await ordered(app(), items);
  assert.deepEqual(wordsOf(made), ['booked', 'requested', 'requested', 'booked', 'requested']);
  assert.equal(made.status, 'complete');
  const [book, request] = [
    ['book', 'confirmed'],
    ['request', 'pending'],
  ];
  assert.deepEqual(typeOf(made), [book, request, request, book, request]);
});

test('without a type a full evening is asked for, and where nobody answers it fails', async () => {
  const full = { date: freeDay(), time: '19:00' };
  const party = { ...full, compositeId: DINNER, quantity: 8, type: 'book' };
  const taken = await ordered(app(), [party, party, party]);
  assert.deepEqual(wordsOf(taken), ['booked', 'booked', 'booked']);
  const asked = await ordered(app(), [dinner(full), dinner({ ...full, type: 'book' })]);
  assert.deepEqual(wordsOf(asked), ['requested', 'failed AVAIL-N-005']);

  const kitchen = table(HIDDEN, { quantity: 4 });
  const other = { as: 'other-partner' };
  const { items } = await done(order(app(), { ...ada, items: [kitchen, kitchen, kitchen] }, other));
  assert.deepEqual(wordsOf({ items }), ['booked', 'booked', 'failed AVAIL-N-005']);
});

test('tickets that are sold out fail with or without a type', async () => {
  const vip = tickets({ compositeId: VIP, quantity: 4, date: jazzDay(8) });
  const made = await ordered(app(), [
    vip,
    vip,
    vip,
    vip,
    { ...vip, type: 'book' },
    { ...vip, type: 'request' },
  ]);
  const sold = 'failed AVAIL-N-005';
  assert.deepEqual(wordsOf(made), ['booked', 'booked', 'booked', sold, sold, sold]);
});

test('a type that is given is kept to', async () => {
  const made = await ordered(app(), [
    dinner({ type: 'request' }),
    dinner({ type: 'book', quantity: 9 }),
    dinner({ type: 'book' }),
  ]);
  assert.deepEqual(wordsOf(made), ['requested', 'failed AVAIL-N-005', 'booked']);
});

test('what a rule routes becomes an enquiry, whether a booking was asked for or nothing', async () => {
  const night = { compositeId: BOOTH, quantity: 7, date: freeDay(6), time: '22:00' };
  const made = await ordered(app(), [night, { ...night, type: 'book' }, { ...night, quantity: 6 }]);
  assert.deepEqual(wordsOf(made), ['requested', 'requested', 'booked']);
});
