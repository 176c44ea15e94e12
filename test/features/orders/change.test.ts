import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf } from '../bookings/amend/amending.ts';
import {
  type Body,
  bookingsApp,
  CELLAR,
  COPPER_ROOM,
  DINNER,
  freeDay,
  jazzDay,
  PRIVATE,
  STANDARD,
  tablesOf,
  VIP,
} from '../bookings/support.ts';
import { paid, refundsOf } from '../payments/support.ts';
import { brunch, cancel, change, dinner, done, ordered, read, tickets, wordsOf } from './support.ts';

const app = bookingsApp();

/** An order of one item, changed; the booking as it was and as it is, in the answer and in a later read. */
async function changed(item: Body, changes: Body): Promise<{ before: Body; result: Body; after: Body }> {
  const made = await ordered(app(), [item]);
  const { booking: before } = made.items[0];
  const answer = await done(change(app(), made.orderId, [{ bookingId: before.id, ...changes }]));
  assert.deepEqual([answer.orderId, answer.items.length, answer.items[0].index], [made.orderId, 1, 0]);
  const { json: after } = await app().call(`/venues/bookings/${before.id}`);
  const { booking = after } = answer.items[0];
  assert.deepEqual(booking, after);
  return { before, result: answer.items[0], after };
}

const room = (overrides: Body = {}) => ({
  compositeId: PRIVATE,
  quantity: 12,
  date: freeDay(),
  time: '18:00',
  type: 'request',
  duration: 240,
  spaceId: CELLAR,
  email: 'ada@example.com',
  phone: '+44 20 7946 0018',
  company: 'Analytical Engines',
  notes: 'A long table',
  ...overrides,
});

test('an id that is not of this order fails by itself, and the other bookings are changed', async () => {
  const made = await ordered(app(), [dinner(), tickets()]);
  const elsewhere = await ordered(app(), [dinner()]);
  const [first, second] = made.items.map(({ bookingId }: Body) => bookingId);
  const other = elsewhere.items[0].bookingId;
  const past = await rowsOf(app().sql, other);
  const answer = await done(
    change(app(), made.orderId, [
      { bookingId: first, firstName: 'Grace' },
      { bookingId: other, firstName: 'Grace', compositeId: PRIVATE },
      { bookingId: second, lastName: 'Hopper' },
    ]),
  );
  assert.deepEqual(wordsOf(answer), ['booked', 'failed BOOK-N-006', 'booked']);
  const [grace, failed, hopper] = answer.items;
  assert.deepEqual([grace.booking.firstName, hopper.booking.lastName], ['Grace', 'Hopper']);
  assert.deepEqual([failed.index, failed.bookingId, failed.compositeId], [1, other, null]);
  assert.deepEqual(await rowsOf(app().sql, other), past);
});

/** Fields that change, as they are sent and as a read shows them; all others stay as they were. */
const fields: [string, Body, Body][] = [
  ['quantity', { quantity: 10 }, { partySize: 10 }],
  ['children', { children: 2 }, { children: 2 }],
  ['time', { time: '19:00' }, { time: '19:00' }],
  ['duration', { duration: 180 }, { duration: 180 }],
  ['spaceId', { spaceId: COPPER_ROOM }, { spaceId: COPPER_ROOM }],
  ['firstName', { firstName: 'Grace' }, { firstName: 'Grace' }],
  ['lastName', { lastName: 'Hopper' }, { lastName: 'Hopper' }],
  ['email', { email: 'grace@example.com' }, { email: 'grace@example.com' }],
  ['phone', { phone: '99999' }, { phone: '99999' }],
  ['company', { company: 'Navy' }, { company: 'Navy' }],
  ['notes', { notes: 'A round one' }, { notes: 'A round one' }],
  ['email, cleared', { email: null }, { email: null }],
  ['phone, cleared', { phone: null }, { phone: null }],
  ['company, cleared', { company: null }, { company: null }],
  ['notes, cleared', { notes: null }, { notes: null }],
  ['spaceId, cleared', { spaceId: null }, { spaceId: null }],
  ['nothing', {}, {}],
  [
    'what is null and cannot be cleared',
    {
      compositeId: null,
      quantity: null,
      dateTime: null,
      date: null,
      time: null,
      type: null,
      preorders: null,
      preorderChanges: null,
    },
    {},
  ],
];
for (const [what, sent, shown] of fields)
  test(`a change of ${what} changes that and nothing else`, async () => {
    const { before, result, after } = await changed(room(), sent);
    assert.equal(result.status, 'requested', JSON.stringify(result.error));
    const { lastUpdate: _, dateTime: __, ...same } = after;
    const { lastUpdate, dateTime, ...was } = before;
    assert.deepEqual(same, { ...was, ...shown });
    const isMoved = Temporal.Instant.compare(after.lastUpdate, lastUpdate) > 0;
    assert.equal(
      isMoved,
      Object.keys(shown).some((name) => shown[name] !== before[name]),
    );
    assert.equal(after.dateTime.slice(0, 10), dateTime.slice(0, 10));
  });

test('children and a stay that are cleared are as if they had not been asked for', async () => {
  const { after } = await changed(dinner({ children: 2, duration: 180 }), { children: null, duration: null });
  assert.deepEqual([after.children, after.duration], [0, 90]);
});

test('a booking moves in time by date, by time, by both and by an instant', async () => {
  const [date, other] = [freeDay(), freeDay()];
  const moved = async (changes: Body) => {
    const { result, after } = await changed(dinner({ date, time: '18:00' }), changes);
    assert.equal(result.status, 'booked', JSON.stringify(result.error));
    return [after.date, after.time];
  };
  assert.deepEqual(await moved({ date: other }), [other, '18:00']);
  assert.deepEqual(await moved({ time: '21:00' }), [date, '21:00']);
  assert.deepEqual(await moved({ date: other, time: '21:00' }), [other, '21:00']);
  const dateTime = Temporal.ZonedDateTime.from(`${other}T20:00[Europe/London]`).toInstant().toString();
  assert.deepEqual(await moved({ dateTime }), [other, '20:00']);
  assert.deepEqual(await moved({ dateTime, date: other, time: '20:00' }), [other, '20:00']);
});

test('more guests get a larger table, and those who are refused keep theirs', async () => {
  const { before, result } = await changed(dinner(), { quantity: 6 });
  assert.equal(result.status, 'booked');
  assert.equal((await tablesOf(app().sql, before.id)).length > 0, true);
  const made = await ordered(app(), [dinner()]);
  const { bookingId } = made.items[0];
  const past = await rowsOf(app().sql, bookingId);
  const refused = await done(change(app(), made.orderId, [{ bookingId, quantity: 9 }]));
  assert.deepEqual(wordsOf(refused), ['failed AVAIL-N-005']);
  assert.deepEqual([refused.items[0].bookingId, refused.items[0].error.status], [bookingId, 409]);
  assert.equal(refused.status, 'complete', 'the booking stands');
  assert.deepEqual(await rowsOf(app().sql, bookingId), past);
});

test('a type turns a booking into an enquiry, and an enquiry into a booking', async () => {
  const asked = await changed(dinner(), { type: 'request', quantity: 9 });
  assert.deepEqual([asked.result.status, asked.after.status], ['requested', 'pending']);
  const taken = await changed(dinner({ quantity: 9 }), { type: 'book', quantity: 4 });
  assert.deepEqual(
    [taken.before.status, taken.result.status, taken.after.status],
    ['pending', 'booked', 'confirmed'],
  );
});

test('a booking moves to another product of its venue or its event', async () => {
  const table = await changed(dinner(), { compositeId: PRIVATE, type: 'request', quantity: 12 });
  assert.deepEqual([table.result.compositeId, table.after.productName], [PRIVATE, 'Private dining']);
  const seat = await changed(tickets(), { compositeId: VIP });
  assert.deepEqual([seat.result.status, seat.after.compositeId], ['booked', VIP]);
  const stay = await changed(dinner(), { compositeId: DINNER });
  assert.equal(stay.result.status, 'booked');
});

test('tickets can be given back, and no more be had', async () => {
  const made = await ordered(app(), [tickets({ quantity: 4 }), tickets({ quantity: 4 })]);
  const [one, two] = made.items.map(({ bookingId }: Body) => bookingId);
  await paid(app(), one);
  const answer = await done(
    change(app(), made.orderId, [
      { bookingId: one, quantity: 2 },
      { bookingId: two, quantity: 5 },
    ]),
  );
  assert.deepEqual(wordsOf(answer), ['booked', 'failed EVENT-N-003']);
  assert.equal(answer.items[1].error.status, 422);
  assert.equal(answer.items[0].booking.payments[0].refunded, 4800);
  assert.deepEqual(
    (await refundsOf(app(), one)).map(({ amountPence, reason }: Body) => [amountPence, reason]),
    [[4800, 'fewer_tickets']],
  );
  const now = await done(read(app(), made.orderId));
  assert.deepEqual(
    now.items.map(({ booking }: Body) => booking.partySize),
    [2, 4],
  );
});

test('changes are independent of each other, and answered in the order of the request', async () => {
  const made = await ordered(app(), [dinner(), tickets(), brunch(), dinner()]);
  const [table, seats, meal, last] = made.items.map(({ bookingId }: Body) => bookingId);
  const answer = await done(
    change(app(), made.orderId, [
      { bookingId: last, notes: 'Last first' },
      { bookingId: meal, company: 'Nobody Ltd' },
      { bookingId: seats, firstName: 'Grace' },
      { bookingId: table, time: '09:00' },
    ]),
  );
  assert.deepEqual(wordsOf(answer), ['booked', 'failed BOOK-N-015', 'booked', 'failed AVAIL-N-005']);
  assert.deepEqual(
    answer.items.map(({ index, bookingId }: Body) => [index, bookingId]),
    [last, meal, seats, table].map((id, index) => [index, id]),
  );
  assert.equal(answer.status, 'complete');
  assert.deepEqual(
    [answer.items[0].booking.notes, answer.items[2].booking.firstName],
    ['Last first', 'Grace'],
  );
});

test('at one venue changes are made one after the other, so that one can have what another gives back', async () => {
  for (const date of [5, 6, 7, 8, 9].map(jazzDay)) {
    const vip = tickets({ compositeId: VIP, quantity: 4, date });
    const made = await ordered(app(), [vip, vip, vip, tickets({ quantity: 4, date })]);
    const ids = made.items.map(({ bookingId }: Body) => bookingId);
    const swap = [
      { bookingId: ids[0], compositeId: STANDARD },
      { bookingId: ids[3], compositeId: VIP },
    ];
    assert.deepEqual(wordsOf(await done(change(app(), made.orderId, swap))), ['booked', 'booked']);
  }
});

test('what was cancelled or turned down meanwhile cannot be changed, and the others can', async () => {
  const made = await ordered(app(), [dinner(), tickets(), dinner()]);
  const [gone, kept, elsewhere] = made.items.map(({ bookingId }: Body) => bookingId);
  await done(cancel(app(), made.orderId, { bookingIds: [gone] }));
  await app().call(`/venues/bookings/${elsewhere}`, { method: 'DELETE' });
  const changes = [gone, kept, elsewhere].map((bookingId) => ({ bookingId, firstName: 'Grace' }));
  const answer = await done(change(app(), made.orderId, changes));
  assert.deepEqual(wordsOf(answer), ['failed BOOK-N-014', 'booked', 'failed BOOK-N-014']);
  assert.equal(answer.status, 'partial');
});
