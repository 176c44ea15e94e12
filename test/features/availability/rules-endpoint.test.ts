import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const VENUE = '1|house|soho-grill';
const DINNER = `${VENUE}|dinner`;
const PRIVATE = `${VENUE}|private-dining`;
const today = Temporal.Now.plainDateISO('Europe/London');

/** A Wednesday of its own for each test, so that no rule meets another. */
let weeks = 2;
function freshDay(): string {
  weeks += 1;
  return today.add({ days: weeks * 7 + ((10 - today.dayOfWeek) % 7) }).toString();
}

interface Aim {
  product?: string | null;
  partner?: number | null;
  space?: number | null;
  effect?: 'disable' | 'reserve';
}

async function addRule(type: string, definition: object, aim: Aim = {}): Promise<void> {
  const { product = DINNER, partner = null, space = null, effect = 'disable' } = aim;
  const [row] = await maitred.sql<{ id: string }[]>`
    insert into availability_rule (venue_id, product_id, partner_ids, space_id, effect, type, definition)
    values (${VENUE}, ${product}, ${partner === null ? null : [partner]}, ${space}, ${effect}, ${type}, ${maitred.sql.json(definition as never)})
    returning id`;
  assert.ok(row);
}

const ask = async (date: string, query = '', as = 'demo-partner', product = DINNER) =>
  (
    await maitred.call(
      `/venues/${encodeURIComponent(product)}/availability?date=${date}&partySize=2${query}`,
      { as },
    )
  ).json;

const reasonsOf = (body: { times: { time: string; unavailableReasons: string[] }[] }, time: string) =>
  body.times.find((slot) => slot.time === time)?.unavailableReasons;

for (const [type, code, definitionFor] of [
  ['specific_dates', 'OPRUL-N-001', (date: string) => ({ dates: [date] })],
  ['date_range', 'OPRUL-N-002', (date: string) => ({ startDate: date, endDate: date })],
  ['time_based', 'OPRUL-N-004', () => ({ startTime: '19:00', endTime: '20:00' })],
  [
    'specific_dates_with_time',
    'OPRUL-N-004',
    (date: string) => ({ dates: [date], startTime: '19:00', endTime: '20:00' }),
  ],
  [
    'date_range_with_time',
    'OPRUL-N-004',
    (date: string) => ({ startDate: date, endDate: date, startTime: '19:00', endTime: '20:00' }),
  ],
  ['recurring', 'OPRUL-N-003', () => ({ weekdays: [3] })],
  ['recurring_with_time', 'OPRUL-N-004', () => ({ weekdays: [3], startTime: '19:00', endTime: '20:00' })],
] as const) {
  test(`a rule of the type ${type} takes its starts away with ${code}`, async () => {
    const date = freshDay();
    await addRule(type, definitionFor(date));
    const all = '&includeUnavailable=true';
    await eventually(async () => reasonsOf(await ask(date, all), '19:30')?.includes(code) ?? false);
    const body = await ask(date, all);
    assert.deepEqual(reasonsOf(body, '19:30'), [code]);
    const isWholeDay = !type.includes('time');
    assert.deepEqual(reasonsOf(body, '20:00'), isWholeDay ? [code] : [], 'the end of a range is not in it');
    const narrowed = await ask(date, '&startTime=19:00&endTime=19:45');
    assert.deepEqual(narrowed.times, []);
    assert.equal(narrowed.noAvailabilityCode, 'FILTERED_BY_OPERATOR_RULES');
    assert.ok(narrowed.noAvailabilityReason.length > 10);
    await maitred.sql`delete from availability_rule where venue_id = ${VENUE}`;
    await eventually(async () => reasonsOf(await ask(date, all), '19:30')?.length === 0);
  });
}

test('a rule aimed at one partner leaves the other alone, and the other does not see it', async () => {
  const date = freshDay();
  await addRule('specific_dates', { dates: [date] }, { partner: 1 });
  await eventually(async () => (await ask(date)).noAvailabilityCode === 'FILTERED_BY_OPERATOR_RULES');
  assert.ok((await ask(date, '', 'other-partner')).times.length > 0);
  const seenBy = async (as: string) =>
    (await maitred.call(`/venues/${VENUE}`, { as })).json.operatorAvailabilityRules.length;
  assert.equal(await seenBy('demo-partner'), 1);
  assert.equal(await seenBy('other-partner'), 0);
});

test('times reserved for one partner are closed to the others with OPRUL-N-008', async () => {
  const date = freshDay();
  await addRule('specific_dates', { dates: [date] }, { partner: 2, effect: 'reserve' });
  await eventually(async () => (await ask(date)).times.length === 0);
  const body = await ask(date, '&includeUnavailable=true');
  assert.deepEqual(reasonsOf(body, '19:30'), ['OPRUL-N-008']);
  assert.ok((await ask(date, '', 'other-partner')).times.length > 0);
});

test('a blocked space goes, and with the last one the start, as OPRUL-N-009', async () => {
  const date = freshDay();
  const party = await maitred.call(
    `/venues/${encodeURIComponent(PRIVATE)}/availability?date=${date}&partySize=12`,
  );
  const [first, second] = party.json.times[0].product.spaces.map(({ id }: { id: number }) => id);
  assert.ok(first && second);
  const ask12 = async () =>
    (
      await maitred.call(
        `/venues/${encodeURIComponent(PRIVATE)}/availability?date=${date}&partySize=12&includeUnavailable=true`,
      )
    ).json.times[0];
  await addRule('specific_dates', { dates: [date] }, { product: PRIVATE, space: first });
  await eventually(async () => (await ask12()).product.spaces.length === 1);
  assert.deepEqual(
    (await ask12()).product.spaces.map(({ id }: { id: number }) => id),
    [second],
  );
  await addRule('specific_dates', { dates: [date] }, { product: PRIVATE, space: second });
  await eventually(async () => (await ask12()).product.spaces.length === 0);
  assert.deepEqual((await ask12()).unavailableReasons, ['OPRUL-N-009']);
});

test('the channel of a partner can be narrower than the venue', async () => {
  const date = freshDay();
  await maitred.sql`update venue_mapping set max_party_size = 4, is_request_only = true
    where partner_id = 2 and venue_id = ${VENUE}`;
  await eventually(async () => (await ask(date, '', 'other-partner')).times[0]?.type === 'request');
  assert.equal((await ask(date, '', 'other-partner')).times[0].requestReason, 'request_only');
  const large = await ask(date, '&children=3', 'other-partner');
  assert.equal(large.noAvailabilityCode, 'NO_ELIGIBLE_PRODUCTS');
  assert.equal((await ask(date)).times[0].type, 'book');
});
