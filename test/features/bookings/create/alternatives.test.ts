import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../support/eventually.ts';
import { ada, done, order } from '../../orders/support.ts';
import { assertUnchanged, patch, replacing } from '../amend/amending.ts';
import {
  assertRefused,
  type Body,
  type Booking,
  BRUNCH,
  book,
  booked,
  bookingsApp,
  CELLAR,
  COPPER_ROOM,
  DINNER,
  freeDay,
  jazzDay,
  PRIVATE,
  STANDARD,
  VIP,
} from '../support.ts';

/** What a refusal names instead of a start or a party that cannot be had. */

const app = bookingsApp();
const VENUE = '1|house|soho-grill';

const refused = (body: Body, booking?: Booking) =>
  assertRefused(app(), () => book(app(), body, booking), 409, 'AVAIL-N-005');

/** The two starts nearest to a time that availability offers to the same caller for an instant booking. */
async function nearestOffered(date: string, time: string, { productId = DINNER, as = 'demo-partner' } = {}) {
  const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
  const path = `/venues/${encodeURIComponent(productId)}/availability?partySize=2&date=${date}`;
  const { times } = (await app().call(path, { as })).json;
  const distance = (slot: Body) => Math.abs(minutes(slot.time) - minutes(time));
  return times
    .filter(({ type }: Body) => type === 'book')
    .sort((a: Body, b: Body) => distance(a) - distance(b))
    .slice(0, 2)
    .map((slot: Body) => slot.time)
    .sort();
}

test('a start off the grid names the nearest that can be had', async () => {
  const date = freeDay();
  for (const type of ['book', 'request']) {
    const problem = await refused({ date, time: '19:20', type });
    assert.deepEqual(problem.nearestTimes, ['19:15', '19:30']);
    assert.equal(
      problem.detail,
      'Dinner does not start at 19:20, but every 15 minutes of its hours; the nearest that can be had are 19:15 and 19:30.',
    );
  }
  assert.deepEqual((await refused({ date, time: '19:00:40' })).nearestTimes, ['19:00', '19:15']);
  const late = await refused({ date, time: '19:20', duration: 240 });
  assert.match(late.detail, /does not start at 19:20 for 240 minutes/);
  for (const time of late.nearestTimes) await booked(app(), { date, time, duration: 240 });
  const [night] = (await refused({ date, time: '04:00' })).nearestTimes;
  await booked(app(), { date, time: night });
});

test('only starts that this caller can have at this moment are named', async () => {
  const { sql } = app();
  const date = freeDay();
  const definition = { dates: [date], startTime: '19:00', endTime: '19:30' };
  await sql`insert into availability_rule (venue_id, product_id, partner_ids, type, definition)
    values (${VENUE}, ${DINNER}, '{1}', 'specific_dates_with_time', ${sql.json(definition)})`;
  await eventually(async () => (await book(app(), { date, time: '19:15' })).status === 422);
  const asked = { date, time: '19:20' };
  assert.deepEqual((await refused(asked)).nearestTimes, ['19:30', '19:45']);
  assert.deepEqual((await refused(asked, { as: 'other-partner' })).nearestTimes, ['19:15', '19:30']);
  // The kitchen takes so many guests at a start; three large tables are all of them.
  for (let table = 0; table < 3; table += 1) await booked(app(), { date, time: '19:30', partySize: 8 });
  const { nearestTimes } = await refused(asked);
  assert.deepEqual(nearestTimes, await nearestOffered(date, '19:20'));
  assert.equal(nearestTimes.includes('19:30'), false);
  await sql`delete from availability_rule where venue_id = ${VENUE}`;
  await eventually(async () => (await book(app(), { date, time: '19:15' })).status === 201);
});

test('where nothing of the day can be had, nothing is named', async () => {
  const { sql } = app();
  const date = freeDay();
  await sql`insert into availability_rule (venue_id, product_id, partner_ids, type, definition)
    values (${VENUE}, ${DINNER}, '{1}', 'specific_dates', ${sql.json({ dates: [date] })})`;
  await eventually(async () => (await book(app(), { date, time: '19:15' })).status === 422);
  const problem = await refused({ date, time: '19:20' });
  assert.deepEqual(problem.nearestTimes, []);
  assert.match(problem.detail, /nothing can be had on that day\.$/);
  await sql`delete from availability_rule where venue_id = ${VENUE}`;
  await eventually(async () => (await book(app(), { date, time: '19:15' })).status === 201);
});

test('what can only be enquired about is named to those who enquire', async () => {
  const room = { partySize: 12, time: '19:07', date: freeDay(), spaceId: COPPER_ROOM };
  const enquiry = await refused({ ...room, type: 'request' }, { productId: PRIVATE });
  assert.deepEqual(enquiry.nearestTimes, ['19:00', '19:30']);
  assert.deepEqual((await refused(room, { productId: PRIVATE })).nearestTimes, []);
  const taken = await refused({ ...room, time: '19:00' }, { productId: PRIVATE });
  assert.equal(taken.enquiryPossible, true);
});

test('an event names the times at which it takes place', async () => {
  const problem = await refused({ date: jazzDay(), time: '20:07' }, { productId: STANDARD });
  assert.deepEqual(problem.nearestTimes, ['20:00']);
  assert.match(problem.detail, /does not start at 20:07; the nearest that can be had is 20:00\.$/);
});

test('amendments and items of orders name them too', async () => {
  const date = freeDay();
  const { id } = await booked(app(), { date, time: '18:00' });
  const moved = () => patch(app(), id, [replacing('/time', '19:20')]);
  const { nearestTimes } = await assertUnchanged(app(), id, moved, 409, 'AVAIL-N-005');
  assert.deepEqual(nearestTimes, ['19:15', '19:30']);
  const items = [{ compositeId: DINNER, quantity: 2, date, time: '19:20' }];
  for (const atomic of [false, true]) {
    const made = await done(order(app(), { ...ada, atomic, items }));
    assert.deepEqual(made.items[0].error.nearestTimes, ['19:15', '19:30']);
  }
});

test('a party above the instant limit is told the limit, and that it may enquire', async () => {
  const at = { date: freeDay(), time: '19:00' };
  const problem = await refused({ ...at, partySize: 8, children: 1 });
  assert.deepEqual([problem.largestPartySize, problem.enquiryPossible], [8, true]);
  assert.equal(
    problem.detail,
    'Dinner takes parties of up to 8 at once, and parties of up to 20 by enquiry, with type "request".',
  );
  assert.equal((await booked(app(), { ...at, partySize: 9, type: 'request' })).status, 'pending');
  await booked(app(), { ...at, partySize: problem.largestPartySize });
});

test('a party that no table is for is told the largest that fits', async () => {
  const at = { date: freeDay(), time: '19:00' };
  const instant = await refused({ ...at, partySize: 21 });
  assert.deepEqual([instant.largestPartySize, instant.enquiryPossible], [8, false]);
  const enquiry = await refused({ ...at, partySize: 21, type: 'request' });
  assert.deepEqual([enquiry.largestPartySize, enquiry.enquiryPossible], [20, false]);
  const largest = { ...at, partySize: enquiry.largestPartySize, type: 'request' };
  assert.equal((await booked(app(), largest)).status, 'pending');
  const small = await refused({ ...at, partySize: 1, type: 'request' }, { productId: PRIVATE });
  assert.match(small.detail, /is for parties of \d+ or more/);
  assert.equal('largestPartySize' in small, false);
  const tickets = await refused({ date: jazzDay(), time: '20:00', partySize: 5 }, { productId: VIP });
  assert.deepEqual([tickets.largestPartySize, tickets.enquiryPossible], [4, false]);
  const room = { ...at, partySize: 40, type: 'request', spaceId: CELLAR };
  const { largestPartySize } = await refused(room, { productId: PRIVATE });
  await booked(app(), { ...room, partySize: largestPartySize }, { productId: PRIVATE });
  await refused({ ...room, partySize: largestPartySize + 1 }, { productId: PRIVATE });
});

test('the limit of a channel is the largest that its partner can have', async () => {
  const { sql } = app();
  const theirs = { as: 'other-partner' };
  await sql`update venue_mapping set max_party_size = 4 where partner_id = 2`;
  await eventually(async () => (await book(app(), { partySize: 5 }, theirs)).status === 409);
  for (const type of ['book', 'request']) {
    const problem = await refused({ partySize: 12, type }, theirs);
    assert.deepEqual([problem.largestPartySize, problem.enquiryPossible], [4, false]);
  }
  await sql`update venue_mapping set max_party_size = 12 where partner_id = 2`;
  await eventually(async () => (await book(app(), { partySize: 8 }, theirs)).status === 201);
  const problem = await refused({ partySize: 13 }, theirs);
  assert.deepEqual([problem.largestPartySize, problem.enquiryPossible], [8, false]);
  await sql`update venue_mapping set max_party_size = null, is_request_only = true where partner_id = 2`;
  await eventually(async () => (await book(app(), {}, theirs)).status === 409);
  assert.equal((await refused({}, theirs)).enquiryPossible, true);
});

test('of brunch the nearest are named before its pre-order is asked for', async () => {
  const problem = await refused({ date: freeDay(), time: '11:07' }, { productId: BRUNCH });
  assert.deepEqual(problem.nearestTimes, ['11:00', '11:30']);
});
