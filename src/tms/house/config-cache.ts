import { createCatalogueCache } from '../../db/catalogue-cache.ts';
import type { Tx } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import { estimateBytes } from '../../kernel/estimate-bytes.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { HouseBook } from './book.ts';
import { loadBook } from './book-store.ts';

/**
 * The cache of venue configurations on this node. A caller compares the version of a cached one with what the
 * statement for live state read: a change is noticed even before its notification arrives, and a configuration read
 * in a transaction that never committed is never used by another one.
 */
export interface ConfigCache {
  kept(venueId: VenueId): HouseBook | undefined;
  load(tx: Tx, venueId: VenueId): Promise<HouseBook | undefined>;
}

export function createConfigCache(notifications: Notifications): ConfigCache {
  const cache = createCatalogueCache<HouseBook>('house_configurations', notifications);
  return {
    kept: (venueId) => cache.get(venueId),
    async load(tx, venueId) {
      const ticket = cache.beginRead();
      const book = await loadBook(tx, venueId);
      if (book) cache.keep(ticket, venueId, book, estimateBytes(book), [`venue:${venueId}`]);
      return book;
    },
  };
}

/** Nothing is remembered: for what reads each venue once. */
export const uncachedConfigs: ConfigCache = { kept: () => undefined, load: loadBook };
