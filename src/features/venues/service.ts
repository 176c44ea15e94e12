import { inSnapshot, type Sql, type Tx } from '../../db/database.ts';
import { type Caller, visibilityOf } from '../../http/caller.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { problem } from '../../kernel/problem.ts';
import type { OperatorDocument } from './document.ts';
import { insertMapping, insertOperator, saveVocabulary, type VenueMapping } from './import-store.ts';
import { type Relevance, textRelevance } from './relevance-store.ts';
import type { Venue } from './schema.ts';
import { searchVenues, type VenueSearch } from './search-store.ts';
import { findOwner, listCategories, loadVenues } from './store.ts';
import { venueView } from './view.ts';

export interface Venues {
  list(caller: Caller, search: VenueSearch): Promise<{ venues: Venue[]; total: number }>;
  get(caller: Caller, id: VenueId): Promise<Venue>;
  categories(): Promise<{ id: number; name: string; slug: string }[]>;
}

export function createVenues(sql: Sql, relevance: Relevance = textRelevance): Venues {
  return {
    list: (caller, search) =>
      inSnapshot(sql, async (tx) => {
        const { ids, total } = await searchVenues(tx, visibilityOf(caller), search, relevance);
        const venues = ids.length === 0 ? [] : await loadVenues(tx, visibilityOf(caller), ids);
        return { venues: venues.map(venueView), total };
      }),

    async get(caller, id) {
      const [venue] = await loadVenues(sql, visibilityOf(caller), [id]);
      if (venue) return venueView(venue);
      throw await reasonForAbsence(sql, caller, id);
    },

    categories: () => listCategories(sql),
  };
}

async function reasonForAbsence(tx: Tx, caller: Caller, id: VenueId) {
  const owner = await findOwner(tx, id);
  if (owner === undefined) return problem('VENUE-N-001', { detail: `There is no venue ${id}.` });
  return caller.kind === 'operator'
    ? problem('OPRTR-N-002', { detail: `Venue ${id} belongs to another operator.` })
    : problem('PMAP-N-001', { detail: `Venue ${id} is not mapped to your partner account.` });
}

/** Stores an operator that is not there yet, with everything below it. */
export async function importOperator(tx: Tx, operator: OperatorDocument): Promise<void> {
  await insertOperator(tx, operator);
}

export async function mapVenue(tx: Tx, mapping: VenueMapping): Promise<void> {
  await insertMapping(tx, mapping);
}

export { saveVocabulary };
