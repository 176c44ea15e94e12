import { createCatalogueCache, LISTS } from '../../../db/catalogue-cache.ts';
import type { Tx } from '../../../db/database.ts';
import type { Notifications } from '../../../db/notifications.ts';
import { type Reads, readTogether } from '../../../db/reads.ts';
import { type Visibility, visibilityKey } from '../../../http/auth/caller.ts';
import { CACHE_BYTES } from '../../../kernel/cache-budget.ts';
import { estimateBytes } from '../../../kernel/estimate-bytes.ts';
import {
  type AreaCentre,
  listCentres,
  listNearest,
  type MeasuredVenue,
  type Point,
} from './candidates-store.ts';
import { findReasons } from './relevance-store.ts';
import { type Rank, rankVenues, readSearch, type VenueFilter, type VenueSearch } from './search-store.ts';

/** Those beyond are left out: pages rarely go that far, and each venue costs a question to its system. */
const MOST_CANDIDATES = 300;

export interface CandidateSearch {
  filter: VenueFilter;
  /** Distances are measured from the nearest of these. */
  from: readonly Point[];
  /** Each candidate says whether it is in one of these. */
  areas?: readonly string[] | undefined;
}

export interface Candidate extends MeasuredVenue {
  /** How well it fits the text, the best 1; 0 without a text. */
  relevance: number;
  /** What of the text it has. */
  matches: readonly string[];
}

/** Which venues a search for tables asks; a node keeps the lists until a venue changes. */
export interface Candidates {
  list(visibility: Visibility, search: CandidateSearch): Promise<readonly Candidate[]>;
  /** Where the areas of the filter are. */
  centres(visibility: Visibility, filter: VenueFilter): Promise<readonly AreaCentre[]>;
}

export interface CandidatesDeps {
  reads: Reads;
  notifications: Notifications;
  /** How a text is ranked at this moment. */
  rankFor(search: Pick<VenueSearch, 'sortBy' | 'filter'>): Promise<Rank>;
  /** Whether a ranking changes only with the catalogue, and not with vectors that are made later. */
  canKeepRanked: boolean;
}

export function createCandidates({
  reads,
  notifications,
  rankFor,
  canKeepRanked,
}: CandidatesDeps): Candidates {
  const maxBytes = CACHE_BYTES.list_facts / 4;
  const lists = createCatalogueCache<readonly Candidate[]>('list_facts', notifications, maxBytes);
  const places = createCatalogueCache<readonly AreaCentre[]>('list_facts', notifications, maxBytes);

  async function kept<Value>(
    cache: ReturnType<typeof createCatalogueCache<Value>>,
    visibility: Visibility,
    question: object,
    read: () => Promise<Value>,
  ): Promise<Value> {
    const seenBy = visibilityKey(visibility);
    const key = `${seenBy} ${JSON.stringify(question)}`;
    const known = cache.get(key);
    if (known) return known;
    const ticket = cache.beginRead();
    const value = await read();
    cache.keep(ticket, key, value, estimateBytes(value), [LISTS, seenBy]);
    return value;
  }

  async function read(visibility: Visibility, search: CandidateSearch): Promise<readonly Candidate[]> {
    // Asks another server, so it comes before the transaction.
    const rank = await rankFor({ sortBy: 'relevance', filter: search.filter });
    return readTogether(reads, (tx) => readCandidates(tx, visibility, search, rank));
  }

  return {
    list: (visibility, search) =>
      canKeepRanked || search.filter.query === undefined
        ? kept(lists, visibility, search, () => read(visibility, search))
        : read(visibility, search),
    centres: (visibility, filter) =>
      kept(places, visibility, filter, () =>
        readTogether(reads, async (tx) =>
          listCentres(tx, visibility, (await readFilter(tx, visibility, filter)).condition),
        ),
      ),
  };
}

/** Without the text. */
const readFilter = (tx: Tx, visibility: Visibility, { query: _, ...filter }: VenueFilter) =>
  readSearch(tx, visibility, {
    filter,
    sortBy: 'default',
    direction: 'ASC',
    limit: MOST_CANDIDATES,
    offset: 0,
  });

async function readCandidates(
  tx: Tx,
  visibility: Visibility,
  { filter, from, areas }: CandidateSearch,
  rank: Rank,
): Promise<Candidate[]> {
  const limit = MOST_CANDIDATES;
  if (filter.query === undefined) {
    const { condition } = await readFilter(tx, visibility, filter);
    const nearest = await listNearest(tx, visibility, { condition }, { from, areas, limit });
    return nearest.map((venue) => ({ ...venue, relevance: 0, matches: [] }));
  }
  const { question, best } = await rankVenues(tx, visibility, filter, rank);
  const ranked = new Map(best.slice(0, limit).map(({ id, score }) => [id, score]));
  const ids = [...ranked.keys()];
  const reasons = await findReasons(tx, question, ids);
  const nearest = await listNearest(tx, visibility, { ids }, { from, areas, limit });
  const highest = best[0]?.score ?? 1;
  return nearest.map((venue) => ({
    ...venue,
    relevance: (ranked.get(venue.id) ?? 0) / highest,
    matches: (reasons.get(venue.id) ?? []).map(({ asked, isExact }) =>
      isExact ? asked : `close to ${asked}`,
    ),
  }));
}
