import type { Sql } from '../../db/database.ts';
import { loadBook } from '../../tms/house/book-store.ts';
import { createHouse } from '../../tms/house/connector.ts';
import { createRegistry } from '../../tms/registry.ts';
import type { MakeRequest } from './engine.ts';
import { createMaker, type Made } from './make.ts';
import { dueAfter } from './schedule.ts';
import type { FeedStorage } from './storage.ts';

export interface LocalMakerDeps {
  sql: Sql;
  storage: FeedStorage;
  feedUrl: string;
}

/** Systems that can say what many days offer are those that live with us; nothing of them is remembered here. */
export function createLocalMaker({ sql, storage, feedUrl }: LocalMakerDeps) {
  const registry = createRegistry([createHouse({ books: { kept: () => undefined, load: loadBook } })]);
  const make = createMaker({ sql, registry, storage, feedUrl });
  return ({ venueId, lease, nowMs, isFull }: MakeRequest): Promise<Made> =>
    make({ venueId, lease }, { nowMs, isFull, due: (zone) => dueAfter(nowMs, venueId, zone) });
}
