import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { OperatorDocument } from '../../../src/features/venues/transfer/document.ts';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { exportFrom, importInto } from './platforms.ts';
import { tavernOperator } from './tavern.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index);

/** A tavern in which everything but this is left out. */
function venueWith(more: object): Omit<OperatorDocument, 'id'> {
  const [tavern] = tavernOperator().venues;
  const bare = { spaces: [], packages: [], menus: [], products: [], availabilityRules: [] };
  const venue = { ...tavern, ...bare, house: { zones: [], products: [] }, ...more };
  return tavernOperator({ venues: [venue as OperatorDocument['venues'][number]], bookingRules: [] });
}

async function imported(document: unknown) {
  const answer = await importInto(maitred, document);
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

/** Asserts that what is exported can be imported again. */
async function assertMovable(operatorId: number): Promise<OperatorDocument> {
  const exported = await exportFrom(maitred, operatorId);
  const copy = { ...exported, id: undefined, name: `${exported.name} elsewhere` };
  const answer = await importInto(maitred, copy, '?dryRun=true');
  assert.equal(answer.status, 200, answer.text);
  return exported;
}

test('more of a kind than one statement can name is imported', async () => {
  const pie = { name: 'Pie', pricePence: 100, dietTypes: [], allergens: [], type: 'main' };
  const menusFrom = (first: number) =>
    numbers(66, first).map((id) => ({
      id,
      name: 'Menu',
      items: numbers(500, id * 500).map((item) => ({ ...pie, id: item })),
    }));
  const document = venueWith({ menus: menusFrom(1) });
  const annexe = { ...document.venues[0], resourceId: 'annexe', menus: menusFrom(67) };
  const { menuItems } = await imported({ ...document, venues: [...document.venues, annexe] });
  assert.equal(menuItems, 66_000);
});

test('far too many tables are refused as such', async () => {
  const tablesFrom = (from: number) => numbers(1000, from).map((id) => ({ id, name: 'T', maxCovers: 2 }));
  const areas = numbers(150).map((id) => ({ id, name: 'A', tables: tablesFrom(id * 1000) }));
  const house = { zones: [{ id: 1, name: 'Z', areas }], products: [] };
  const { errors } = assertProblem(await importInto(maitred, venueWith({ house })), 400, 'VALID-N-001');
  assert.match(errors['venues.0.house'].join(), /150000 tables/);
});

test('a zone with as many areas as a venue can have, and an area with as many tables, move along', async () => {
  const tables = numbers(2000, 70_000).map((id) => ({ id, name: 'T', maxCovers: 2 }));
  const areas = numbers(500, 80_000).map((id) => ({ id, name: 'A', tables: id === 80_000 ? tables : [] }));
  const house = { zones: [{ id: 90_000, name: 'Z', areas }], products: [] };
  const { operatorId } = await imported(venueWith({ house }));
  await assertMovable(operatorId);
});

test('a rule that names as many partners as it may moves along', async () => {
  const { operatorId } = await imported(venueWith({}));
  await maitred.sql`insert into partner (id, reference, name)
    select 10000 + n, 'crowd-' || n, 'Crowd ' || n from generate_series(1, 500) as n`;
  const answer = await maitred.call(
    `/manage/venues/${encodeURIComponent(`${operatorId}|house|tavern`)}/availability-rules`,
    {
      method: 'POST',
      as: 'demo-admin',
      body: { type: 'recurring', definition: { weekdays: [1] }, partnerIds: numbers(500, 10_001) },
    },
  );
  assert.equal(answer.status, 201, answer.text);
  const { venues } = await assertMovable(operatorId);
  assert.equal(venues[0]?.availabilityRules?.[0]?.partners?.length, 500);
});
