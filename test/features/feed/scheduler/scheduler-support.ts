/** Keepers whose makers a test can watch, hold up and let fail. */
import type { Sql } from '../../../../src/db/database.ts';
import type { Engine, MakeRequest } from '../../../../src/features/feed/engine.ts';
import { createLocalMaker } from '../../../../src/features/feed/local-maker.ts';
import { createMeters, type FeedSchedulerDeps } from '../../../../src/features/feed/scheduler.ts';
import { type Clock, systemClock } from '../../../../src/kernel/clock.ts';
import { FEED_URL, type Files, filesInMemory } from '../support.ts';

export interface WatchedKeeper extends FeedSchedulerDeps {
  files: Files;
}

export function keeperWith(
  sql: Sql,
  { clock = systemClock, files = filesInMemory() }: { clock?: Clock; files?: Files } = {},
  before: (request: MakeRequest) => Promise<void> = async () => {},
): WatchedKeeper {
  const make = createLocalMaker({ sql, storage: files, feedUrl: FEED_URL });
  const engine: Engine = {
    async make(request) {
      await before(request);
      return make(request);
    },
    stop: async () => {},
  };
  const log = { info: () => {}, error: () => {} };
  return { sql, clock, engine, storage: files, files, meters: createMeters(), log };
}

/** Nothing but what the test adds is looked after. */
export async function forgetVenues(sql: Sql): Promise<void> {
  await sql`delete from feed_venue`;
  await sql`delete from house_day`;
}

export const leases = (sql: Sql) =>
  sql<{ venueId: string }[]>`select venue_id as "venueId" from feed_venue where lease is not null`;
