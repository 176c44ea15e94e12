import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callNow, operator, standingClock } from '../bookings/amend/amending.ts';
import { BOOTH, type Body, bookingsApp, freeDay, HIDDEN, jazzDay, traces } from '../bookings/support.ts';
import { paid, refundsOf } from '../payments/support.ts';
import {
  ada,
  assertRefusedWhole,
  cancel,
  dinner,
  done,
  order,
  ordered,
  read,
  tickets,
  wordsOf,
} from './support.ts';

const time = standingClock();
const start = time.clock();
const app = bookingsApp({ deps: { clock: time.clock } });

const idsOf = ({ items }: Body): string[] => items.map(({ bookingId }: Body) => bookingId);
const booth = () => ({ compositeId: BOOTH, quantity: 2, date: freeDay(), time: '20:00' });
const NOBODYS = '019a7f3e-61b0-7c55-9a0e-6f1d2b3c4d5e';
const statusOf = async (id: string) => (await app().call(`/venues/bookings/${id}`)).json.status;

for (const [what, body] of [
  ['without a body', undefined],
  ['with an empty body', {}],
  ['with an empty list', { bookingIds: [] }],
  ['with null for a list', { bookingIds: null }],
] as const)
  test(`${what} every booking of the order is cancelled, and its place is free`, async () => {
    const past = await traces(app().sql);
    const made = await ordered(app(), [
      dinner(),
      tickets(),
      dinner({ type: 'request' }),
      dinner({ quantity: 900 }),
    ]);
    const gone = await done(cancel(app(), made.orderId, body));
    assert.deepEqual(wordsOf(gone), ['cancelled', 'cancelled', 'cancelled']);
    assert.deepEqual([gone.orderId, gone.status], [made.orderId, 'cancelled']);
    assert.deepEqual(idsOf(gone), idsOf(made).slice(0, 3));
    for (const { booking } of gone.items) assert.equal(booking.status, 'cancelled');
    const now = await traces(app().sql);
    assert.deepEqual(
      [now.reservations, now.tables, now.tickets],
      [past.reservations, past.tables, past.tickets],
    );
    assert.equal(now.events - past.events, 6, 'each booking is told of twice');
    assert.equal((await done(read(app(), made.orderId))).status, 'cancelled');
  });

test('a client that always says it sends JSON may send nothing', async () => {
  const made = await ordered(app(), [dinner()]);
  const headers = { 'content-type': 'application/json' };
  assert.deepEqual(wordsOf(await done(cancel(app(), made.orderId, undefined, { headers }))), ['cancelled']);
});

test('some of the bookings are cancelled, in the order in which they are named, and the others stand', async () => {
  const made = await ordered(app(), [dinner(), tickets(), booth(), dinner()]);
  const [one = '', two = '', three = '', four = ''] = idsOf(made);
  const gone = await done(cancel(app(), made.orderId, { bookingIds: [three, one.toUpperCase()] }));
  assert.deepEqual(idsOf(gone), [three, one]);
  assert.deepEqual(
    gone.items.map(({ index }: Body) => index),
    [0, 1],
  );
  assert.equal(gone.status, 'partial');
  assert.deepEqual(await Promise.all([one, two, three, four].map(statusOf)), [
    'cancelled',
    'confirmed',
    'cancelled',
    'confirmed',
  ]);
  assert.deepEqual(wordsOf(await done(read(app(), made.orderId))), [
    'cancelled',
    'booked',
    'cancelled',
    'booked',
  ]);
});

test('cancelled again, it answers the same and does nothing', async () => {
  const made = await ordered(app(), [dinner(), tickets()]);
  const gone = await done(cancel(app(), made.orderId));
  const past = await traces(app().sql);
  assert.deepEqual(await done(cancel(app(), made.orderId)), gone);
  assert.deepEqual(await done(cancel(app(), made.orderId, { bookingIds: idsOf(made) })), gone);
  assert.deepEqual(await traces(app().sql), past);
});

test('twenty cancellations at once are one', async () => {
  const made = await ordered(app(), [dinner(), tickets()]);
  const past = await traces(app().sql);
  const answers = await Promise.all(Array.from({ length: 20 }, () => done(cancel(app(), made.orderId))));
  for (const answer of answers) assert.deepEqual(wordsOf(answer), ['cancelled', 'cancelled']);
  assert.equal((await traces(app().sql)).events - past.events, 2);
});

test('what was paid goes back by the terms of each booking', async () => {
  const made = await ordered(app(), [tickets({ quantity: 1, date: jazzDay(4) }), dinner()]);
  const [id = ''] = idsOf(made);
  await paid(app(), id);
  const gone = await done(cancel(app(), made.orderId));
  assert.equal(gone.items[0].booking.payments[0].refunded, 2400);
  assert.equal((await refundsOf(app(), id)).length, 1);
});

test('an order of which nothing was booked has nothing to cancel', async () => {
  const made = await ordered(app(), [dinner({ quantity: 900 })]);
  const gone = await done(cancel(app(), made.orderId));
  assert.deepEqual([gone.status, gone.items], ['failed', []]);
});

test('an enquiry that was turned down cannot be cancelled, and counts as cancelled', async () => {
  const made = await ordered(app(), [dinner({ type: 'request' }), dinner()]);
  const [asked = ''] = idsOf(made);
  await app().services.bookings.reject(operator(1), asked);
  assert.deepEqual(wordsOf(await done(read(app(), made.orderId))), ['cancelled', 'booked']);
  const gone = await done(cancel(app(), made.orderId));
  assert.deepEqual(wordsOf(gone), ['failed BOOK-N-014', 'cancelled']);
  assert.equal(gone.status, 'cancelled');
});

test('an id that is not of this order fails by itself, whoever has it, and the others are cancelled', async () => {
  const elsewhere = await ordered(app(), [dinner()]);
  const foreign = await ordered(app(), [dinner()], {}, { as: 'other-partner' });
  const unknown = [NOBODYS, idsOf(elsewhere)[0], idsOf(foreign)[0], elsewhere.orderId, 'x'].map(String);
  const made = await ordered(app(), [dinner(), tickets(), dinner()]);
  const [one = '', two = '', three = ''] = idsOf(made);
  const gone = await done(cancel(app(), made.orderId, { bookingIds: [one, ...unknown, two] }));
  assert.deepEqual(wordsOf(gone), ['cancelled', ...unknown.map(() => 'failed BOOK-N-006'), 'cancelled']);
  assert.deepEqual(idsOf(gone), [one, ...unknown, two]);
  assert.equal(gone.status, 'partial');
  const failed = gone.items.slice(1, -1);
  const alike = failed.map(({ bookingId, error, ...item }: Body) => ({
    ...item,
    index: 0,
    error: { ...error, detail: error.detail.replace(bookingId, '…') },
  }));
  for (const each of alike) assert.deepEqual(each, alike[0]);
  for (const id of [three, idsOf(elsewhere)[0]]) assert.equal(await statusOf(String(id)), 'confirmed');
  const none = await done(cancel(app(), made.orderId, { bookingIds: [NOBODYS] }));
  assert.deepEqual([none.status, ...wordsOf(none)], ['partial', 'failed BOOK-N-006']);
});

test('ids that come twice, and what is no list of ids, refuse the whole request', async () => {
  const made = await ordered(app(), [dinner(), tickets()]);
  const [id = ''] = idsOf(made);
  const refuses = async (bookingIds: unknown) =>
    (await assertRefusedWhole(app(), () => cancel(app(), made.orderId, { bookingIds }), 'VALID-N-001'))
      .errors;
  assert.deepEqual(Object.keys(await refuses([id, ''])), ['bookingIds.1']);
  assert.deepEqual(Object.keys(await refuses([NOBODYS, id, NOBODYS])), ['bookingIds.2']);
  for (const again of [id, id.toUpperCase()])
    assert.deepEqual(Object.keys(await refuses([id, again])), ['bookingIds.1']);
  for (const nonsense of [id, 7, [7], [null], [[id]], Array.from({ length: 51 }, () => id)])
    await refuses(nonsense);
  await assertRefusedWhole(app(), () => cancel(app(), made.orderId, { bookings: [id] }), 'VALID-N-001');
  await assertRefusedWhole(app(), () => cancel(app(), made.orderId, []), 'VALID-N-001');
  assert.deepEqual(await Promise.all(idsOf(made).map(statusOf)), ['confirmed', 'confirmed']);
});

test('an order that is not there, or is not ours, is neither read nor cancelled', async () => {
  const kitchen = { compositeId: HIDDEN, quantity: 2, date: freeDay(), time: '19:00' };
  const theirs = await done(order(app(), { ...ada, items: [kitchen] }, { as: 'other-partner' }));
  for (const attempt of [(id: string) => cancel(app(), id), (id: string) => read(app(), id)]) {
    const refuses = (code: string, id: string, status?: number) =>
      assertRefusedWhole(app(), () => attempt(id), code, status);
    await refuses('PMAP-N-003', theirs.orderId, 403);
    for (const id of [
      '019a7f3e-61b0-7c55-9a0e-6f1d2b3c4d5e',
      'nonsense',
      '%20',
      theirs.items[0]?.bookingId ?? 'x',
    ])
      await refuses('BOOK-N-006', id);
  }
});

test('what has begun cannot be cancelled, and the rest can', async (t) => {
  t.after(() => time.moveTo(start));
  const [near, far] = [freeDay(), freeDay()];
  const made = await ordered(app(), [
    dinner({ date: near, time: '19:00' }),
    dinner({ date: far, time: '19:00' }),
  ]);
  time.moveTo(Temporal.ZonedDateTime.from(`${near}T19:00[Europe/London]`).toInstant());
  const past = { path: `/v1/orders/${made.orderId}`, options: { method: 'DELETE' } as const };
  const gone = await done(callNow(app(), past.path, past.options));
  assert.deepEqual(wordsOf(gone), ['failed BOOK-N-014', 'cancelled']);
  assert.deepEqual([gone.items[0].bookingId, gone.items[0].error.status], [idsOf(made)[0], 409]);
  assert.equal(gone.status, 'partial');
});
