import { randomUUID } from 'node:crypto';
import type { Sql } from '../../src/db/database.ts';
import type { FeedStorage } from '../../src/features/feed/feed-file.ts';
import { createLocalMaker } from '../../src/features/feed/local-maker.ts';
import type { Made } from '../../src/features/feed/make.ts';
import { claimVenue } from '../../src/features/feed/store.ts';
import type { VenueId } from '../../src/kernel/ids.ts';

export type Make = (venueId: VenueId, options: { nowMs: number; isFull: boolean }) => Promise<Made>;

/** Makes the feeds of venues as a keeper does, with the claim that goes before it. */
export function makerOn(sql: Sql, storage: FeedStorage): Make {
  const make = createLocalMaker({ sql, storage, feedUrl: 'https://feed.example' });
  return async (venueId, options) => {
    const lease = randomUUID();
    const now = Temporal.Now.instant();
    const claim = await claimVenue(sql, venueId, lease, { now, leasedUntil: now.add({ minutes: 5 }) });
    if (!claim) throw new Error(`Somebody else is at ${venueId}.`);
    return make({ venueId, lease, ...options });
  };
}
