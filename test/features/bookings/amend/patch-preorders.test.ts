import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, BRUNCH, booked, bookingsApp, COMPANY, freeDay } from '../support.ts';
import { assertUnchanged, patch, replacing, type Step, taken } from './amending.ts';

const maitred = bookingsApp();
const change = (id: string, ...steps: Step[]) => taken(patch(maitred(), id, steps));

const BRUNCH_ORDER = {
  packages: [{ id: 112, quantity: 2 }],
  menus: [{ id: 111, items: [{ id: 11108, quantity: 2 }] }],
};
const brunch = (changes: Body = {}) => {
  const body = { date: freeDay(), time: '11:00', company: COMPANY, preorders: BRUNCH_ORDER, ...changes };
  return booked(maitred(), body, { productId: BRUNCH });
};

test('a pre-order is changed by pointers into it', async () => {
  const { id } = await brunch();
  const flatWhite = { id: 11201, quantity: 1, options: [{ id: 'milk', value: 'Whole milk' }] };
  const { preorders } = await change(
    id,
    replacing('/preorders/packages/0/quantity', 3),
    { op: 'add', path: '/preorders/menus/-', value: { slug: 'brunch-drinks', items: [flatWhite] } },
    { op: 'add', path: '/preorders/menus/1/items/-', value: { id: 11202, quantity: 2 } },
    replacing('/preorders/menus/1/items/0/options/0/value', 'Oat drink'),
  );
  assert.deepEqual([preorders.packages[0].quantity, preorders.packages[0].total], [3, 7200]);
  const [plates, drinks] = preorders.menus;
  assert.deepEqual([plates.submitted, drinks.submitted], ['pre', 'post']);
  assert.deepEqual(
    drinks.items.map((item: Body) => [item.id, item.quantity, item.price]),
    [
      [11201, 1, 420],
      [11202, 2, 420],
    ],
  );
  const after = await change(id, { op: 'remove', path: '/preorders/menus/1/items/0' });
  assert.deepEqual(
    after.preorders.menus[1].items.map((item: Body) => item.id),
    [11202],
  );
  const tooFew = () => patch(maitred(), id, [{ op: 'remove', path: '/preorders/packages/0' }]);
  await assertUnchanged(maitred(), id, tooFew, 422, 'BOOK-N-007');
  const wrong = () => patch(maitred(), id, [replacing('/preorders/menus/0/items/0/id', 1)]);
  const { errors } = await assertUnchanged(maitred(), id, wrong, 400, 'VALID-N-001');
  assert.deepEqual(Object.keys(errors), ['preorders.menus.0.items.0.id']);
});

test('what was ordered before a price was raised keeps its price, what is ordered after has the new one', async () => {
  const { sql } = maitred();
  const booking = await brunch();
  await sql`update package set price_pence = 9900 where id = 112`;
  await sql`update menu_item set price_pence = 900 where id = 11108`;
  const after = await change(booking.id, replacing('/comments', 'Late'));
  assert.deepEqual(after.preorders, booking.preorders);
  const more = await change(booking.id, replacing('/preorders/menus/0/items/0/quantity', 3));
  assert.deepEqual(more.preorders.packages, booking.preorders.packages);
  const [menu] = more.preorders.menus;
  assert.deepEqual([menu.submitted, menu.items[0].price, menu.total], ['post', 900, 2700]);
});
