/** Orders of every legal form with values that nobody means: each item has a booking or an error, and the books balance. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { imbalances } from '../../race/balance.ts';
import {
  BOOTH,
  type Body,
  BRUNCH,
  bookingsApp,
  CLOSED,
  COMPANY,
  DINNER,
  HIDDEN,
  jazzDay,
  PRIVATE,
  STANDARD,
  VIP,
} from '../bookings/support.ts';
import {
  ada,
  brunch,
  cancel,
  change,
  dinner,
  done,
  order,
  ordered,
  plates,
  read,
  tickets,
  wordsOf,
} from './support.ts';

const app = bookingsApp();

const UNKNOWN = [
  '1|nosuch|soho-grill|dinner',
  '1|house|soho-grill|nope',
  '2|tickets|jazz-night|nope',
  '77777|house|a|b',
];
const SHARED: Record<string, unknown[]> = {
  compositeId: [DINNER, PRIVATE, BRUNCH, CLOSED, BOOTH, STANDARD, VIP, HIDDEN, ...UNKNOWN],
  quantity: [1, 2, 9, 1000],
  children: [0, 3, 1000, null],
  date: ['0001-01-01', '0001-01-02', '2020-01-01', '2027-03-28', '4000-02-29', '9999-12-31', jazzDay()],
  time: ['00:00', '01:30', '11:00', '19:00', '19:00:30', '19:07', '20:00', '23:59'],
  dateTime: ['2027-03-28T01:30:00Z', '9999-12-31T23:59:59+14:00', '0001-01-01T00:00:00-12:00', null],
  type: ['book', 'request', null],
  duration: [1, 90, 1440, null],
  spaceId: [1, 101, 2_147_483_647, null],
  email: ['a@b.cc', null],
  company: [COMPANY, 'Nobody', null],
  notes: ['x'.repeat(2000), '\u202e😀', null],
  preorders: [{}, plates, { packages: [{ quantity: 1 }] }, { packages: [{ id: 112, quantity: 1000 }] }, null],
};
const ONLY_NEW = { partnerBookingId: ['a', 'b', 'c', null], depositAmount: [0, 0.5, 1_000_000_000, null] };
const ONLY_CHANGES = {
  preorderChanges: [
    {},
    { add: { packages: [{ id: 112, quantity: 3 }] } },
    { add: { packages: [{ quantity: 1 }] } },
    { remove: { packages: [{ id: 2_147_483_648 }], menus: [{ slug: 'none' }] } },
  ],
};

/** One to three fields with one of their values. */
const fields = (values: Record<string, unknown[]>) =>
  fc
    .array(
      fc.oneof(
        ...Object.entries(values).map(([name, few]) => fc.tuple(fc.constant(name), fc.constantFrom(...few))),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((entries) => Object.fromEntries(entries) as Body);

function assertSaid(items: Body[], sent: number): void {
  assert.equal(items.length, sent);
  for (const { status, booking, error } of items)
    assert.equal(status === 'failed', booking === undefined && !!error);
}

test('whatever an order wants is booked, asked for or refused, alone and all together', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fields({ ...SHARED, ...ONLY_NEW }), { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      async (requested, atomic) => {
        const made = [dinner, tickets, brunch];
        const items = requested.map((draft, index) =>
          made[index]?.({ date: jazzDay(), time: index === 1 ? '20:00' : '11:00', ...draft }),
        );
        const { status, json, text } = await order(app(), { ...ada, atomic, items });
        if (status === 400) return assert.match(json.code, /^(VALID-N-001|BOOK-N-0(19|20))$/, text);
        assert.equal(status, 200, text);
        assertSaid(json.items, items.length);
        const standing = json.items.filter(({ booking }: Body) => booking !== undefined).length;
        if (atomic) assert.ok(standing === 0 || standing === items.length, text);
      },
    ),
    { numRuns: 80 },
  );
  assert.deepEqual(await imbalances(app().sql), []);
});

test('whatever is to change of an order is changed or refused', async () => {
  const made = await ordered(app(), [dinner(), tickets({ quantity: 4 }), brunch()]);
  assert.equal(made.status, 'complete');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fields({ ...SHARED, ...ONLY_CHANGES }), { minLength: 1, maxLength: 3 }),
      async (changes) => {
        const items = changes.map((each, index) => ({ bookingId: made.items[index].bookingId, ...each }));
        const { status, json, text } = await change(app(), made.orderId, items);
        if (status === 400) return assert.match(json.code, /^(VALID-N-001|BOOK-N-020|ORDER-N-00[78])$/, text);
        assert.equal(status, 200, text);
        assert.deepEqual(
          json.items.map(({ bookingId }: Body) => bookingId),
          items.map(({ bookingId }) => bookingId),
        );
      },
    ),
    { numRuns: 80 },
  );
  assert.deepEqual(await imbalances(app().sql), []);
});

const JSON_TYPE = { 'content-type': 'application/json' };
for (const [what, headers, body] of [
  ['a list', JSON_TYPE, '[]'],
  ['text', JSON_TYPE, '"bookingIds"'],
  ['a number', JSON_TYPE, '0'],
  ['no JSON', JSON_TYPE, '{"bookingIds":['],
  ['a blank', JSON_TYPE, ' '],
  ['a misspelt member', JSON_TYPE, '{"bookingids":["x"]}'],
  ['an object where a list belongs', JSON_TYPE, '{"bookingIds":{}}'],
  ['an id that is null', JSON_TYPE, '{"bookingIds":[null]}'],
  ['ids in a prototype', JSON_TYPE, '{"__proto__":{"bookingIds":["x"]}}'],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'bookingIds=x'],
  ['plain text', { 'content-type': 'text/plain' }, '{"bookingIds":["x"]}'],
  ['a form that we do not have', { accept: 'image/png' }, undefined],
] as const)
  test(`a cancellation with ${what} cancels nothing, least of all everything`, async () => {
    const { orderId } = await ordered(app(), [dinner()]);
    const answer = await cancel(app(), orderId, body, { headers });
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(wordsOf(await done(read(app(), orderId))), ['booked']);
  });
