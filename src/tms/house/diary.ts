import type { Tx } from '../../db/database.ts';
import { ReadCache } from '../../db/read-cache.ts';
import { type MarkedState, readLive, readMarks, type Window } from './store.ts';

/**
 * The stays that this node has read for availability. Every use asks the database first whether one of them has
 * changed, so that an answer is as true as one read anew, and on a busy day much cheaper. Bookings do not come
 * here: they read under their lock.
 */
export interface Diary {
  read(tx: Tx, window: Window): Promise<MarkedState | undefined>;
}

const MAX_STAYS = 1_000_000;

export function createDiary(): Diary {
  const cache = new ReadCache<MarkedState>(MAX_STAYS, () => true);
  return {
    async read(tx, window) {
      const subject = window.isPaced ? window.productId : window.venueId;
      const key = `${subject} ${window.fromMs} ${window.toMs}`;
      const kept = cache.get(key);
      const marks = kept && (await readMarks(tx, window));
      if (kept && marks?.activity === kept.activity) return { ...kept, version: marks.version };
      const ticket = cache.beginRead();
      const live = await readLive(tx, window);
      if (live) cache.keep(ticket, key, live, 1 + live.stays.tableIds.length, []);
      return live;
    },
  };
}
