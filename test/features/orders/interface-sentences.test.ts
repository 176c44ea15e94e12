/** Sentences of the interface and the design about orders that no other test would miss. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { callNow, operator, rowsOf, standingClock } from '../bookings/amend/amending.ts';
import { BOOTH, type Body, bookingsApp, freeDay, jazzDay, VIP } from '../bookings/support.ts';
import {
  assertRefusedWhole,
  BLUE_NOTE,
  brunch,
  cancel,
  change,
  dinner,
  done,
  ordered,
  plates,
  read,
  tickets,
  wordsOf,
} from './support.ts';

const time = standingClock();
const start = time.clock();
const app = bookingsApp({ deps: { clock: time.clock } });

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const idsOf = ({ items }: Body): string[] => items.map(({ bookingId }: Body) => bookingId);

/** An order of one item, and what becomes of it when it is changed. */
async function changed(item: Body, changes: Body): Promise<Body> {
  const made = await ordered(app(), [item]);
  const [bookingId = ''] = idsOf(made);
  const past = await rowsOf(app().sql, bookingId);
  const answer = await done(change(app(), made.orderId, [{ bookingId, ...changes }]));
  if (answer.items[0].error) assert.deepEqual(await rowsOf(app().sql, bookingId), past);
  return answer;
}

test('an order and its bookings have ids that sort by the time they were made', async () => {
  const made = await ordered(app(), [dinner(), tickets()]);
  for (const id of [made.orderId, ...idsOf(made)]) assert.match(id, UUID_V7);
});

for (const [what, item, compositeId, code] of [
  ['a product that the venue does not have', dinner(), '1|house|soho-grill|tea', 'VENUE-N-002'],
  ['a ticket type that the event does not have', tickets(), '2|tickets|jazz-night|balcony', 'EVENT-N-002'],
] as const)
  test(`a move to ${what} stays in its item`, async () => {
    const answer = await changed(item, { compositeId });
    assert.deepEqual(wordsOf(answer), [`failed ${code}`]);
    assert.equal(answer.items[0].error.status, 404);
    assert.equal(answer.status, 'complete', 'the booking stands');
  });

test('whether tickets become more is counted over adults and children, also with another ticket type', async () => {
  const two = () => tickets({ quantity: 2, date: jazzDay(10) });
  const more = ['failed EVENT-N-003'];
  assert.deepEqual(wordsOf(await changed(two(), { children: 1 })), more);
  assert.deepEqual(wordsOf(await changed(two(), { compositeId: VIP, quantity: 3 })), more);
  const family = await changed(two(), { quantity: 1, children: 1 });
  assert.deepEqual(wordsOf(family), ['booked']);
  assert.deepEqual([family.items[0].booking.partySize, family.items[0].booking.children], [1, 1]);
});

const menusOf = ({ items: [{ booking }] }: Body) =>
  booking.preorders.menus.map(({ id, items }: Body) => [id, items.map((item: Body) => item.id)]);

test('preorders takes the place of menus as well as of packages, also of those that it does not name', async () => {
  const drinks = { id: 112, items: [{ id: 11202, quantity: 1 }] };
  const withDrinks = () => brunch({ preorders: { ...plates, menus: [...plates.menus, drinks] } });
  assert.deepEqual(menusOf(await changed(withDrinks(), { preorders: plates })), [[111, [11106]]]);
  const others = { ...plates, menus: [{ id: 111, items: [{ id: 11105, quantity: 2 }] }] };
  assert.deepEqual(menusOf(await changed(withDrinks(), { preorders: others })), [[111, [11105]]]);
  const { packages } = plates;
  const withoutMenu = await changed(brunch(), { preorders: { packages } });
  assert.deepEqual(wordsOf(withoutMenu), ['failed BOOK-N-007'], 'brunch wants a menu, and it was taken away');
});

test('both ways at once are refused for tickets too', async () => {
  const made = await ordered(app(), [tickets()]);
  const [bookingId] = idsOf(made);
  const both = [{ bookingId, preorders: {}, preorderChanges: {} }];
  await assertRefusedWhole(app(), () => change(app(), made.orderId, both), 'ORDER-N-008');
});

test('an agent changes and cancels for its partner, and for nobody when it names none', async () => {
  const made = await ordered(app(), [dinner(), tickets()]);
  const [bookingId] = idsOf(made);
  const agent = (reference?: string) => ({
    as: 'demo-agent',
    ...(reference !== undefined && { headers: { 'X-Partner-Reference': reference } }),
  });
  const changes = [{ bookingId, firstName: 'Grace' }];
  for (const [asking, code] of [
    [agent(), 'IDENT-N-002'],
    [agent('other-partner'), 'IDENT-N-003'],
  ] as const) {
    await assertRefusedWhole(app(), () => change(app(), made.orderId, changes, asking), code, 403);
    await assertRefusedWhole(app(), () => cancel(app(), made.orderId, undefined, asking), code, 403);
    assertProblem(await read(app(), made.orderId, asking), 403, code);
  }
  const named = await done(change(app(), made.orderId, changes, agent('demo-partner')));
  assert.equal(named.items[0].booking.firstName, 'Grace');
  const gone = await done(cancel(app(), made.orderId, undefined, agent('demo-partner')));
  assert.deepEqual([gone.status, ...wordsOf(gone)], ['cancelled', 'cancelled', 'cancelled']);
});

test('all fifty items of an order can be changed with one request, and named to be cancelled', async () => {
  const date = freeDay();
  const items = Array.from({ length: 50 }, (_, index) =>
    index % 2 === 0
      ? tickets({ quantity: 1, date: jazzDay(11) })
      : dinner({ quantity: 1, date, time: index % 4 === 1 ? '17:00' : '21:00' }),
  );
  const made = await ordered(app(), items);
  const bookingIds = idsOf(made);
  const answer = await done(
    change(
      app(),
      made.orderId,
      bookingIds.map((bookingId) => ({ bookingId, firstName: 'Grace' })),
    ),
  );
  assert.deepEqual(idsOf(answer), bookingIds);
  for (const { booking } of answer.items) assert.equal(booking.firstName, 'Grace');
  const gone = await done(cancel(app(), made.orderId, { bookingIds }));
  assert.deepEqual(idsOf(gone), bookingIds);
  assert.equal(gone.status, 'cancelled');
});

test('a visit that is over was booked, an enquiry that is taken up is still asked for, and only that can be cancelled', async (t) => {
  t.after(() => time.moveTo(start));
  const [near, far] = [freeDay(), freeDay()];
  const made = await ordered(app(), [
    dinner({ date: near, time: '18:00' }),
    dinner({ date: near, time: '18:00' }),
    dinner({ date: far, time: '18:00', type: 'request' }),
  ]);
  const [came = '', stayedAway = '', asked = ''] = idsOf(made);
  const { bookings } = app().services;
  await bookings.takeUp(operator(1), asked);
  time.moveTo(Temporal.ZonedDateTime.from(`${near}T22:00[Europe/London]`).toInstant());
  await bookings.complete(operator(1), came);
  await bookings.markNoShow(operator(1), stayedAway);

  const path = `/v1/orders/${made.orderId}`;
  const over = await done(callNow(app(), path));
  assert.deepEqual(
    over.items.map(({ booking }: Body) => booking.status),
    ['completed', 'no_show', 'in_progress'],
  );
  assert.deepEqual([over.status, ...wordsOf(over)], ['complete', 'booked', 'booked', 'requested']);

  const gone = await done(callNow(app(), path, { method: 'DELETE' }));
  assert.deepEqual(wordsOf(gone), ['failed BOOK-N-014', 'failed BOOK-N-014', 'cancelled']);
  assert.equal(gone.status, 'partial');
});

test('without the system that its id names an item fails, and those of other systems are booked', async () => {
  const { sql } = app();
  const items = () => [
    tickets({ quantity: 1, date: jazzDay(12) }),
    { compositeId: BLUE_NOTE, quantity: 2, date: freeDay(), time: '18:00' },
    { compositeId: BOOTH, quantity: 2, date: freeDay(), time: '22:00' },
  ];
  for (const [tms, words] of [
    ['tickets', ['failed EVENT-N-001', 'booked', 'booked']],
    ['house', ['booked', 'failed BOOK-N-003', 'failed BOOK-N-003']],
  ] as const) {
    await sql`delete from operator_system where operator_id = 2 and tms = ${tms}`;
    let made: Body = {};
    await eventually(async () => {
      made = await ordered(app(), items());
      return wordsOf(made).some((word) => word.startsWith('failed'));
    });
    assert.deepEqual(wordsOf(made), words);
    for (const { error } of made.items) if (error) assert.equal(error.status, 404);
    await sql`insert into operator_system (operator_id, tms) values (2, ${tms})`;
    await eventually(async () => (await ordered(app(), items())).status === 'complete');
  }
});
