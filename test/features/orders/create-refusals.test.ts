/** What is wrong in itself: the whole order is refused, whichever item it is about, and nothing is left behind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { type Body, bookingsApp, DINNER, freeDay } from '../bookings/support.ts';
import { ada, assertRefusedWhole, dinner, order, tickets } from './support.ts';

const app = bookingsApp();

const refuses = (code: string, body: unknown, status?: number, asking = {}) =>
  assertRefusedWhole(app(), () => order(app(), body, asking), code, status);

/** A good item before it and another one behind it: neither is booked. */
const refusesItem = (code: string, item: Body) =>
  refuses(code, { ...ada, items: [tickets(), item, tickets()] });

const date = freeDay();
const malformed: [string, Body, string][] = [
  ['no compositeId', { compositeId: undefined }, 'compositeId'],
  ['a compositeId of the wrong shape', { compositeId: 'dinner' }, 'compositeId'],
  ['the id of a venue', { compositeId: '1|house|soho-grill' }, 'compositeId'],
  ['a compositeId with five segments', { compositeId: `${DINNER}|x` }, 'compositeId'],
  ['no quantity', { quantity: undefined }, 'quantity'],
  ['nobody', { quantity: 0 }, 'quantity'],
  ['half a guest', { quantity: 1.5 }, 'quantity'],
  ['more guests than there can be', { quantity: 1001 }, 'quantity'],
  ['a quantity in words', { quantity: 'two' }, 'quantity'],
  ['fewer than no children', { children: -1 }, 'children'],
  ['an unknown type', { type: 'hold' }, 'type'],
  ['a stay of no length', { duration: 0 }, 'duration'],
  ['a space that is no number', { spaceId: 'cellar' }, 'spaceId'],
  ['a blank name', { firstName: ' ' }, 'firstName'],
  ['an address that is none', { email: 'ada' }, 'email'],
  ['a telephone that is none', { phone: 'none' }, 'phone'],
  ['empty notes', { notes: '' }, 'notes'],
  ['a pre-order that is a list', { preorders: [] }, 'preorders'],
  [
    'a package without a quantity',
    { preorders: { packages: [{ id: 111 }] } },
    'preorders.packages.0.quantity',
  ],
  ['a name that cannot be stored', { lastName: 'Love\0lace' }, 'lastName'],
  ['an unknown member', { capability: 'table_reservation' }, 'capability'],
  ['the name that bookings have for guests', { partySize: 2 }, 'partySize'],
];
for (const [what, fault, field] of malformed)
  test(`an item with ${what} refuses the order, and is named`, async () => {
    const { errors } = await refusesItem('VALID-N-001', dinner({ ...fault, date, time: '19:00' }));
    assert.deepEqual(Object.keys(errors), [`items.1.${field}`]);
  });

const moments: [string, Body, string][] = [
  ['no time at all', {}, 'BOOK-N-019'],
  ['a date without a time', { date }, 'BOOK-N-019'],
  ['a time without a date', { time: '19:00' }, 'BOOK-N-019'],
  ['a day that no calendar has', { date: '2027-02-30', time: '19:00' }, 'BOOK-N-020'],
  ['a time that no clock shows', { date, time: '25:00' }, 'BOOK-N-020'],
  ['an instant without an offset', { dateTime: `${date}T19:00:00` }, 'BOOK-N-020'],
  ['a good instant beside a bad date', { dateTime: `${date}T19:00:00Z`, date: 'soon' }, 'BOOK-N-020'],
];
for (const [what, moment, code] of moments)
  test(`an item with ${what} refuses the order, and is named`, async () => {
    const problem = await refusesItem(code, { compositeId: DINNER, quantity: 2, ...moment });
    assert.match(problem.detail, /^items\.1: ./);
  });

test('items without a name anywhere are all named', async () => {
  const { errors } = await refuses('VALID-N-001', {
    firstName: 'Ada',
    items: [dinner(), dinner({ lastName: 'Byron' }), tickets()],
  });
  assert.deepEqual(Object.keys(errors), ['items.0.lastName', 'items.2.lastName']);
  const alone = await refuses('VALID-N-001', { lastName: 'Lovelace', items: [dinner()] });
  assert.deepEqual(Object.keys(alone.errors), ['items.0.firstName']);
});

test('one partnerBookingId for two items refuses the order', async () => {
  const twice = { partnerBookingId: 'twice' };
  const { errors } = await refuses('VALID-N-001', {
    ...ada,
    items: [dinner(twice), tickets(), tickets(twice)],
  });
  assert.deepEqual(Object.keys(errors), ['items.2.partnerBookingId']);
});

test('an order has from one to fifty items', async () => {
  const of = (length: number) => ({ ...ada, items: Array.from({ length }, () => tickets({ quantity: 1 })) });
  for (const body of [of(0), of(51), ada, { ...ada, items: null }, { ...ada, items: dinner() }]) {
    const { errors } = await refuses('VALID-N-001', body);
    assert.deepEqual(Object.keys(errors), ['items']);
  }
});

test('an order without a body, or with something else in it, is refused', async () => {
  await refuses('VALID-N-001', undefined);
  await refuses('VALID-N-001', []);
  for (const extra of [
    { date },
    { type: 'book' },
    { orderId: 'x' },
    { atomic: 'yes' },
    { partnerOrderId: '' },
    { partnerOrderId: 'a\0b' },
  ]) {
    const { errors } = await refuses('VALID-N-001', { ...ada, ...extra, items: [dinner()] });
    assert.deepEqual(Object.keys(errors), Object.keys(extra));
  }
});

test('headers are read as strictly as the body', async () => {
  const body = { ...ada, items: [dinner()] };
  await refuses('VALID-N-001', body, 400, { headers: { 'X-Booking-Source': 'pigeon' } });
  await refuses('VALID-N-001', body, 400, { headers: { 'Idempotency-Key': 'x'.repeat(300) } });
});

test('only partners and their agents order', async () => {
  const body = { ...ada, items: [dinner()] };
  await refuses('IDENT-N-001', body, 401, { as: null });
  await refuses('IDENT-N-002', body, 403, { as: 'demo-agent' });
  await refuses('IDENT-N-003', body, 403, {
    as: 'demo-agent',
    headers: { 'X-Partner-Reference': 'other-partner' },
  });
  await refuses('USER-N-009', body, 403, { as: 'demo-operator' });
  await refuses('IDENT-N-002', body, 403, { as: 'demo-admin' });
});

test('a refusal does not use up the key or the name of the order', async () => {
  const asking = { headers: { 'Idempotency-Key': 'again' } };
  const named = { ...ada, partnerOrderId: 'again' };
  await refuses('BOOK-N-019', { ...named, items: [{ compositeId: DINNER, quantity: 2 }] }, 400, asking);
  const answer = await order(app(), { ...named, items: [dinner()] }, asking);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json.status, 'complete');
});

test('what is not JSON is refused within the statuses of this interface', async () => {
  const headers = { 'content-type': 'application/json' };
  assertProblem(await order(app(), '{"items":[', { headers }), 400, 'VALID-N-001');
  const plain = await order(app(), 'items', { headers: { 'content-type': 'text/plain' } });
  assertProblem(plain, 400, 'HTTP-N-415');
});
