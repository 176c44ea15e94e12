import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../../support/app.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  BOOTH,
  type Body,
  BRUNCH,
  booked,
  bookingsApp,
  CELLAR,
  COMPANY,
  freeDay,
  jazzDay,
  PRIVATE,
  STANDARD,
} from '../support.ts';
import { asItIs, assertUnchanged, cancel, operator, put } from './amending.ts';

const maitred = bookingsApp();

/** Everything that can be wrong with a dinner for two at 19:00 that is put otherwise. */
const WRONG: [string, Body, number, string, string?][] = [
  ['no compositeId', { compositeId: undefined }, 400, 'VALID-N-001', 'compositeId'],
  ['a null compositeId', { compositeId: null }, 400, 'VALID-N-001', 'compositeId'],
  ['an id of three segments', { compositeId: '1|house|soho-grill' }, 400, 'VALID-N-001', 'compositeId'],
  ['another venue of the partner', { compositeId: BOOTH }, 400, 'VALID-N-001', 'compositeId'],
  ['a venue that is not mapped', { compositeId: '3|house|hidden-kitchen|dinner' }, 400, 'VALID-N-001'],
  ['an unknown product of the venue', { compositeId: '1|house|soho-grill|lunch' }, 404, 'VENUE-N-002'],
  ['no type', { type: undefined }, 400, 'VALID-N-001', 'type'],
  ['no party', { partySize: undefined }, 400, 'VALID-N-001', 'partySize'],
  ['a party of nobody', { partySize: 0 }, 400, 'VALID-N-001', 'partySize'],
  ['no first name', { firstName: undefined }, 400, 'VALID-N-001', 'firstName'],
  ['a blank last name', { lastName: '  ' }, 400, 'VALID-N-001', 'lastName'],
  ['a wrong address of mail', { email: 'ada' }, 400, 'VALID-N-001', 'email'],
  ['an unknown field', { tables: ['W1'] }, 400, 'VALID-N-001', 'tables'],
  ['another status', { status: 'cancelled' }, 400, 'VALID-N-001', 'status'],
  ['no start', { date: undefined, time: undefined }, 400, 'BOOK-N-019'],
  ['a date without a time', { time: undefined }, 400, 'BOOK-N-019'],
  ['a dateTime that disagrees', { dateTime: '2027-01-01T10:00:00Z' }, 400, 'BOOK-N-018'],
  ['no such date', { date: '2027-02-30' }, 400, 'BOOK-N-020'],
  ['a space of another product', { spaceId: CELLAR }, 422, 'BOOK-N-017'],
  ['a space that there is not', { spaceId: 999_999 }, 404, 'BOOK-N-010'],
  ['a stay that is too long', { duration: 600 }, 422, 'AVAIL-N-006'],
  ['a start that there is not', { time: '19:07' }, 409, 'AVAIL-N-005'],
  ['the past', { date: '2020-01-01' }, 400, 'AVAIL-N-007'],
  ['years ahead', { date: '2099-01-01' }, 400, 'AVAIL-N-008'],
  ['a party above the instant limit', { partySize: 9 }, 409, 'AVAIL-N-005'],
  ['a party that never fits, as an enquiry', { partySize: 500, type: 'request' }, 409, 'AVAIL-N-005'],
  ['an enquiry of no length', { type: 'request', duration: 61 }, 422, 'AVAIL-N-006'],
  [
    'a pre-order that is not offered',
    { preorders: { packages: [{ id: 101, quantity: 1 }] } },
    400,
    'VALID-N-001',
  ],
];

for (const [what, changes, status, code, field] of WRONG) {
  test(`put with ${what} is ${code} and leaves everything as it was`, async () => {
    const booking = await dinner();
    const attempt = () => put(maitred(), booking.id, { ...asItIs(booking), ...changes });
    const { errors } = await assertUnchanged(maitred(), booking.id, attempt, status, code);
    if (field !== undefined) assert.deepEqual(Object.keys(errors), [field]);
  });
}

let kept: Body | undefined;
/** One booking for all that is refused: each of them leaves it as it was. */
async function dinner(): Promise<Body> {
  const booking: Body =
    kept ?? (await booked(maitred(), { comments: 'By the window', admin_notes: 'A regular' }));
  kept = booking;
  return booking;
}

test('a start that is full is refused, and the table that the booking has stays its own', async () => {
  const date = freeDay();
  for (const _ of [1, 2, 3]) await booked(maitred(), { date, time: '20:00', partySize: 8 });
  const booking = await booked(maitred(), { date, time: '18:00' });
  const attempt = () => put(maitred(), booking.id, { ...asItIs(booking), time: '20:00' });
  await assertUnchanged(maitred(), booking.id, attempt, 409, 'AVAIL-N-005');
});

test('a day on which the product is closed is refused', async () => {
  const [booking, date] = [await booked(maitred()), freeDay()];
  await maitred().sql`insert into product_exception (product_id, venue_id, date, reason)
    values (${booking.compositeId}, '1|house|soho-grill', ${date}, 'Staff party')`;
  const attempt = () => put(maitred(), booking.id, { ...asItIs(booking), date });
  await assertUnchanged(maitred(), booking.id, attempt, 422, 'AVAIL-N-004');
});

test('an occurrence without so many tickets is refused and the old ones are kept', async () => {
  const [from, to] = [jazzDay(2), jazzDay(3)];
  await maitred().sql`update ticket_type set capacity = 3 where product_id = ${STANDARD}`;
  await booked(maitred(), { date: to, time: '20:00' }, { productId: STANDARD });
  const booking = await booked(maitred(), { date: from, time: '20:00' }, { productId: STANDARD });
  const attempt = () => put(maitred(), booking.id, { ...asItIs(booking), date: to });
  await assertUnchanged(maitred(), booking.id, attempt, 409, 'AVAIL-N-005');
});

test('pre-order and company are asked for as in a new booking', async () => {
  const preorders = {
    packages: [{ id: 112, quantity: 2 }],
    menus: [{ id: 111, items: [{ id: 11108, quantity: 2 }] }],
  };
  const date = freeDay();
  const brunch = { date, time: '11:00', company: COMPANY, preorders };
  const booking = await booked(maitred(), brunch, { productId: BRUNCH });
  const draft = { ...asItIs(booking), preorders };
  for (const [changes, status, code] of [
    [{ preorders: undefined }, 422, 'BOOK-N-007'],
    [{ partySize: 3 }, 422, 'BOOK-N-007'],
    [{ company: undefined }, 422, 'BOOK-N-016'],
    [{ company: 'Nobody & Sons' }, 422, 'BOOK-N-015'],
  ] as const) {
    const attempt = () => put(maitred(), booking.id, { ...draft, ...changes });
    await assertUnchanged(maitred(), booking.id, attempt, status, code);
  }
  assert.equal((await put(maitred(), booking.id, draft)).status, 200);
});

test('a cancelled and a rejected booking cannot be amended', async () => {
  const cancelled = await booked(maitred());
  await cancel(maitred(), cancelled.id);
  const rejected = await booked(maitred(), { type: 'request' });
  await maitred().services.bookings.reject(operator(1), rejected.id);
  for (const booking of [cancelled, rejected]) {
    for (const changes of [{}, { comments: 'x' }, { type: 'book' }, { type: 'request', time: '20:00' }]) {
      const attempt = () => put(maitred(), booking.id, { ...asItIs(booking), ...changes });
      await assertUnchanged(maitred(), booking.id, attempt, 409, 'BOOK-N-014');
    }
  }
});

test('what is not there is not found, and what is not ours is denied', async () => {
  const booking = await dinner();
  const nobodys = '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60';
  assertProblem(await put(maitred(), nobodys, asItIs(booking)), 404, 'BOOK-N-006');
  assertProblem(await put(maitred(), 'x', asItIs(booking)), 404, 'BOOK-N-006');
  const byOther = () => put(maitred(), booking.id, asItIs(booking), 'other-partner');
  await assertUnchanged(maitred(), booking.id, byOther, 403, 'PMAP-N-003');
});

test('a product that is no longer mapped, and then a venue, cannot be amended', async () => {
  const { sql } = maitred();
  const date = freeDay();
  const booking = await booked(maitred(), { date, time: '19:00' });
  const attempt = () => put(maitred(), booking.id, { ...asItIs(booking), comments: 'x' });
  await sql`delete from product_mapping where partner_id = 1 and product_id = ${booking.compositeId}`;
  await assertUnchanged(maitred(), booking.id, attempt, 403, 'PMAP-N-002');
  await sql`delete from product_mapping where partner_id = 1 and product_id = ${PRIVATE}`;
  await eventually(async () => (await attempt()).json.code === 'AVAIL-N-003');
  await assertUnchanged(maitred(), booking.id, attempt, 404, 'AVAIL-N-003');
  await sql`delete from venue_mapping where partner_id = 1 and venue_id = '1|house|soho-grill'`;
  await eventually(async () => (await attempt()).json.code === 'PMAP-N-001');
  await assertUnchanged(maitred(), booking.id, attempt, 403, 'PMAP-N-001');
});

test('a venue that has closed, and an operator that has suspended the partner, take no changes', async () => {
  const { sql } = maitred();
  const booking = await booked(maitred(), {}, { productId: BOOTH });
  const attempt = () => put(maitred(), booking.id, { ...asItIs(booking), comments: 'x' });
  await sql`update partner_operator set is_suspended = true where partner_id = 1 and operator_id = 2`;
  await assertUnchanged(maitred(), booking.id, attempt, 404, 'BOOK-N-005');
  await sql`update partner_operator set is_suspended = false where partner_id = 1 and operator_id = 2`;
  await sql`update venue set closed_at = now() where id = '2|house|night-owl'`;
  // Until the node has heard of it, it goes by the suspension.
  await eventually(async () => (await attempt()).json.code === 'VENUE-N-009');
  await assertUnchanged(maitred(), booking.id, attempt, 409, 'VENUE-N-009');
});

test('tickets are not moved to a moment at which nothing begins, not even within its minute', async () => {
  const booking = await booked(maitred(), { date: jazzDay(5), time: '20:00' }, { productId: STANDARD });
  for (const change of [{ time: '20:00:30' }, { time: '20:00:30', partySize: 1 }]) {
    const attempt = () => put(maitred(), booking.id, { ...asItIs(booking), ...change });
    await assertUnchanged(maitred(), booking.id, attempt, 409, 'AVAIL-N-005');
  }
});
