/** What goes on behind the answers: files of the feed, and guests that are to be forgotten. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { inTransaction } from '../../src/db/database.ts';
import { openNotifications } from '../../src/db/notifications.ts';
import { createFolderStorage } from '../../src/features/feed/folder-storage.ts';
import { createLocalMaker } from '../../src/features/feed/local-maker.ts';
import { createMeters, keepOnce } from '../../src/features/feed/scheduler.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createKeyring } from '../../src/kernel/crypto.ts';
import { createServices } from '../../src/services.ts';
import { bookTable } from '../feed/feed-store.ts';
import { FIRST_OPERATOR, GUEST_DAYS, wantFeeds } from './growth-store.ts';
import { ENCRYPTION_KEY, type World } from './growth-world.ts';

export interface Background {
  /** Of one venue without files, when a hundred wait. */
  firstFeedMs: number;
  /** Of one venue with one booking more, when a hundred wait. */
  changedFeedMs: number;
  guestsForgotten: number;
  /** Of a thousand guests. */
  forgettingMs: number;
}

const FEEDS = 100;

export async function measureBackground(world: World): Promise<Background> {
  return { ...(await measureFeeds(world)), ...(await measureForgetting(world)) };
}

async function measureFeeds(world: World): Promise<Pick<Background, 'firstFeedMs' | 'changedFeedMs'>> {
  const { sql, operators } = world;
  const folder = mkdtempSync(join(tmpdir(), 'maitred-growth-'));
  try {
    const storage = createFolderStorage(folder);
    const make = createLocalMaker({ sql, storage, feedUrl: 'https://feed.example' });
    const engine = { make, stop: async () => {} };
    const log = {
      info: () => {},
      error: (details: object, message: string) => console.error(message, details),
    };
    const deps = { sql, clock: systemClock, engine, storage, meters: createMeters(), log };
    const keepAll = async () => {
      let kept = 0;
      const began = performance.now();
      for (let some = 1; some > 0; kept += some) some = await keepOnce(deps);
      if (kept !== FEEDS) throw new Error(`${kept} venues had their feeds made.`);
      return (performance.now() - began) / FEEDS;
    };
    await wantFeeds(sql, FEEDS);
    const firstFeedMs = await keepAll();
    const day = Temporal.Now.plainDateISO().add({ days: 30 }).toString();
    await inTransaction(sql, async (tx) => {
      for (let n = 1; n <= FEEDS; n += 1)
        await bookTable(tx, `${FIRST_OPERATOR + (n % operators)}|house|venue-${n}|dinner`, day, 9);
    });
    return { firstFeedMs, changedFeedMs: await keepAll() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureForgetting({ sql, url }: World) {
  const notifications = await openNotifications(url);
  try {
    const config = { ...readConfig({}), logLevel: 'silent' as const };
    const deps = {
      config,
      sql,
      notifications,
      encryptionKeys: createKeyring([ENCRYPTION_KEY]),
      clock: systemClock,
    };
    const services = await createServices(deps);
    const began = performance.now();
    const guestsForgotten = await services.bookings.forgetOldGuests(GUEST_DAYS - 5);
    const forgettingMs = ((performance.now() - began) / Math.max(1, guestsForgotten)) * 1000;
    await services.webhooks.close();
    return { guestsForgotten, forgettingMs };
  } finally {
    await notifications.close();
  }
}
