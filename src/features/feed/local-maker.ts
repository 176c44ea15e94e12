import type { Sql } from '../../db/database.ts';
import { primaryReads, type Reads } from '../../db/reads.ts';
import { createRegistry } from '../../tms/registry.ts';
import { LOCAL_SYSTEMS } from '../../tms/systems.ts';
import type { MakeRequest } from './engine.ts';
import type { FeedStorage } from './feed-file.ts';
import { createMaker, type Made } from './make.ts';
import { dueAfter } from './scheduler.ts';

interface LocalMakerDeps {
  sql: Sql;
  reads?: Reads;
  storage: FeedStorage;
  feedUrl: string;
}

/** Only local systems can say what many days offer. They cache nothing here: each venue is read once. */
export function createLocalMaker({ sql, reads = primaryReads(sql), storage, feedUrl }: LocalMakerDeps) {
  const registry = createRegistry(LOCAL_SYSTEMS.map((system) => system.connect()));
  const make = createMaker({ sql, reads, registry, storage, feedUrl });
  return ({ venueId, lease, nowMs, isFull }: MakeRequest): Promise<Made> =>
    make({ venueId, lease }, { nowMs, isFull, due: (zone) => dueAfter(nowMs, venueId, zone) });
}
