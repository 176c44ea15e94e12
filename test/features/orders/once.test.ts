import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { type Body, book, bookingsApp, freeDay, guest, traces } from '../bookings/support.ts';
import {
  ada,
  assertRefusedWhole,
  cancel,
  dinner,
  done,
  order,
  ordered,
  remains,
  tickets,
  wordsOf,
} from './support.ts';

const app = bookingsApp();

const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });

/** An order with a table, tickets and something that nobody can have. */
const basket = (root: Body = {}) => ({
  ...ada,
  ...root,
  items: [dinner(), tickets(), dinner({ quantity: 900 })],
});

const COPIES = 20;
const storm = (body: Body, asking = {}) =>
  Promise.all(Array.from({ length: COPIES }, () => order(app(), body, asking)));

test('sent again with the same key, an order is answered in the same bytes and done once', async () => {
  const body = basket();
  const first = await order(app(), body, keyed('once'));
  assert.deepEqual(wordsOf(first.json), ['booked', 'booked', 'failed AVAIL-N-005']);
  const past = await remains(app().sql);
  for (const again of [await order(app(), body, keyed('once')), await order(app(), body, keyed('once'))]) {
    assert.equal(again.status, 200);
    assert.equal(again.text, first.text);
  }
  assert.deepEqual(await remains(app().sql), past);
});

test('the order of members does not make another request', async () => {
  const body = basket();
  const first = await order(app(), body, keyed('members'));
  const turned = { ...Object.fromEntries(Object.entries(body).reverse()) };
  assert.equal((await order(app(), turned, keyed('members'))).text, first.text);
});

test('sent again with the same partnerOrderId, an order is found as it is now', async () => {
  const body = basket({ partnerOrderId: 'basket-1' });
  const first = await done(order(app(), body));
  const past = await remains(app().sql);
  assert.deepEqual(await done(order(app(), body)), first);
  assert.deepEqual(await done(order(app(), body, keyed('late key'))), first);
  assert.deepEqual(await remains(app().sql), { ...past, keys: past.keys + 1 });
  await done(cancel(app(), first.orderId, { bookingIds: [first.items[0].bookingId] }));
  assert.deepEqual(wordsOf(await done(order(app(), body))), ['cancelled', 'booked', 'failed AVAIL-N-005']);
  assert.deepEqual(await done(order(app(), body, keyed('late key'))), first, 'a key repeats its answer');
});

test('without a key and a name each request is an order of its own', async () => {
  const body = { ...ada, items: [dinner()] };
  const [one, two] = [await done(order(app(), body)), await done(order(app(), body))];
  assert.notEqual(one.orderId, two.orderId);
  assert.notEqual(one.items[0].bookingId, two.items[0].bookingId);
});

for (const [names, root, asking] of [
  ['one key', {}, keyed('storm')],
  ['one partnerOrderId', { partnerOrderId: 'storm' }, {}],
  ['both', { partnerOrderId: 'storm of both' }, keyed('storm of both')],
] as const)
  test(`twenty equal requests at once with ${names} are one order and one answer`, async () => {
    const past = await remains(app().sql);
    const answers = await storm(basket(root), asking);
    for (const { status, text } of answers) assert.equal(status, 200, text);
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    const now = await remains(app().sql);
    assert.deepEqual(
      [
        now.orders - past.orders,
        now.items - past.items,
        now.bookings - past.bookings,
        now.events - past.events,
      ],
      [1, 3, 2, 2],
    );
  });

test('twenty at once with keys of their own and one partnerOrderId are one order', async () => {
  const past = await remains(app().sql);
  const body = basket({ partnerOrderId: 'many keys' });
  const answers = await Promise.all(
    Array.from({ length: COPIES }, (_, index) => order(app(), body, keyed(`many-${index}`))),
  );
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  const now = await remains(app().sql);
  assert.deepEqual([now.orders - past.orders, now.bookings - past.bookings], [1, 2]);
});

test('a key that was used for something else is refused', async () => {
  const body = basket();
  await done(order(app(), body, keyed('mine')));
  const refuses = (other: Body, asking = {}) =>
    assertRefusedWhole(app(), () => order(app(), other, { ...keyed('mine'), ...asking }), 'VALID-N-001');
  const { errors } = await refuses({ ...body, email: 'ada@example.com' });
  assert.deepEqual(Object.keys(errors), ['Idempotency-Key']);
  await refuses({ ...body, items: body.items.toReversed() });
  await refuses({ ...body, partnerOrderId: 'other' });
  await refuses({ ...body, atomic: true });
  await refuses(body, { headers: { 'Idempotency-Key': 'mine', 'X-Booking-Source': 'phone' } });
  const single = { ...guest, date: freeDay(), time: '19:00' };
  assert.equal((await book(app(), single, keyed('single'))).status, 201);
  const clash = await order(app(), { ...ada, items: [dinner()] }, keyed('single'));
  assertProblem(clash, 400, 'VALID-N-001');
});

test('a partnerOrderId that was used for something else is refused, with a new key and without', async () => {
  const body = basket({ partnerOrderId: 'mine' });
  const { orderId } = await done(order(app(), body));
  const other = { ...body, items: [dinner()] };
  const refusal = await assertRefusedWhole(app(), () => order(app(), other), 'BOOK-N-002');
  assert.match(refusal.detail, /mine/);
  assert.equal(refusal.orderId, orderId);
  const past = await traces(app().sql);
  for (const _ of [1, 2]) assertProblem(await order(app(), other, keyed('fresh')), 400, 'BOOK-N-002');
  assert.deepEqual(await traces(app().sql), past);
});

test('of two different orders with one partnerOrderId at once one wins', async () => {
  const bodies = [1, 2, 3, 4].map((quantity) => ({
    ...ada,
    partnerOrderId: 'duel',
    items: [dinner({ quantity })],
  }));
  const answers = await Promise.all(bodies.map((body) => order(app(), body)));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400]);
  for (const { status, json } of answers) if (status === 400) assert.equal(json.code, 'BOOK-N-002');
});

test('names belong to one partner and keys to one client', async () => {
  const body = { ...ada, partnerOrderId: 'shared', items: [dinner()] };
  const own = await done(order(app(), body, keyed('shared')));
  const theirs = await done(order(app(), body, { as: 'other-partner', ...keyed('shared') }));
  assert.notEqual(theirs.orderId, own.orderId);
  assert.deepEqual(wordsOf(theirs), ['booked']);
  const agent = { as: 'demo-agent', headers: { 'X-Partner-Reference': 'demo-partner' } };
  assert.equal((await ordered(app(), body.items, { partnerOrderId: 'shared' }, agent)).orderId, own.orderId);
});
