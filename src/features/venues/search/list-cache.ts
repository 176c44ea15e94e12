/**
 * What a node remembers of lists of venues until one of them changes: how long a list is, and where its pages begin.
 * Counting, and passing over the pages before, take the longer the more there is, and are the same for every page
 * that a caller reads one after the other.
 */

import { createCatalogueCache, LISTS } from '../../../db/catalogue-cache.ts';
import type { Notifications } from '../../../db/notifications.ts';
import { type Visibility, visibilityKey } from '../../../http/auth/caller.ts';
import { CACHE_BYTES } from '../../../kernel/cache-budget.ts';
import { estimateBytes } from '../../../kernel/estimate-bytes.ts';
import type { VenueId } from '../../../kernel/ids.ts';
import type { KnownOfList, VenueSearch } from './search-store.ts';

export interface CachedList extends KnownOfList {
  /** Called after a page has been read: the ids on it, and the total. */
  keep(ids: readonly VenueId[], total: number): void;
}

export interface ListCache {
  /** Call it before the read begins. */
  find(visibility: Visibility, search: VenueSearch): CachedList;
}

/** Of each kind of fact. */
const MAX_BYTES = CACHE_BYTES.list_facts / 4;
const TOTAL_BYTES = 8;

export function createListCache(notifications: Notifications): ListCache {
  const totals = createCatalogueCache<number>('list_facts', notifications, MAX_BYTES);
  const lastIds = createCatalogueCache<VenueId>('list_facts', notifications, MAX_BYTES);
  return {
    find(visibility, { filter, sortBy, direction, offset, limit }) {
      const seenBy = visibilityKey(visibility);
      const list = `${seenBy} ${JSON.stringify(filter)}`;
      const pageAt = (start: number) => `${list} ${direction} ${start}`;
      const tickets = { total: totals.beginRead(), after: lastIds.beginRead() };
      const isById = sortBy === 'default';
      return {
        total: totals.get(list),
        after: isById && offset > 0 ? lastIds.get(pageAt(offset)) : undefined,
        keep(ids, total) {
          const tags = [LISTS, seenBy];
          totals.keep(tickets.total, list, total, TOTAL_BYTES, tags);
          const last = ids.at(-1);
          if (isById && last !== undefined && ids.length === limit)
            lastIds.keep(tickets.after, pageAt(offset + limit), last, estimateBytes(last), tags);
        },
      };
    },
  };
}
