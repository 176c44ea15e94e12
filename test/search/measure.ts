/** How good an order of venues is for the labelled queries. */
import { inTransaction, type Sql, type Tx } from '../../src/db/database.ts';
import type { Visibility } from '../../src/http/auth/caller.ts';
import { type GeneratedVenue, generateCatalogue, insertCatalogue } from './catalogue.ts';
import { DEMO_QUERIES, GENERATED_QUERIES, isForTuning } from './queries.ts';

/** Ids of the caller's venues, the best first. */
export type Ranker = (tx: Tx, visibility: Visibility, query: string) => Promise<readonly string[]>;

interface Labelled {
  query: string;
  visibility: Visibility;
  /** Grades of the venues that are right at all. */
  grades: ReadonlyMap<string, number>;
}

export interface Quality {
  /** Discounted gain of the first five, as a share of the best possible. */
  ndcg5: number;
  /** How often the first one is as good as any. */
  firstRight: number;
  queries: number;
}

export type Half = 'tuning' | 'heldOut';

export interface Outcome {
  halves: Record<Half, Quality>;
  /** Of the half for tuning alone: nobody is to look at the other. */
  worst: { query: string; ndcg5: number; found: readonly string[] }[];
}

/** Two partners: one sells the demo catalogue, the other the generated one. */
export async function prepareQueries(sql: Sql): Promise<Labelled[]> {
  const catalogue = generateCatalogue();
  const [demo] = await sql<{ id: number }[]>`select id from partner where reference = 'demo-partner'`;
  const [other] = await sql<{ id: number }[]>`
    insert into partner (reference, name) values ('search-partner', 'Search') returning id`;
  if (!demo || !other) throw new Error('The demo data is missing.');
  await inTransaction(sql, (tx) => insertCatalogue(tx, catalogue, other.id));
  await sql`analyze venue, venue_term, venue_mapping`;
  return [...demoQueries(demo.id, await demoIds(sql, demo.id)), ...generatedQueries(other.id, catalogue)];
}

async function demoIds(sql: Sql, partnerId: number): Promise<Map<string, string>> {
  const rows = await sql<
    { id: string }[]
  >`select venue_id as id from venue_mapping where partner_id = ${partnerId}`;
  return new Map(rows.map(({ id }) => [id.split('|')[2] ?? '', id]));
}

function demoQueries(partnerId: number, ids: ReadonlyMap<string, string>): Labelled[] {
  return DEMO_QUERIES.map(({ query, right }) => ({
    query,
    visibility: { kind: 'partner', partnerId },
    grades: new Map(
      Object.entries(right).map(([resource, grade]) => {
        const id = ids.get(resource);
        if (!id) throw new Error(`The demo partner has no ${resource}.`);
        return [id, grade];
      }),
    ),
  }));
}

function generatedQueries(partnerId: number, catalogue: readonly GeneratedVenue[]): Labelled[] {
  return GENERATED_QUERIES.map(({ query, grade }) => ({
    query,
    visibility: { kind: 'partner', partnerId },
    grades: new Map(
      catalogue.map((venue) => [venue.id, grade(venue)] as const).filter(([, value]) => value > 0),
    ),
  }));
}

const FIRST = 5;

function gainOf(grades: readonly number[]): number {
  return grades.slice(0, FIRST).reduce((sum, grade, n) => sum + (2 ** grade - 1) / Math.log2(n + 2), 0);
}

export async function measure(sql: Sql, queries: readonly Labelled[], rank: Ranker): Promise<Outcome> {
  const measured: { query: string; found: readonly string[]; ndcg5: number; isFirstRight: boolean }[] = [];
  for (const { query, visibility, grades } of queries) {
    const found = await inTransaction(sql, (tx) => rank(tx, visibility, query));
    const best = [...grades.values()].toSorted((a, b) => b - a);
    const given = found.slice(0, FIRST).map((id) => grades.get(id) ?? 0);
    const ideal = gainOf(best);
    if (ideal === 0) throw new Error(`Nothing is right for «${query}».`);
    measured.push({
      query,
      found: found.slice(0, FIRST),
      ndcg5: gainOf(given) / ideal,
      isFirstRight: given[0] === best[0],
    });
  }
  const qualityOf = (half: typeof measured): Quality => ({
    ndcg5: half.reduce((sum, { ndcg5 }) => sum + ndcg5, 0) / half.length,
    firstRight: half.filter(({ isFirstRight }) => isFirstRight).length / half.length,
    queries: half.length,
  });
  const tuning = measured.filter(({ query }) => isForTuning(query));
  return {
    halves: {
      tuning: qualityOf(tuning),
      heldOut: qualityOf(measured.filter(({ query }) => !isForTuning(query))),
    },
    worst: tuning.filter(({ ndcg5 }) => ndcg5 < 0.9).toSorted((a, b) => a.ndcg5 - b.ndcg5),
  };
}
