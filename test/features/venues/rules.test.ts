import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { importOperator, mapVenue } from '../../../src/features/venues/service.ts';
import type {
  AvailabilityRuleDocument,
  OperatorDocument,
  SpaceDocument,
} from '../../../src/features/venues/transfer/document.ts';
import { parseProductId, parseVenueId } from '../../../src/kernel/ids.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { respelt } from '../../support/respelt.ts';

const VENUE = parseVenueId('950|house|ruled');
const DINNER = parseProductId(`${VENUE}|dinner`);

const space = (id: number): SpaceDocument => ({
  id,
  name: `Room ${id}`,
  facilities: [],
  capacities: { seated: { min: 1, max: 10 } },
  policies: {
    minimumSpend: [],
    occasionTypes: [],
    under18s: true,
    promotedEvents: true,
    accessibility: true,
    servesFood: true,
  },
});

/** Dinner is mapped to both partners, lunch to none; the demo partner is in the category `engines`. */
function operator(availabilityRules: AvailabilityRuleDocument[]): OperatorDocument {
  return {
    id: 950,
    name: 'Ruled',
    systems: ['house'],
    partnerCategories: [
      { id: 951, slug: 'engines', name: 'Engines', partners: ['demo-partner'] },
      { id: 952, slug: 'concierges', name: 'Concierges', partners: [] },
    ],
    venues: [
      {
        tms: 'house',
        resourceId: 'ruled',
        name: 'Ruled',
        timeZone: 'Europe/London',
        content: { summary: '', description: '', highlights: [] },
        location: { lat: 51.5, lng: -0.1, area: 'Soho', city: 'London', countryCode: 'GB' },
        types: [],
        photos: [],
        hours: { weekly: [] },
        spaces: [space(951), space(952)],
        products: [
          { key: 'dinner', name: 'Dinner', timeIntervalMinutes: 15, hours: { weekly: [] }, spaceIds: [951] },
          { key: 'lunch', name: 'Lunch', timeIntervalMinutes: 15, hours: { weekly: [] }, spaceIds: [952] },
        ],
        availabilityRules,
      },
    ],
  };
}

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());
beforeEach(() => maitred.sql`delete from operator where id = 950`);

async function store(...rules: AvailabilityRuleDocument[]): Promise<void> {
  await inTransaction(maitred.sql, async (tx) => {
    await importOperator(tx, operator(rules));
    for (const partnerId of [1, 2]) await mapVenue(tx, { partnerId, venueId: VENUE, productIds: [DINNER] });
  });
}

/** Kept answers are dropped by notifications, which arrive a moment later; another address is another question. */
let asked = 0;
async function read(as: string) {
  asked += 1;
  return (await maitred.call(`/venues/${respelt(VENUE, asked)}`, { as })).json;
}

const reasons = (rules: { reason: string | null }[]) => rules.map(({ reason }) => reason).sort();
const seenBy = async (as: string) => reasons((await read(as)).operatorAvailabilityRules);

const mondays = (reason: string): AvailabilityRuleDocument => ({
  type: 'recurring',
  definition: { weekdays: [1], reason },
});

test('a partner sees the rules for everybody, for itself and for its categories', async () => {
  await store(
    mondays('all'),
    { ...mondays('demo'), partners: ['demo-partner'] },
    { ...mondays('other'), partners: ['other-partner'] },
    { ...mondays('engines'), partnerCategories: ['engines'] },
    { ...mondays('concierges'), partnerCategories: ['concierges'] },
  );
  assert.deepEqual(await seenBy('demo-partner'), ['all', 'demo', 'engines']);
  assert.deepEqual(await seenBy('other-partner'), ['all', 'other']);
  assert.deepEqual(await seenBy('demo-admin'), ['all', 'concierges', 'demo', 'engines', 'other']);
});

test('joining a category brings its rules, leaving it takes them away', async () => {
  await store({ ...mondays('concierges'), partnerCategories: ['concierges'] });
  assert.deepEqual(await seenBy('other-partner'), []);
  await maitred.sql`insert into partner_category_member (category_id, partner_id) values (952, 2)`;
  assert.deepEqual(await seenBy('other-partner'), ['concierges']);
  await maitred.sql`delete from partner_category_member where category_id = 952`;
  assert.deepEqual(await seenBy('other-partner'), []);
});

test('a change of membership is told to all nodes for each partner it concerns', async () => {
  await store();
  const heard: string[] = [];
  const { unlisten } = await maitred.sql.listen('changed', (topic) => heard.push(topic));
  await maitred.sql`insert into partner_category_member (category_id, partner_id) values (952, 1)`;
  await maitred.sql`update partner_category_member set partner_id = 2 where category_id = 952`;
  await maitred.sql`delete from partner_category_member where category_id = 952`;
  await maitred.sql.notify('changed', 'end');
  for (let tries = 0; tries < 200 && !heard.includes('end'); tries++)
    await maitred.sql`select pg_sleep(0.02)`;
  await unlisten();
  const topics = heard.filter((topic) => topic.startsWith('mapping:'));
  assert.deepEqual(topics.toSorted(), ['mapping:1', 'mapping:1', 'mapping:2', 'mapping:2']);
});

test('a reserved time is shown to those it shuts out, without a word about whom it is for', async () => {
  const reserved = { ...mondays('For the Grand'), effect: 'reserve' as const };
  await store({ ...reserved, partnerCategories: ['engines'] }, { ...reserved, partners: ['demo-partner'] });
  assert.deepEqual((await read('demo-partner')).operatorAvailabilityRules, []);
  const shown = (await read('other-partner')).operatorAvailabilityRules;
  assert.equal(shown.length, 2);
  for (const rule of shown) {
    assert.equal(rule.effect, 'reserve');
    assert.equal(rule.reason, null);
    assert.ok(!JSON.stringify(rule).includes('partner'));
  }
  assert.deepEqual(await seenBy('demo-admin'), ['For the Grand', 'For the Grand']);
});

test('a rule about a space stands with the products that have the space, and with nobody who has none of them', async () => {
  await store({ ...mondays('mine'), spaceId: 951 }, { ...mondays('hidden'), spaceId: 952 });
  const venue = await read('demo-partner');
  assert.deepEqual(
    venue.operatorAvailabilityRules.map(({ spaceId, effect }: { spaceId: number; effect: string }) => [
      spaceId,
      effect,
    ]),
    [[951, 'disable']],
  );
  assert.deepEqual(reasons(venue.products[0].availabilityRules.rules), ['mine']);
  const { products } = await read('demo-admin');
  assert.deepEqual(
    products.map((product: { availabilityRules: { rules: [] } }) => reasons(product.availabilityRules.rules)),
    [['mine'], ['hidden']],
  );
});

const refused: [string, AvailabilityRuleDocument, object][] = [
  ['a definition without its days', { type: 'recurring', definition: {} }, { code: 'VALID-N-001' }],
  ['an unknown category', { ...mondays('x'), partnerCategories: ['nobody'] }, { code: 'OPRUL-N-014' }],
  ['a reservation for nobody', { ...mondays('x'), effect: 'reserve' }, { code: '23514' }],
  [
    'a reservation for an empty list',
    { ...mondays('x'), effect: 'reserve', partners: [], partnerCategories: [] },
    { code: '23514' },
  ],
  [
    'a scope with an unknown fact',
    { ...mondays('x'), scope: { '==': [{ var: 'weather' }, 'fine'] } },
    { code: 'OPRUL-N-013' },
  ],
  [
    'a rule for the marketplace that is about times',
    {
      type: 'time_based',
      channel: 'marketplace',
      definition: { startTime: '10:00', endTime: '11:00' },
    },
    { code: '23514' },
  ],
  ['a space of another venue', { ...mondays('x'), spaceId: 101 }, { code: '23503' }],
];

for (const [what, rule, error] of refused) {
  test(`${what} is not stored`, async () => {
    await assert.rejects(store(rule), error);
    assert.equal((await maitred.sql`select from operator where id = 950`).length, 0);
  });
}

test('a category that goes takes its rules along', async () => {
  await store({ ...mondays('engines'), partnerCategories: ['engines'] });
  await maitred.sql`delete from partner_category where id = 951`;
  assert.equal((await maitred.sql`select from availability_rule where venue_id = ${VENUE}`).length, 0);
});
