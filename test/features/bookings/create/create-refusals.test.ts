import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../support/eventually.ts';
import {
  assertRefused,
  BOOTH,
  type Body,
  type Booking,
  book,
  booked,
  bookingsApp,
  CLOSED,
  DINNER,
  freeDay,
  HIDDEN,
  jazzDay,
  PRIVATE,
  STANDARD,
} from '../support.ts';

const app = bookingsApp();
const BLUE_NOTE = '2|house|blue-note|table';
const today = Temporal.Now.plainDateISO('Europe/London');

const refuses = (status: number, code: string, body?: Body, booking?: Booking) =>
  assertRefused(app(), () => book(app(), body, booking), status, code);

/** Instant and as an enquiry, and named by its code either way. */
async function refusesBoth(status: number, code: string, body: Body, booking?: Booking) {
  for (const type of ['book', 'request']) await refuses(status, code, { ...body, type }, booking);
}

test('each way of not having a venue or a product has its code', async () => {
  await refuses(400, 'VALID-N-001', {}, { productId: '1|house|soho-grill' });
  await refuses(400, 'VALID-N-001', {}, { productId: 'dinner' });
  await refuses(404, 'VENUE-N-001', {}, { productId: '1|house|nowhere|dinner' });
  await refuses(404, 'VENUE-N-002', {}, { productId: '1|house|soho-grill|supper' });
  await refuses(404, 'EVENT-N-002', {}, { productId: '2|tickets|jazz-night|balcony' });
  await refuses(403, 'PMAP-N-001', {}, { productId: HIDDEN });
  await refusesBoth(409, 'VENUE-N-009', {}, { productId: CLOSED });
});

test('a system that the operator does not have is told to those who know the operator, and to nobody else', async () => {
  const theirs = { as: 'other-partner' };
  const nowhere = { productId: '1|opentable|soho-grill|dinner' };
  for (const who of [{}, theirs]) await refusesBoth(404, 'BOOK-N-003', {}, { ...nowhere, ...who });
  for (const productId of ['3|opentable|hidden-kitchen|dinner', '9|opentable|soho-grill|dinner'])
    await refusesBoth(404, 'VENUE-N-001', {}, { productId });
  await refusesBoth(404, 'VENUE-N-001', {}, { ...theirs, productId: '2|opentable|night-owl|booth' });
});

test('nobody, and nobody’s token, books nothing', async () => {
  const path = `/venues/${encodeURIComponent(DINNER)}/booking`;
  const attempt = () => app().call(path, { method: 'POST', as: null, body: {} });
  await assertRefused(app(), attempt, 401, 'IDENT-N-001');
});

test('operators do not book on the partner interface, and the platform books for nobody', async () => {
  await refuses(403, 'USER-N-009', {}, { as: 'demo-operator' });
  await refuses(403, 'IDENT-N-002', {}, { as: 'demo-admin' });
});

test('an agent names a partner that allowed it', async () => {
  const agent = { as: 'demo-agent' };
  await refuses(403, 'IDENT-N-002', {}, agent);
  await refuses(403, 'IDENT-N-003', {}, { ...agent, headers: { 'X-Partner-Reference': 'other-partner' } });
  await refuses(403, 'IDENT-N-002', {}, { headers: { 'X-Partner-Reference': 'other-partner' } });
  const own = { headers: { 'X-Partner-Reference': 'demo-partner' } };
  assert.equal((await booked(app(), {}, own)).status, 'confirmed');
});

test('a token that was narrowed to other scopes does not book', async () => {
  const tokenWith = async (scope: string) => {
    const body = {
      grant_type: 'client_credentials',
      client_id: 'demo-partner',
      client_secret: 'demo-partner-secret',
      audience: 'maitred',
      scope,
    };
    const { json } = await app().call('/oauth/token', { method: 'POST', as: null, body });
    return { authorization: `Bearer ${json.access_token}` };
  };
  const others = await tokenWith('venue:read venue-booking:read venue-booking:update venue-booking:delete');
  await refuses(403, 'USER-N-009', {}, { headers: others });
  const narrow = await tokenWith('venue-booking:create');
  assert.equal((await booked(app(), {}, { headers: narrow })).status, 'confirmed');
});

test('a closed day, too short a notice and too far a day have their codes', async () => {
  const christmas = today.with({ month: 12, day: 25 });
  const next = Temporal.PlainDate.compare(christmas, today) < 0 ? christmas.add({ years: 1 }) : christmas;
  const at = (days: number) => ({ date: today.add({ days }).toString(), time: '19:00' });
  await refusesBoth(422, 'AVAIL-N-004', { date: next.toString(), time: '19:00' }, { productId: BLUE_NOTE });
  await refusesBoth(400, 'AVAIL-N-007', at(-1));
  await refusesBoth(400, 'AVAIL-N-007', at(-400));
  await refusesBoth(400, 'AVAIL-N-007', { date: '1970-01-05', time: '19:00' });
  await refusesBoth(400, 'AVAIL-N-008', at(182));
  await refusesBoth(400, 'AVAIL-N-008', { date: '9999-12-01', time: '19:00' });
  await refuses(400, 'AVAIL-N-007', { ...at(1), type: 'request', partySize: 12 }, { productId: PRIVATE });
});

const VENUE = '1|house|soho-grill';
const inRule = (type: string, date: string) =>
  ({
    specific_dates: { dates: [date] },
    date_range: { startDate: date, endDate: date },
    recurring: { weekdays: [Temporal.PlainDate.from(date).dayOfWeek] },
    time_based: { startTime: '19:00', endTime: '20:00' },
    specific_dates_with_time: { dates: [date], startTime: '19:00', endTime: '20:00' },
    date_range_with_time: { startDate: date, endDate: date, startTime: '19:00', endTime: '20:00' },
    recurring_with_time: {
      weekdays: [Temporal.PlainDate.from(date).dayOfWeek],
      startTime: '19:00',
      endTime: '20:00',
    },
  })[type];

for (const [type, code] of [
  ['specific_dates', 'OPRUL-N-001'],
  ['date_range', 'OPRUL-N-002'],
  ['recurring', 'OPRUL-N-003'],
  ['time_based', 'OPRUL-N-004'],
  ['specific_dates_with_time', 'OPRUL-N-004'],
  ['date_range_with_time', 'OPRUL-N-004'],
  ['recurring_with_time', 'OPRUL-N-004'],
] as const) {
  test(`what a rule of the type ${type} takes away is refused with ${code}`, async () => {
    const { sql } = app();
    const date = freeDay();
    const definition = { ...inRule(type, date), reason: 'The chef is away' };
    await sql`insert into availability_rule (venue_id, product_id, partner_ids, type, definition)
      values (${VENUE}, ${DINNER}, '{1}', ${type}, ${sql.json(definition as never)})`;
    const { detail } = await refuses(422, code, { date, time: '19:30' });
    assert.equal(detail, 'The chef is away');
    await refuses(422, code, { date, time: '19:30', type: 'request' });
    assert.equal((await booked(app(), { date, time: '19:30' }, { as: 'other-partner' })).status, 'confirmed');
    await sql`delete from availability_rule where venue_id = ${VENUE}`;
    await eventually(async () => (await book(app(), { date, time: '19:30' })).status === 201);
  });
}

test('what is reserved for another is OPRUL-N-008', async () => {
  const { sql } = app();
  const date = freeDay();
  await sql`insert into availability_rule (venue_id, product_id, partner_ids, effect, type, definition)
    values (${VENUE}, ${DINNER}, '{2}', 'reserve', 'specific_dates', ${sql.json({ dates: [date] })})`;
  await refusesBoth(422, 'OPRUL-N-008', { date, time: '19:00' });
  const theirs = await booked(app(), { date, time: '19:00' }, { as: 'other-partner' });
  assert.equal(theirs.status, 'confirmed');
  await sql`delete from availability_rule where venue_id = ${VENUE}`;
  await eventually(async () => (await book(app(), { date, time: '19:00' })).status === 201);
});

test('the channel of a partner can be narrower than the venue', async () => {
  const { sql } = app();
  const theirs = { as: 'other-partner' };
  await booked(app(), { partySize: 5 }, theirs);
  await sql`update venue_mapping set max_party_size = 4 where partner_id = 2`;
  await eventually(async () => (await book(app(), { partySize: 5 }, theirs)).status === 409);
  await refuses(409, 'AVAIL-N-005', { partySize: 3, children: 2 }, theirs);
  assert.equal((await booked(app(), { partySize: 3, children: 1 }, theirs)).status, 'confirmed');
  await sql`update venue_mapping set is_request_only = true where partner_id = 2`;
  await eventually(async () => (await book(app(), {}, theirs)).status === 409);
  await refuses(409, 'AVAIL-N-005', {}, theirs);
  await refuses(409, 'AVAIL-N-005', { type: 'request', partySize: 3, children: 2 }, theirs);
  assert.equal((await booked(app(), { type: 'request', partySize: 4 }, theirs)).status, 'pending');
  assert.equal((await booked(app())).status, 'confirmed', 'other partners are not concerned');
  await sql`update venue_mapping set max_party_size = null, is_request_only = false where partner_id = 2`;
  await eventually(async () => (await book(app(), {}, theirs)).status === 201);
});

test('without the systems, the source or the arrangement nothing is booked', async () => {
  const { sql } = app();
  const jazz = { date: jazzDay(), time: '20:00' };
  const becomes = (code: string, body: Body, productId: string) =>
    eventually(async () => (await book(app(), body, { productId })).json.code === code);

  await sql`delete from operator_system where operator_id = 2 and tms = 'tickets'`;
  await becomes('EVENT-N-001', jazz, STANDARD);
  await refusesBoth(404, 'EVENT-N-001', jazz, { productId: STANDARD });
  await refusesBoth(404, 'EVENT-N-001', jazz, { productId: '2|tickets|blues-night|standard' });
  assert.equal((await booked(app(), {}, { productId: BOOTH })).status, 'confirmed');

  await sql`insert into operator_system (operator_id, tms) values (2, 'tickets')`;
  await sql`delete from operator_system where operator_id = 2 and tms = 'house'`;
  await becomes('BOOK-N-003', {}, BOOTH);
  await refusesBoth(404, 'BOOK-N-003', {}, { productId: BOOTH });

  await sql`delete from operator_system where operator_id = 2`;
  await becomes('BOOK-N-001', jazz, STANDARD);
  await refusesBoth(404, 'BOOK-N-001', {}, { productId: BOOTH });
  await refuses(404, 'BOOK-N-001', jazz, { productId: STANDARD });
  await refusesBoth(404, 'BOOK-N-001', {}, { productId: '2|opentable|night-owl|booth' });
  await sql`insert into operator_system (operator_id, tms) values (2, 'house'), (2, 'tickets')`;

  await sql`delete from partner_source where operator_id = 2 and partner_id = 1`;
  await becomes('BOOK-N-004', {}, BOOTH);
  await refusesBoth(422, 'BOOK-N-004', {}, { productId: BOOTH });

  await sql`update partner_operator set is_suspended = true where operator_id = 2 and partner_id = 1`;
  await becomes('BOOK-N-005', {}, BOOTH);
  await refusesBoth(404, 'BOOK-N-005', {}, { productId: BOOTH });
  await sql`delete from partner_operator where operator_id = 2 and partner_id = 1`;
  await refusesBoth(404, 'BOOK-N-005', {}, { productId: BOOTH });
});

test('a product that is not mapped, and a venue of which none is, have their codes', async () => {
  const { sql } = app();
  const theirs = (productId: string) => ({ productId, as: 'other-partner' });
  const enquiry = { type: 'request', partySize: 12 };
  await sql`delete from product_mapping where partner_id = 2 and product_id = ${PRIVATE}`;
  await eventually(async () => (await book(app(), enquiry, theirs(PRIVATE))).json.code === 'PMAP-N-002');
  await refuses(403, 'PMAP-N-002', enquiry, theirs(PRIVATE));
  await sql`delete from product_mapping where partner_id = 2 and venue_id = ${VENUE}`;
  await eventually(async () => (await book(app(), {}, theirs(DINNER))).json.code === 'AVAIL-N-003');
  await refuses(404, 'AVAIL-N-003', {}, theirs(DINNER));
});
