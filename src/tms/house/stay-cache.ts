import { batchLoader } from '../../db/batch-loader.ts';
import type { Tx } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import { ReadCache } from '../../db/read-cache.ts';
import { MS_PER_DAY } from '../../kernel/zone-time.ts';
import type { HoldingState } from './holds/held.ts';
import { type MarkedState, readLive, readMarks, type Window } from './store.ts';

/**
 * The stays that this node has read for availability. Every use asks the database first whether one of them has
 * changed, so that an answer is as true as one read anew, and on a busy day much cheaper. A hold that ends changes
 * nothing in the database: holds are cached with their end, and each use compares it with the clock. Bookings do not
 * come here: they read under their lock.
 */
export interface StayCache {
  read(tx: Tx, window: Window): Promise<MarkedState | undefined>;
}

/** Three numbers, in lists that have room for a few more. */
const STAY_BYTES = 40;
const HOLD_BYTES = 250;
const EMPTY_BYTES = 900;

/** About what the live state of a window takes in memory. */
export function liveBytes({ stays, guestsByStartMs, holds }: HoldingState): number {
  const counted = stays.tableIds.length + guestsByStartMs.size;
  return EMPTY_BYTES + STAY_BYTES * counted + HOLD_BYTES * holds.length;
}

/** A database that has taken over may have lost marks, and give the same ones to other stays. */
export function createStayCache(notifications?: Notifications): StayCache {
  const cache = new ReadCache<MarkedState>('house_stays', notifications?.isConnected ?? (() => true));
  notifications?.subscribe({ changed: () => {}, lost: () => cache.clear() });

  async function readAnew(tx: Tx, window: Window): Promise<MarkedState | undefined> {
    const ticket = cache.beginRead();
    const live = await readLive(tx, window);
    if (live) cache.keep(ticket, keyOf(window), live, liveBytes(live), []);
    return live;
  }

  const marksOf = batchLoader(keyOf, readMarks);
  // Each window on its own: a failed read fails only the caller that asked for it.
  const liveOf = batchLoader(keyOf, async (tx, windows) => windows.map((window) => readAnew(tx, window)));
  return {
    async read(tx, asked) {
      const window = inWholeDays(asked);
      const kept = cache.get(keyOf(window));
      const marks = kept && (await marksOf(tx, window));
      if (kept && marks?.activity === kept.activity) return { ...kept, version: marks.version };
      return liveOf(tx, window);
    },
  };
}

function keyOf({ isPaced, productId, venueId, fromMs, toMs }: Window): string {
  return `${isPaced ? productId : venueId} ${fromMs} ${toMs}`;
}

/**
 * Marks are those of whole days in UTC, and so are the cached stays: parties of different sizes, whose last starts
 * and stays differ, then share one entry.
 */
function inWholeDays(window: Window): Window {
  const first = Math.floor(window.fromMs / MS_PER_DAY);
  const last = Math.floor(Math.max(window.fromMs, window.toMs - 1) / MS_PER_DAY);
  return { ...window, fromMs: first * MS_PER_DAY, toMs: (last + 1) * MS_PER_DAY };
}
