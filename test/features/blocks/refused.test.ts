/** Blocks that cannot be. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { venueOfProduct } from '../../../src/kernel/ids.ts';
import { addRoom } from '../../race/venues.ts';
import { type Answer, assertProblem } from '../../support/app.ts';
import { addOperatorClient } from '../bookings/amend/amending.ts';
import { type Body, bookingsApp, freeDay } from '../bookings/support.ts';
import { managerOf, SOHO } from '../layout/support.ts';
import { blocksOf } from './support.ts';

const maitred = bookingsApp({}, ({ sql }) => addOperatorClient(sql, 2));
const { post, read, put, made } = managerOf(maitred);
let [TABLE, AREA] = [0, 0];
before(async () => {
  const [table] = (await read('tables')).json.data;
  [TABLE, AREA] = [table.id, table.areaId];
});

async function rows(): Promise<number> {
  const [{ count }] = await maitred().sql<[{ count: number }]>`
    select (select count(*) from house_block) + (select count(*) from house_block_table)
      + (select count(*) from audit_entry) as count`;
  return count;
}

/** Asserts that an attempt is refused with this code and writes nothing; returns the names of the fields at fault. */
async function refused(attempt: () => Promise<Answer>, status: number, code: string): Promise<string[]> {
  const before = await rows();
  const problem = assertProblem(await attempt(), status, code);
  assert.equal(await rows(), before);
  return Object.keys(problem.errors ?? {});
}

const faults = (body: Body) => refused(() => post('blocks', body), 400, 'VALID-N-001');

test('times that cannot be are refused, and nothing is written', async () => {
  const date = freeDay();
  const evening = { from: `${date}T18:00`, to: `${date}T20:00`, tableIds: [TABLE] };
  const yesterday = Temporal.Now.plainDateISO('Europe/London').subtract({ days: 1 }).toString();
  const year = Number(date.slice(0, 4)) + 2;
  for (const [fields, field] of [
    [{ to: evening.from }, 'to'],
    [{ to: `${date}T17:59` }, 'to'],
    [{ from: `${year}-02-30T18:00` }, 'from'],
    [{ to: `${date}T24:00` }, 'to'],
    [{ to: `${date}T20:00Z` }, 'to'],
    [{ from: date }, 'from'],
    [{ to: `${year}-12-01T12:00` }, 'to'],
    [{ from: '0001-01-01T12:00' }, 'from'],
    [{ to: '9999-12-31T12:00' }, 'to'],
    [{ from: `${yesterday}T18:00`, to: `${yesterday}T20:00` }, 'to'],
    [{ from: null }, 'from'],
    [{ reason: 'x'.repeat(501) }, 'reason'],
    [{ colour: 'red' }, 'colour'],
  ] as [Body, string][])
    assert.deepEqual(await faults({ ...evening, ...fields }), [field], JSON.stringify(fields));
});

test('a time that clocks skip is no beginning', async () => {
  const year = Temporal.Now.plainDateISO('Europe/London').year + 1;
  const march = Temporal.PlainDate.from({ year, month: 3, day: 31 });
  const sunday = march.subtract({ days: march.dayOfWeek % 7 });
  const from = `${sunday}T01:30`;
  const body = { from, to: `${sunday}T12:00`, tableIds: [TABLE] };
  assert.deepEqual(await faults(body), ['from']);
  const kept = await post('blocks', { ...body, from: `${sunday}T02:30` });
  assert.equal(kept.status, 201, kept.text);
  assert.equal(kept.json.from, `${sunday}T02:30`);
});

test('what is blocked is one list of parts of this venue', async () => {
  const date = freeDay();
  const at = { from: `${date}T18:00`, to: `${date}T20:00` };
  const other = await addRoom(maitred().sql, 1);
  const [foreign] = await blocksOf(maitred, venueOfProduct(other)).layout('tables');
  assert.ok(foreign);
  for (const [fields, field] of [
    [{}, 'tableIds'],
    [{ tableIds: null }, 'tableIds'],
    [{ tableIds: [] }, 'tableIds'],
    [{ tableIds: [TABLE], areaIds: [AREA] }, 'areaIds'],
    [{ tableIds: [TABLE, TABLE] }, 'tableIds'],
    [{ tableIds: [TABLE, foreign.id] }, 'tableIds.1'],
    [{ areaIds: [foreign.areaId] }, 'areaIds.0'],
    [{ tableIds: [0] }, 'tableIds.0'],
    [{ tableIds: [2_147_483_648] }, 'tableIds.0'],
  ] as [Body, string][])
    assert.deepEqual(await faults({ ...at, ...fields }), [field], JSON.stringify(fields));
  await refused(() => post('blocks', { ...at, zoneIds: [999_999] }), 404, 'VENUE-N-003');
});

test('a table that takes no guests needs no block', async () => {
  const date = freeDay();
  const { id, ...table } = await made('tables', { areaId: AREA, name: 'Spare', maxCovers: 2 });
  await put(`tables/${id}`, { ...table, isActive: false });
  const body = { from: `${date}T18:00`, to: `${date}T20:00`, tableIds: [id] };
  assert.deepEqual(await faults(body), ['tableIds.0']);
});

test('venues without tables here, foreign venues and unknown blocks have none', async () => {
  const date = freeDay();
  const body = { from: `${date}T18:00`, to: `${date}T20:00`, tableIds: [TABLE] };
  const tickets = { venueId: '2|tickets|jazz-night', as: 'operator-2' };
  assert.deepEqual(await refused(() => post('blocks', body, tickets), 400, 'VALID-N-001'), ['venueId']);
  await refused(() => post('blocks', body, { as: 'operator-2' }), 403, 'OPRTR-N-002');
  await refused(() => post('blocks', body, { venueId: '1|house|nowhere' }), 404, 'VENUE-N-001');
  for (const id of ['none', '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60'])
    assertProblem(await read(`blocks/${id}`), 404, 'HTTP-N-404');
  const { id } = await made('blocks', body);
  assertProblem(await read(`blocks/${id}`, { venueId: '1|house|garden-room' }), 404, 'HTTP-N-404');
  assert.equal((await read(`blocks/${id}`, { venueId: SOHO })).status, 200);
});
