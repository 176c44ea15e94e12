import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Body,
  BRUNCH,
  book,
  booked,
  bookingsApp,
  COMPANY,
  DINNER,
  freeDay,
  guest,
  PRIVATE,
  traces,
} from '../features/bookings/support.ts';
import { assertProblem } from '../support/app.ts';

/** Bodies that say the same in another way, nothing in many words, or two things at once. */

const app = bookingsApp();

const brunch = (preorders: Body) =>
  booked(app(), { date: freeDay(), time: '11:00', company: COMPANY, preorders }, { productId: BRUNCH });

test('a null inside a pre-order counts as left out, as it does everywhere in a body', async () => {
  const item = { id: 11101, quantity: 2 };
  const plain = await brunch({
    packages: [{ id: 112, quantity: 2 }],
    menus: [{ slug: 'brunch-plates', items: [item] }],
  });
  const withNulls = await brunch({
    packages: [{ id: 112, slug: null, quantity: 2 }],
    menus: [{ id: null, slug: 'brunch-plates', items: [{ ...item, options: null }] }],
  });
  assert.deepEqual(withNulls.preorders, plain.preorders);
  const patched = await app().call(`/venues/bookings/${plain.id}`, {
    method: 'PATCH',
    body: [{ op: 'replace', path: '/preorders/menus/0/items/0/options', value: null }],
  });
  assert.deepEqual(patched.json.preorders, plain.preorders, 'nothing was ordered anew');
  const nothing = await booked(app(), { preorders: { packages: null, menus: null } });
  assert.deepEqual(nothing.preorders, { packages: [], menus: [] });
});

test('a package that is named by nothing but nulls is asked for its name', async () => {
  const preorders = { packages: [{ id: null, slug: null, quantity: 2 }] };
  const answer = await book(app(), { preorders }, { productId: PRIVATE });
  assert.deepEqual(assertProblem(answer, 400, 'VALID-N-001').errors, {
    'preorders.packages.0.id': ['is required, or slug instead'],
  });
});

test('a menu of which nothing is ordered is not shown as ordered, on creation and after the last item has gone', async () => {
  const dinner = { type: 'request', partySize: 10, date: freeDay(), time: '13:00' };
  const menu = { id: 101, items: [{ id: 10101, quantity: 2 }] };
  const empty = await booked(
    app(),
    { ...dinner, preorders: { menus: [{ id: 101, items: [] }] } },
    { productId: PRIVATE },
  );
  assert.deepEqual(empty.preorders.menus, []);
  const { id } = await booked(app(), { ...dinner, preorders: { menus: [menu] } }, { productId: PRIVATE });
  const patched = await app().call(`/venues/bookings/${id}`, {
    method: 'PATCH',
    body: [{ op: 'remove', path: '/preorders/menus/0/items/0' }],
  });
  assert.equal(patched.status, 200, patched.text);
  assert.deepEqual(patched.json.preorders.menus, []);
});

const day = freeDay();
for (const [time, second] of [
  ['19:00:30', '00'],
  ['19:00', '30'],
  ['19:00:00', '01'],
  ['19:00', '00.5'],
] as const) {
  test(`time ${time} and a dateTime of second ${second} do not say the same`, async () => {
    const before = await traces(app().sql);
    const body = { date: day, time, dateTime: `${day}T19:00:${second}Z` };
    for (const type of ['book', 'request'])
      assertProblem(await book(app(), { ...body, type }), 400, 'BOOK-N-018');
    assert.deepEqual(await traces(app().sql), before);
  });
}

test('time and dateTime agree to the second, however many of its digits are written', async () => {
  const { id } = await booked(app(), { date: day, time: '19:00:00', dateTime: `${day}T19:00:00.000Z` });
  const answer = await app().call(`/venues/bookings/${id}`, {
    method: 'PUT',
    body: { compositeId: DINNER, ...guest, date: day, time: '19:00', dateTime: `${day}T19:00:00Z` },
  });
  assert.equal(answer.status, 200, answer.text);
});
