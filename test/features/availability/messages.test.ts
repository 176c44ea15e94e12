import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { importOperator, mapVenue } from '../../../src/features/venues/service.ts';
import { venueOfProduct } from '../../../src/kernel/ids.ts';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';

import { ATTIC, CELLAR, CLUB, club, LOUNGES } from './club.ts';

/** What the interface says about the answer, sentence by sentence, at a club small enough to know every value. */

const NOW = Temporal.Instant.from('2030-05-01T10:00:00Z');
/** A Friday; the club shuts at three on Saturday morning. */
const FRIDAY = '2030-06-07';
const SATURDAY = '2030-06-08';
const SUNDAY = '2030-06-09';
let maitred: TestApp;
before(async () => {
  maitred = await startTestApp({ deps: { clock: () => NOW } });
  await inTransaction(maitred.sql, async (tx) => {
    await importOperator(tx, { id: 950, name: 'Nightlife', systems: ['house'], venues: [club] });
    await mapVenue(tx, { partnerId: 1, venueId: venueOfProduct(CLUB), productIds: [CLUB, LOUNGES] });
  });
});
after(() => maitred.close());

async function ask(
  productId: string,
  query: string,
  options: { as?: string | null; headers?: Record<string, string> } = {},
) {
  return maitred.call(`/venues/${encodeURIComponent(productId)}/availability?partySize=2&${query}`, options);
}

interface SlotBody {
  time: string;
  type: string;
  requestReason?: string;
  unavailableReasons?: string[];
  product: { spaces: { id: number; policies: { minimumSpend: { amount: number }[] } }[] };
}
const slotsOf = async (productId: string, query: string): Promise<SlotBody[]> =>
  (await ask(productId, query)).json.times;
const timesOf = async (productId: string, query: string) =>
  (await slotsOf(productId, query)).map(({ time }) => time);

/** Takes tables for a stretch of the evening while `work` runs. */
async function whileTaken(
  tableIds: number[],
  from: string,
  to: string,
  work: () => Promise<void>,
): Promise<void> {
  const id = randomUUID();
  const venueId = venueOfProduct(CLUB);
  await maitred.sql.begin(async (tx) => {
    await tx`insert into house_reservation (id, reference, product_id, venue_id, trading_day, starts_at, duration_minutes, guests)
      values (${id}, ${id}, ${CLUB}, ${venueId}, ${FRIDAY}, ${from}, 60, 2)`;
    for (const tableId of tableIds)
      await tx`insert into house_allocation (reservation_id, table_id, venue_id, during)
        values (${id}, ${tableId}, ${venueId}, tstzrange(${from}, ${to}))`;
  });
  await work().finally(() => maitred.sql`delete from house_reservation where id = ${id}`);
}
/** In British summer time. */
const WHOLE_NIGHT = ['2030-06-07T19:00:00Z', '2030-06-08T02:00:00Z'] as const;

test('the answer and its first start have the values that the product was given', async () => {
  const { json } = await ask(CLUB, `date=${FRIDAY}`);
  const { times, ...about } = json;
  assert.deepEqual(about, {
    name: 'Table',
    deposit: { amount: 500, currency: 'GBP', per: 'adult', total: 1000 },
    policy: 'No trainers',
    cancellationPolicy: 'Until noon',
    noAvailabilityReason: null,
    noAvailabilityCode: null,
  });
  assert.deepEqual(times[0], {
    time: '20:00',
    date: FRIDAY,
    dateTime: '2030-06-07T20:00:00+01:00',
    duration: 120,
    minDuration: 60,
    maxDuration: 180,
    durationInterval: 30,
    type: 'book',
    product: { id: CLUB, name: 'Table', spaces: [] },
    productId: CLUB,
  });
  assert.deepEqual(
    times.map(({ time }: SlotBody) => time),
    ['20:00', '21:00', '22:00', '23:00', '00:00', '01:00'],
  );
});

test('duration moves the last start, and children are none unless they are named', async () => {
  assert.equal((await timesOf(CLUB, `date=${FRIDAY}&duration=180`)).at(-1), '00:00');
  assert.deepEqual(await slotsOf(CLUB, `date=${FRIDAY}&children=0`), await slotsOf(CLUB, `date=${FRIDAY}`));
  for (const minutes of [30, 75, 210]) {
    assertProblem(await ask(CLUB, `date=${FRIDAY}&duration=${minutes}`), 422, 'AVAIL-N-006');
  }
});

test('a full start is an enquiry and says fully_booked, without enquiries it is gone and says AVAIL-N-005', async () => {
  await whileTaken([950_010, CELLAR, ATTIC], ...WHOLE_NIGHT, async () => {
    for (const { type, requestReason } of await slotsOf(CLUB, `date=${FRIDAY}`)) {
      assert.deepEqual([type, requestReason], ['request', 'fully_booked']);
    }
    const { json } = await ask(LOUNGES, `date=${FRIDAY}`);
    assert.deepEqual([json.times, json.noAvailabilityCode], [[], 'FILTERED_BY_CAPACITY']);
    assert.match(json.noAvailabilityReason, /fully booked/);
    for (const slot of await slotsOf(LOUNGES, `date=${FRIDAY}&includeUnavailable=true`)) {
      assert.deepEqual(slot.unavailableReasons, ['AVAIL-N-005']);
    }
  });
});

test('a wished space that is taken is a matter of capacity, one that nobody has is not', async () => {
  await whileTaken([ATTIC], ...WHOLE_NIGHT, async () => {
    const taken = (await ask(LOUNGES, `date=${FRIDAY}&accessibility=true`)).json;
    assert.deepEqual([taken.times, taken.noAvailabilityCode], [[], 'FILTERED_BY_CAPACITY']);
    const never = (await ask(LOUNGES, `date=${FRIDAY}&servesFood=true`)).json;
    assert.deepEqual([never.times, never.noAvailabilityCode], [[], 'NO_ELIGIBLE_PRODUCTS']);
    const ids = (await slotsOf(LOUNGES, `date=${FRIDAY}`)).map(({ product }) =>
      product.spaces.map(({ id }) => id),
    );
    assert.deepEqual([...new Set(ids.flat())], [CELLAR]);
  });
});

test('of minimum spends those bands are shown that the stay crosses, in the order of the night', async () => {
  const amounts = (await slotsOf(LOUNGES, `date=${FRIDAY}`)).map(({ product }) =>
    product.spaces.find(({ id }) => id === CELLAR)?.policies.minimumSpend.map(({ amount }) => amount),
  );
  assert.deepEqual(amounts, [[100], [100, 200], [200], [200, 300], [300], [300]]);
});

test('minimumSpend is the most that may be owed, and exactly that is allowed', async () => {
  const cellarAt = async (minimumSpend: number) =>
    (await slotsOf(LOUNGES, `date=${FRIDAY}&minimumSpend=${minimumSpend}`))
      .filter(({ product }) => product.spaces.some(({ id }) => id === CELLAR))
      .map(({ time }) => time);
  assert.deepEqual(await cellarAt(99), []);
  assert.deepEqual(await cellarAt(100), ['20:00']);
  assert.deepEqual(await cellarAt(299), ['20:00', '22:00']);
  assert.deepEqual(await cellarAt(300), ['20:00', '21:00', '22:00', '00:00', '01:00']);
});

test('beyond the horizon a start says AVAIL-N-008', async () => {
  const [slot] = await slotsOf(CLUB, 'date=2030-07-05&includeUnavailable=true');
  assert.deepEqual(slot?.unavailableReasons, ['AVAIL-N-008']);
});

test('the deposit and the sentence are those of the trading day that a window begins in', async () => {
  const night = (await ask(CLUB, `startDateTime=${SATURDAY}T00:30:00%2B01:00`)).json;
  assert.deepEqual(
    night.times.map(({ time, date }: SlotBody & { date: string }) => [time, date]),
    [['01:00', FRIDAY]],
  );
  assert.equal(night.deposit?.total, 1000, 'it is still Friday');
  assert.equal((await ask(CLUB, `startDateTime=${SATURDAY}T20:00:00%2B01:00`)).json.deposit, null);
  const closed = (await ask(CLUB, `startDateTime=${SUNDAY}T20:00:00%2B01:00`)).json;
  assert.match(closed.noAvailabilityReason, /closed on 9 June 2030/, 'though the night before was not');
});

test('clock times after midnight belong to the night they are in, until the hour of closing', async () => {
  assert.deepEqual(await timesOf(CLUB, `date=${FRIDAY}&startTime=23:00&endTime=00:00`), ['23:00', '00:00']);
  assert.deepEqual(await timesOf(CLUB, `date=${FRIDAY}&startTime=01:00`), ['01:00']);
  assert.equal((await timesOf(CLUB, `date=${FRIDAY}&endTime=03:00`)).length, 6);
  assert.deepEqual(await timesOf(CLUB, `date=${FRIDAY}&time=02:00`), ['01:00']);
  const open = `startDateTime=${FRIDAY}T23:00:00%2B01:00`;
  assert.deepEqual(await timesOf(CLUB, `${open}&endTime=00:00`), ['23:00', '00:00']);
});

test('a date or clock time that disagrees with the moments is AVAIL-N-009, one that agrees is not', async () => {
  const start = `startDateTime=${SATURDAY}T01:00:00%2B01:00`;
  const end = `endDateTime=${SATURDAY}T23:00:00%2B01:00`;
  for (const extra of [`date=${FRIDAY}`, `date=${SATURDAY}`, 'startTime=01:00', `${end}&endTime=23:00`]) {
    assert.equal((await ask(CLUB, `${start}&${extra}`)).status, 200, extra);
  }
  const evening = `startDateTime=${SATURDAY}T21:00:00%2B01:00`;
  assertProblem(await ask(CLUB, `${evening}&date=${FRIDAY}`), 400, 'AVAIL-N-009');
  for (const extra of [`date=${SUNDAY}`, 'date=2030-06-06', 'startTime=01:30', `${end}&endTime=22:00`]) {
    assertProblem(await ask(CLUB, `${start}&${extra}`), 400, 'AVAIL-N-009');
  }
});

test('every way in which a window can be wrong is AVAIL-N-010', async () => {
  const start = `startDateTime=${FRIDAY}T20:00:00Z`;
  for (const query of [
    `startDateTime=${FRIDAY}T20:00:00`,
    `${start}&endDateTime=${FRIDAY}T21:00:00`,
    `endDateTime=${FRIDAY}T21:00:00Z`,
    `date=${FRIDAY}&endDateTime=${FRIDAY}T21:00:00Z`,
    `${start}&endDateTime=${FRIDAY}T19:59:59Z`,
    `${start}&endDateTime=${SUNDAY}T20:00:01Z`,
  ]) {
    assertProblem(await ask(CLUB, query), 400, 'AVAIL-N-010');
  }
  assert.equal(
    (await ask(CLUB, `${start}&endDateTime=${SUNDAY}T20:00:00Z`)).status,
    200,
    '48 hours are allowed',
  );
});

test('fields reach down to the ends of a capacity', async () => {
  const { json } = await ask(
    LOUNGES,
    `date=${FRIDAY}&time=20:00&fields=noAvailabilityCode,times(product(spaces(id,capacitySeated(max))))`,
  );
  assert.deepEqual(json, {
    noAvailabilityCode: null,
    times: ['20:00', '21:00'].map(() => ({
      product: { spaces: [CELLAR, ATTIC].map((id) => ({ id, capacitySeated: { max: 4 } })) },
    })),
  });
});

test('it takes a token; an agent reads it for the partner it names', async () => {
  assertProblem(await ask(CLUB, `date=${FRIDAY}`, { as: null }), 401, 'IDENT-N-001');
  const headers = { 'x-partner-reference': 'demo-partner' };
  const viaAgent = await ask(CLUB, `date=${FRIDAY}`, { as: 'demo-agent', headers });
  assert.deepEqual(viaAgent.json, (await ask(CLUB, `date=${FRIDAY}`)).json);
});
