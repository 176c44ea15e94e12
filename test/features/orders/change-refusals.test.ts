/** What is wrong with a change in itself: the whole request is refused, and every booking stays as it was. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf } from '../bookings/amend/amending.ts';
import { type Body, bookingsApp } from '../bookings/support.ts';
import { assertRefusedWhole, change, dinner, ordered, tickets } from './support.ts';

let made: Body;
let ids: string[];
const app = bookingsApp({}, async (maitred) => {
  made = await ordered(maitred, [dinner(), tickets()]);
  ids = made.items.map(({ bookingId }: Body) => bookingId);
});

/** A good change comes before the fault, and is not made. */
async function refuses(code: string, items: unknown, status?: number): Promise<Body> {
  const rows = () => Promise.all(ids.map((id) => rowsOf(app().sql, id)));
  const past = await rows();
  const problem = await assertRefusedWhole(app(), () => change(app(), made.orderId, items), code, status);
  assert.deepEqual(await rows(), past);
  return problem;
}
const refusesItem = (code: string, fault: Body) =>
  refuses(code, [
    { bookingId: ids[1], firstName: 'Grace' },
    { bookingId: ids[0], ...fault },
  ]);

for (const [segment, compositeId] of [
  ['group', '2|house|soho-grill|dinner'],
  ['system', '1|tickets|soho-grill|dinner'],
  ['venue', '1|house|garden-room|dinner'],
])
  test(`a move to another ${segment} is refused, and the item named`, async () => {
    const { detail } = await refusesItem('ORDER-N-007', { compositeId });
    assert.match(detail, /^items\.1: /);
  });

test('a move to another event is refused', async () => {
  await refuses('ORDER-N-007', [{ bookingId: ids[1], compositeId: '2|tickets|blues-night|vip' }]);
});

const malformed: [string, Body, string][] = [
  ['the id of a venue', { compositeId: '1|house|soho-grill' }, 'compositeId'],
  ['no guests', { quantity: 0 }, 'quantity'],
  ['a name that is cleared', { firstName: null }, 'firstName'],
  ['a blank name', { lastName: '  ' }, 'lastName'],
  ['an address that is none', { email: 'ada' }, 'email'],
  ['a telephone that is none', { phone: 'none' }, 'phone'],
  ['an unknown type', { type: 'hold' }, 'type'],
  ['a name for it that cannot be changed', { partnerBookingId: 'other' }, 'partnerBookingId'],
  ['a deposit', { depositAmount: 1 }, 'depositAmount'],
  ['an unknown member', { nonsense: 1 }, 'nonsense'],
];
for (const [what, fault, field] of malformed)
  test(`a change with ${what} refuses the request`, async () => {
    const { errors } = await refusesItem('VALID-N-001', fault);
    assert.deepEqual(Object.keys(errors), [`items.1.${field}`]);
  });

for (const [what, moment] of [
  ['a day that no calendar has', { date: '2027-02-30' }],
  ['a time that no clock shows', { time: '7pm' }],
  ['an instant without an offset', { dateTime: '2027-02-03T19:00' }],
  ['a good instant beside a bad time', { dateTime: '2027-02-03T19:00:00Z', time: 'late' }],
] as const)
  test(`a change to ${what} refuses the request, and the item is named`, async () => {
    const { detail } = await refusesItem('BOOK-N-020', moment);
    assert.match(detail, /^items\.1: /);
  });

test('a change without the id of a booking refuses the request', async () => {
  for (const bookingId of [undefined, null, 7, '', 'x'.repeat(101)]) {
    const { errors } = await refusesItem('VALID-N-001', { bookingId });
    assert.deepEqual(Object.keys(errors), ['items.1.bookingId']);
  }
});

test('what is wrong in itself refuses the request, also with a booking that is not of this order', async () => {
  const both = { preorders: {}, preorderChanges: {} };
  await refusesItem('ORDER-N-008', { bookingId: made.orderId, ...both });
  await refusesItem('VALID-N-001', { bookingId: made.orderId, quantity: 0 });
  await refusesItem('BOOK-N-020', { bookingId: made.orderId, time: '7pm' });
});

test('a booking is named once, however it is spelt', async () => {
  const [id = ''] = ids;
  for (const again of [id, id.toUpperCase()]) {
    const { errors } = await refuses('VALID-N-001', [
      { bookingId: id, quantity: 3 },
      { bookingId: again, quantity: 4 },
    ]);
    assert.deepEqual(Object.keys(errors), ['items.1.bookingId']);
  }
});

test('a request has from one to fifty changes', async () => {
  const bookingId = ids[0];
  for (const items of [undefined, [], Array.from({ length: 51 }, () => ({ bookingId }))]) {
    const { errors } = await refuses('VALID-N-001', items);
    assert.deepEqual(Object.keys(errors), ['items']);
  }
});

test('an order that is not there, or is not ours, is not changed', async () => {
  const items = [{ bookingId: ids[0], firstName: 'Grace' }];
  const refusesOrder = (code: string, orderId: string, status?: number, asking = {}) =>
    assertRefusedWhole(app(), () => change(app(), orderId, items, asking), code, status);
  await refusesOrder('BOOK-N-006', '019a7f3e-61b0-7c55-9a0e-6f1d2b3c4d5e');
  await refusesOrder('BOOK-N-006', 'basket-4711');
  await refusesOrder('BOOK-N-006', ids[0] ?? '');
  await refusesOrder('PMAP-N-003', made.orderId, 403, { as: 'other-partner' });
  await refusesOrder('USER-N-009', made.orderId, 403, { as: 'demo-operator' });
  await refusesOrder('IDENT-N-001', made.orderId, 401, { as: null });
});
