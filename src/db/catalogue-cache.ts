import type { CacheName } from '../kernel/cache-budget.ts';
import type { VenueId } from '../kernel/ids.ts';
import type { Notifications } from './notifications.ts';
import { ReadCache } from './read-cache.ts';

/** The tag of what speaks of many venues at once. */
export const LISTS = 'lists';
/** The tag of what is about one venue; it is also the notification topic of its changes. */
export const venueTag = (venueId: VenueId) => `venue:${venueId}`;
/** The tag of what was read for one partner. */
export const partnerTag = (partnerId: number | string) => `p${partnerId}`;

/**
 * A cache of catalogue reads. Entries are tagged with their venue or with `LISTS`, and with the partner they were
 * read for: a change of a venue drops its entries and every list, a change of a mapping drops the entries of its
 * partner.
 */
export function createCatalogueCache<Value>(
  name: CacheName,
  notifications: Notifications,
  maxBytes?: number,
): ReadCache<Value> {
  const cache = new ReadCache<Value>(name, notifications.isConnected, maxBytes);
  notifications.subscribe({
    changed(topic) {
      if (topic.startsWith('venue:')) {
        cache.drop(topic);
        cache.drop(LISTS);
      } else if (topic.startsWith('mapping:')) {
        cache.drop(partnerTag(topic.slice('mapping:'.length)));
      } else if (topic === 'catalogue') {
        cache.clear();
      }
    },
    lost: () => cache.clear(),
  });
  return cache;
}
