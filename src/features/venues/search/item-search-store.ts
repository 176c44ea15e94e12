/**
 * Items of the catalogue: a venue together with the events that it hosts, or an event by itself where it has no host
 * that the caller knows of. A search finds an item when its venue or one of those events meets all of the filters.
 */
import type { Fragment, Tx } from '../../../db/database.ts';
import type { Visibility } from '../../../http/auth/caller.ts';
import { visibleVenues } from '../../../http/auth/visibility-store.ts';
import type { VenueId } from '../../../kernel/ids.ts';
import { countVisibleVenues } from '../store.ts';
import { type KnownOfList, pageStart, type Rank, readSearch, type VenueSearch } from './search-store.ts';

/** The row that an item is named and sorted by, and the events hosted by it. */
export interface Item {
  id: VenueId;
  eventIds: VenueId[];
}

const hasVisibleHost = (tx: Tx, visibility: Visibility): Fragment =>
  tx`exists (select from venue h where h.id = v.host_venue_id and ${visibleVenues(tx, visibility, tx`h`)})`;

/** One page of items and how many there are in all. */
export async function searchItems(
  tx: Tx,
  visibility: Visibility,
  search: VenueSearch,
  known: KnownOfList,
  rank: Rank,
): Promise<{ items: Item[]; total: number }> {
  const { condition, order } = await readSearch(tx, visibility, search, rank);
  const hosts = condition ? await listHosts(tx, visibility, condition) : [];
  const found = condition && orOneOf(tx, condition, hosts);
  const isItem = tx`(v.host_venue_id is null or not ${hasVisibleHost(tx, visibility)})`;
  const hosted = tx`select e.id from venue e
    where e.host_venue_id = v.id and ${visibleVenues(tx, visibility, tx`e`)} order by e.id`;
  const start = pageStart(tx, search, known);
  const [items, total] = await Promise.all([
    tx<Item[]>`select v.id, array(${hosted}) as "eventIds" from venue v
      where ${visibleVenues(tx, visibility, tx`v`, start.isPast)} and ${isItem} and ${found ?? tx`true`}
        and ${start.isPast(tx`v.id`)}
      order by ${order} limit ${search.limit} offset ${start.offset}`,
    known.total ??
      (found ? countVisibleVenues(tx, visibility, tx`${isItem} and ${found}`) : countItems(tx, visibility)),
  ]);
  return { items: [...items], total };
}

/** The hosts of events that meet the condition. */
async function listHosts(tx: Tx, visibility: Visibility, condition: Fragment): Promise<VenueId[]> {
  const rows = await tx<{ id: VenueId }[]>`select distinct v.host_venue_id as id from venue v
    where v.host_venue_id is not null and ${visibleVenues(tx, visibility)} and ${condition}`;
  return rows.map(({ id }) => id);
}

/** Most searches find no events, and those are served by the indexes for the filters as if there were none. */
function orOneOf(tx: Tx, condition: Fragment, ids: VenueId[]): Fragment {
  return ids.length === 0 ? condition : tx`(${condition} or v.id = any(${ids}::text[]))`;
}

/** Without a filter the venues themselves need not be read, only the few events among them. */
async function countItems(tx: Tx, visibility: Visibility): Promise<number> {
  const isHosted = tx`v.host_venue_id is not null and ${hasVisibleHost(tx, visibility)}`;
  const [rows, hosted] = await Promise.all([
    countVisibleVenues(tx, visibility, undefined),
    countVisibleVenues(tx, visibility, isHosted),
  ]);
  return rows - hosted;
}
