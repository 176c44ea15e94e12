/**
 * How well venues are found, on the queries that were kept out of tuning. `npm run search:quality` has the figures;
 * the floors are below them by what a few queries make out.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { searchVenues } from '../../src/features/venues/search/search-store.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import { measure, type Outcome, prepareQueries, type Ranker } from './measure.ts';
import { DEMO_QUERIES, GENERATED_QUERIES, isForTuning } from './queries.ts';

const FLOOR = { ndcg5: 0.93, firstRight: 0.9 };

const byRelevance: Ranker = async (tx, visibility, query) => {
  const search = { filter: { query }, sortBy: 'relevance', direction: 'DESC', limit: 5, offset: 0 } as const;
  return (await searchVenues(tx, visibility, search)).ids;
};

let database: TestDatabase;
let outcome: Outcome;
before(async () => {
  database = await createTestDatabase({ hasDemo: true });
  outcome = await measure(database.sql, await prepareQueries(database.sql), byRelevance);
});
after(() => database.drop());

test('there are at least 200 queries, and about half of them are kept out of tuning', () => {
  const all = [...new Set([...DEMO_QUERIES, ...GENERATED_QUERIES].map(({ query }) => query))];
  assert.ok(all.length >= 200, String(all.length));
  const tuning = all.filter(isForTuning).length;
  assert.ok(tuning > all.length * 0.4 && tuning < all.length * 0.6, String(tuning));
});

test('the first venues are the right ones for queries that nobody looked at', () => {
  const { ndcg5, firstRight } = outcome.halves.heldOut;
  assert.ok(ndcg5 >= FLOOR.ndcg5, `nDCG@5 is ${ndcg5.toFixed(3)}`);
  assert.ok(firstRight >= FLOOR.firstRight, `the first is right for ${firstRight.toFixed(3)}`);
});

test('the words of venues are listed as they stand, and no others', async () => {
  const differing = await database.sql`
    (select v.id, t.term, t.tier from venue v, terms_of(v.search) t except select venue_id, term, tier from venue_term)
    union all
    (select venue_id, term, tier from venue_term except select v.id, t.term, t.tier from venue v, terms_of(v.search) t)`;
  assert.deepEqual([...differing], []);
});
