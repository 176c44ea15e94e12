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
 * A cache of things read from the catalogue. Tag entries with that of their venue or with `LISTS`, and with the
 * tag of the partner they were read for: a venue that changes takes along what was kept of it and every list, a
 * mapping what was kept for its partner.
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
