import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { importOperator, mapVenue } from '../../../src/features/venues/service.ts';
import type { OperatorDocument, VenueDocument } from '../../../src/features/venues/transfer/document.ts';
import { parseVenueId } from '../../../src/kernel/ids.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const venue: VenueDocument = {
  tms: 'house',
  resourceId: 'tiny',
  name: 'Tiny',
  timeZone: 'Europe/London',
  content: { summary: 'Small', description: 'Smaller than most', highlights: [] },
  location: { lat: 51.5, lng: -0.1, area: 'Soho', city: 'London', countryCode: 'GB' },
  types: ['restaurant'],
  photos: [],
  hours: { weekly: [] },
  products: [{ key: 'table', name: 'Table', timeIntervalMinutes: 15, hours: { weekly: [] } }],
};

const operator = (id: number, changes: Partial<VenueDocument>): OperatorDocument => ({
  id,
  name: `Operator ${id}`,
  systems: ['house'],
  venues: [{ ...venue, ...changes }],
});

const isThere = async (id: number) => (await maitred.sql`select from operator where id = ${id}`).length > 0;

test('a minimal venue can be imported, mapped and read', async () => {
  await inTransaction(maitred.sql, async (tx) => {
    await importOperator(tx, operator(900, {}));
    await mapVenue(tx, { partnerId: 1, venueId: parseVenueId('900|house|tiny'), productIds: [] });
  });
  const { status, json } = await maitred.call('/venues/900|house|tiny');
  assert.equal(status, 200);
  assert.deepEqual(json.products, [], 'no product is mapped');
  const asPlatform = await maitred.call('/venues/900|house|tiny', { as: 'demo-admin' });
  assert.equal(asPlatform.json.products.length, 1);
});

test('a rule aimed at an unknown partner is refused and nothing is stored', async () => {
  const rule = { type: 'recurring' as const, partners: ['nobody'], definition: { weekdays: [1 as const] } };
  const refused = inTransaction(maitred.sql, (tx) =>
    importOperator(tx, operator(901, { availabilityRules: [rule] })),
  );
  await assert.rejects(refused, { code: 'PMAP-N-004' });
  assert.ok(!(await isThere(901)));
});

test('an unknown category is refused and nothing is stored', async () => {
  const products = [
    { key: 'x', name: 'X', category: 'nonsense', timeIntervalMinutes: 15, hours: { weekly: [] } },
  ];
  const refused = inTransaction(maitred.sql, (tx) => importOperator(tx, operator(902, { products })));
  await assert.rejects(refused, { code: 'VALID-N-001' });
  assert.ok(!(await isThere(902)));
});

test('numbers given by documents are not given out again', async () => {
  const [space] = await maitred.sql<{ id: number }[]>`
    insert into space (venue_id, name, capacities, policies) values ('1|house|soho-grill', 'New', '{}', '{}') returning id`;
  const [highest] = await maitred.sql<{ id: number }[]>`select max(id) as id from space`;
  assert.equal(space?.id, highest?.id);
});

test('a change to anything below a venue changes updated_at and the answer', async () => {
  const read = async () => (await maitred.call('/venues/2|house|blue-note')).json;
  const before = await read();
  await maitred.sql`update product set name = 'Stage table' where id = '2|house|blue-note|table'`;
  await eventually(async () => (await read()).updated_at !== before.updated_at);
  const changed = await read();
  assert.equal(changed.products[0].productName, 'Stage table');
  assert.ok(changed.updated_at > before.updated_at);
});
