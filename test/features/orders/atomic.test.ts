import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BOOTH,
  type Body,
  booked,
  bookingsApp,
  CLOSED,
  DINNER,
  freeDay,
  jazzDay,
  PRIVATE,
  STANDARD,
  traces,
  VIP,
} from '../bookings/support.ts';
import {
  BLUE_NOTE,
  brunch,
  cancel,
  change,
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

const atomic = (items: Body[], root: Body = {}, asking = {}) =>
  ordered(app(), items, { atomic: true, ...root }, asking);
const trailsOf = ({ items }: Body): string[] => items.map(({ trail }: Body) => trail.join(' '));
const table = (compositeId: string, overrides: Body = {}) => ({
  compositeId,
  quantity: 2,
  date: freeDay(),
  time: '20:00',
  ...overrides,
});

/** Nothing is booked, and what became of each item is said; all that is left is the order itself. */
async function fails(items: Body[], words: string[], trails: string[]): Promise<Body> {
  const past = await remains(app().sql);
  const made = await atomic(items);
  assert.equal(made.status, 'failed');
  assert.deepEqual(
    wordsOf(made),
    words.map((code) => `failed ${code}`),
  );
  assert.deepEqual(trailsOf(made), trails);
  for (const { bookingId, booking } of made.items) assert.deepEqual([bookingId, booking], [null, undefined]);
  assert.deepEqual(await remains(app().sql), {
    ...past,
    orders: past.orders + 1,
    items: past.items + items.length,
  });
  assert.deepEqual(await done(read(app(), made.orderId)), made);
  return made;
}

test('all of it is booked, held first and then confirmed, and answered in the order of the request', async () => {
  const past = await traces(app().sql);
  const items = [
    table(BOOTH),
    tickets(),
    dinner(),
    brunch(),
    tickets({ compositeId: VIP, quantity: 1 }),
    table(BLUE_NOTE),
  ];
  const made = await atomic(items);
  assert.equal(made.status, 'complete');
  assert.deepEqual(
    wordsOf(made),
    items.map(() => 'booked'),
  );
  assert.deepEqual(
    trailsOf(made),
    items.map(() => 'held confirmed'),
  );
  assert.deepEqual(
    made.items.map(({ compositeId, booking }: Body) => [compositeId, booking.compositeId]),
    items.map(({ compositeId }) => [compositeId, compositeId]),
  );
  const now = await traces(app().sql);
  assert.deepEqual([now.bookings - past.bookings, now.events - past.events], [6, 6]);
  const [together] = await app().sql`
    select count(distinct xmin::text) as commits from booking
    where id = any(${made.items.map(({ bookingId }: Body) => bookingId)}::uuid[])`;
  assert.equal(together?.commits, 1);
  assert.deepEqual(await done(read(app(), made.orderId)), made);
});

test('several items of one venue count against each other', async () => {
  const vip = (quantity: number) => tickets({ compositeId: VIP, quantity, date: jazzDay(5) });
  const held = 'held released';
  await fails(
    [vip(4), vip(4), vip(4), vip(1)],
    ['ORDER-N-010', 'ORDER-N-010', 'ORDER-N-010', 'AVAIL-N-005'],
    [held, held, held, 'refused'],
  );
  assert.deepEqual(wordsOf(await atomic([vip(4), vip(4), vip(4)])), ['booked', 'booked', 'booked']);
});

test('whatever is wrong before anything is held is all said at once', async () => {
  const items = [
    dinner(),
    table(CLOSED),
    tickets(),
    table('1|house|soho-grill|tea'),
    brunch({ company: 'Nobody Ltd' }),
  ];
  const { items: results } = await fails(
    items,
    ['ORDER-N-010', 'VENUE-N-009', 'ORDER-N-010', 'VENUE-N-002', 'BOOK-N-015'],
    ['skipped', 'refused', 'skipped', 'refused', 'refused'],
  );
  for (const index of [0, 2]) {
    assert.match(results[index].error.detail, /items\.1, items\.3, items\.4/);
    assert.equal(results[index].error.status, 422);
  }
});

test('what turns out to be taken while the others are held gives them back', async () => {
  const full = { date: freeDay(), time: '19:00' };
  const party = dinner({ ...full, quantity: 8, type: 'book' });
  assert.deepEqual(wordsOf(await ordered(app(), [party, party, party])), ['booked', 'booked', 'booked']);
  await fails(
    [tickets(), dinner(full), table(BOOTH)],
    ['ORDER-N-010', 'AVAIL-N-005', 'ORDER-N-010'],
    ['skipped', 'refused', 'skipped'],
  );
  const sold = tickets({ compositeId: VIP, quantity: 4, date: jazzDay(7) });
  await ordered(app(), [sold, sold, sold]);
  await fails(
    [sold, dinner(), table(BOOTH)],
    ['AVAIL-N-005', 'ORDER-N-010', 'ORDER-N-010'],
    ['refused', 'held released', 'held released'],
  );
});

test('without a type an item must be had at once, and with one it may be asked for', async () => {
  const asked = dinner({ quantity: 9 });
  await fails([asked, tickets()], ['AVAIL-N-005', 'ORDER-N-010'], ['refused', 'skipped']);
  const room = table(PRIVATE, { quantity: 12, time: '18:00', type: 'request' });
  const made = await atomic([{ ...asked, type: 'request' }, tickets(), room]);
  assert.deepEqual(wordsOf(made), ['requested', 'booked', 'requested']);
  assert.equal(made.status, 'complete');
});

test('a rule that routes to an enquiry fails what was to be booked, not what is asked for', async () => {
  const night = table(BOOTH, { quantity: 7, date: freeDay(6), time: '22:00' });
  for (const type of [null, 'book'])
    await fails([{ ...night, type }, tickets()], ['AVAIL-N-005', 'ORDER-N-010'], ['refused', 'skipped']);
  const made = await atomic([{ ...night, type: 'request' }, tickets()]);
  assert.deepEqual(wordsOf(made), ['requested', 'booked']);
});

test('an enquiry that nobody can answer fails the rest', async () => {
  await fails(
    [dinner(), table(PRIVATE, { quantity: 100, type: 'request' })],
    ['ORDER-N-010', 'AVAIL-N-005'],
    ['skipped', 'refused'],
  );
});

test('a partnerBookingId that another booking has fails the rest', async () => {
  await booked(app(), { partnerBookingId: 'taken' });
  await fails(
    [dinner({ partnerBookingId: 'taken' }), tickets()],
    ['BOOK-N-002', 'ORDER-N-010'],
    ['refused', 'skipped'],
  );
});

test('one item may be all or nothing too', async () => {
  assert.deepEqual(trailsOf(await atomic([dinner()])), ['held confirmed']);
  await fails([dinner({ quantity: 900 })], ['AVAIL-N-005'], ['refused']);
});

test('sent again it is the same order, booked or failed', async () => {
  for (const items of [
    [dinner(), tickets()],
    [dinner(), table(CLOSED)],
  ]) {
    const root = { partnerOrderId: `again ${items[1]?.compositeId}` };
    const made = await atomic(items, root, { headers: { 'Idempotency-Key': root.partnerOrderId } });
    const past = await remains(app().sql);
    assert.deepEqual(await atomic(items, root), made);
    assert.deepEqual(
      await atomic(items, root, { headers: { 'Idempotency-Key': root.partnerOrderId } }),
      made,
    );
    assert.deepEqual(await remains(app().sql), past);
  }
});

test('once booked, its bookings are changed and cancelled on their own', async () => {
  const made = await atomic([dinner(), tickets()]);
  const [one, two] = made.items.map(({ bookingId }: Body) => bookingId);
  const moved = await done(
    change(app(), made.orderId, [
      { bookingId: one, quantity: 9 },
      { bookingId: two, compositeId: STANDARD, quantity: 1 },
    ]),
  );
  assert.deepEqual(wordsOf(moved), ['failed AVAIL-N-005', 'booked']);
  assert.equal((await done(cancel(app(), made.orderId, { bookingIds: [one] }))).status, 'partial');
  assert.deepEqual(trailsOf(await done(read(app(), made.orderId))), ['held confirmed', 'held confirmed']);
});

test('other orders have no trail', async () => {
  const made = await ordered(app(), [dinner(), table(CLOSED)], { atomic: false });
  for (const item of made.items) assert.ok(!('trail' in item));
});

test('as many items as an order may have are booked together too', async () => {
  const date = freeDay();
  const items = Array.from({ length: 50 }, (_, index) =>
    index % 2 === 0
      ? tickets({ quantity: 1, date: jazzDay(9) })
      : dinner({ compositeId: DINNER, quantity: 1, date, time: index % 4 === 1 ? '17:00' : '21:00' }),
  );
  const answer = await order(app(), { firstName: 'Ada', lastName: 'Lovelace', atomic: true, items });
  assert.equal(answer.json.status, 'complete', answer.text.slice(0, 2000));
});

test('whoever holds the last place already, under the same partnerBookingId, learns that and not that it is taken', async () => {
  const night = { compositeId: VIP, quantity: 4, date: jazzDay(20), time: '20:00' };
  for (const name of ['mine', 'others', 'theirs'])
    await atomic([{ ...night, partnerBookingId: `${name} of the last night` }]);
  await fails([{ ...night, partnerBookingId: 'mine of the last night' }], ['BOOK-N-002'], ['refused']);
  await fails([night], ['AVAIL-N-005'], ['refused']);
});
