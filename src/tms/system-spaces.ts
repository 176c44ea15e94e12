/** What systems call the spaces of our venues; kept until the venue changes. */
import { createCatalogueCache, venueTag } from '../db/catalogue-cache.ts';
import type { Sql } from '../db/database.ts';
import type { Notifications } from '../db/notifications.ts';
import { estimateBytes } from '../kernel/estimate-bytes.ts';
import type { VenueId } from '../kernel/ids.ts';
import { findSystemSpaces } from './system-store.ts';

export function createSystemSpaces({ sql, notifications }: { sql: Sql; notifications: Notifications }) {
  const cache = createCatalogueCache<ReadonlyMap<number, string>>('system_spaces', notifications);
  return async (venueId: VenueId): Promise<ReadonlyMap<number, string>> => {
    const known = cache.get(venueId);
    if (known) return known;
    const ticket = cache.beginRead();
    const spaces = await findSystemSpaces(sql, venueId);
    cache.keep(ticket, venueId, spaces, estimateBytes([...spaces]), [venueTag(venueId)]);
    return spaces;
  };
}
