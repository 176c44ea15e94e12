/**
 * `npm run search:quality`: how well searches find what is meant, before and after, and writes `bench/SEARCH.md`.
 * With `--worst`, also the queries of the half for tuning that fare worst.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { searchVenues } from '../../src/features/venues/search/search-store.ts';
import { measure, type Outcome, prepareQueries, type Ranker } from '../../test/search/measure.ts';
import { createTestDatabase } from '../../test/support/databases/database.ts';
import { formerSearch, trigramSearch } from './search-baselines-store.ts';

export const currentSearch: Ranker = async (tx, visibility, query) => {
  const search = { filter: { query }, sortBy: 'relevance', direction: 'DESC', limit: 5, offset: 0 } as const;
  return (await searchVenues(tx, visibility, search)).ids;
};

const RANKERS: Record<string, Ranker> = {
  'the search before': formerSearch,
  'trigrams alone': trigramSearch,
  'the search now': currentSearch,
};

const only = process.argv.includes('--worst') ? ['the search now'] : Object.keys(RANKERS);
const database = await createTestDatabase({ hasDemo: true });
const queries = await prepareQueries(database.sql);
const outcomes: [string, Outcome][] = [];
for (const name of only) {
  const rank = RANKERS[name];
  if (rank) outcomes.push([name, await measure(database.sql, queries, rank)]);
}
await database.drop();

const figures = outcomes.map(
  ([
    name,
    {
      halves: { tuning, heldOut },
    },
  ]) =>
    [name, tuning.ndcg5, tuning.firstRight, heldOut.ndcg5, heldOut.firstRight]
      .map((cell) => (typeof cell === 'number' ? cell.toFixed(3) : cell))
      .join(' | '),
);
console.log(figures.join('\n'));
if (process.argv.includes('--worst')) {
  for (const { query, ndcg5, found } of outcomes[0]?.[1].worst ?? [])
    console.log(ndcg5.toFixed(2), query, '→', found.join(' '));
} else {
  const [, first] = outcomes[0] ?? [];
  writeFileSync(
    join(import.meta.dirname, '../SEARCH.md'),
    `# How well a search finds what is meant

\`npm run search:quality\` writes this file. The queries are in \`test/search/queries.ts\`: ${first?.halves.tuning.queries} for tuning, ${first?.halves.heldOut.queries} kept out, over the demo catalogue and a generated one of 2,000 venues. nDCG@5 compares the first five with the best five there are; «first right» is the share of queries whose first venue is as good as any.

| | nDCG@5, tuning | first right, tuning | nDCG@5, kept out | first right, kept out |
| --- | --- | --- | --- | --- |
${figures.map((line) => `| ${line} |`).join('\n')}

Synonyms and weights were written from what is known of the field and from the half for tuning; queries that had been tried by hand before were put into that half (\`LOOKED_AT\`). While the search was tuned nothing of the other half was looked at but these figures. It is no independent test for all that: one author wrote the synonyms, the queries of both halves and the texts of the generated venues, so the words agree more than they will with real guests. Compare the lines with each other, and expect less of each on real queries.
`,
  );
}
