/** Makers of feeds that die, or stand still, between any two things that they do; and what they leave behind. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../../src/db/database.ts';
import type { FeedStorage } from '../../../src/features/feed/feed-file.ts';
import { createLocalMaker } from '../../../src/features/feed/local-maker.ts';
import { createMeters, type FeedSchedulerDeps, keepOnce } from '../../../src/features/feed/scheduler.ts';
import type { Clock } from '../../../src/kernel/clock.ts';
import { FEED_URL, type Files, follow, type Json } from '../../features/feed/support.ts';
import { createLife, type Life } from '../orders/order-life.ts';

export interface World {
  sql: Sql;
  files: Files;
  clock: Clock;
}

const quiet = { info: () => {}, error: () => {} };

/** A file operation is a moment of a life as a statement is. */
function storageOf(sql: Sql, storage: FeedStorage): FeedStorage {
  const around = async (operation: () => Promise<void>) => {
    await sql`select 'before a file'`;
    await operation();
    await sql`select 'after a file'`;
  };
  return {
    put: (path, body) => around(() => storage.put(path, body)),
    remove: (paths) => around(() => storage.remove(paths)),
  };
}

/** A keeper that looks after its feeds once, in this life. */
export function keeperIn(
  life: Life,
  { sql: immortal, files, clock }: World,
  mistake = (storage: FeedStorage) => storage,
): FeedSchedulerDeps {
  const sql = life.sql(immortal);
  const storage = mistake(storageOf(sql, files));
  const engine = { make: createLocalMaker({ sql, storage, feedUrl: FEED_URL }), stop: async () => {} };
  return { sql, clock, engine, storage, meters: createMeters(), log: quiet };
}

export async function keepAll(world: World): Promise<void> {
  const scheduler = keeperIn(createLife(), world);
  while ((await keepOnce(scheduler)) > 0);
}

/** Keeps until it is dead; false: it was done before. */
export async function keepAndDie(
  world: World,
  diesAfter: number,
  mistake?: (storage: FeedStorage) => FeedStorage,
): Promise<boolean> {
  const life = createLife({ diesAfter });
  life.beBorn();
  await keepOnce(keeperIn(life, world, mistake)).catch(() => {});
  // Files that were written at the same time as the one it died at.
  if (life.isDead()) await sleep(5);
  return life.isDead();
}

const hashOf = (body: Buffer) => createHash('sha256').update(body).digest('base64url').slice(0, 22);

/** What is wrong with files that can be read, or that nobody will ever remove; in sentences. */
export async function faultsOf({ sql, files: { files } }: World): Promise<string[]> {
  const known = await sql<{ path: string }[]>`
    select file as path from feed_shard where file is not null
    union all select token || '/index.json' from feed_channel`;
  const garbage = await sql<{ path: string }[]>`select path from feed_garbage`;
  const paths = new Set([...known, ...garbage].map(({ path }) => path));
  const indexes = [...files.keys()].filter((path) => path.endsWith('/index.json'));
  const named = indexes.flatMap((path) => JSON.parse(String(files.get(path))).shards as Json[]);
  return [
    ...named.flatMap(({ url, hash }) => {
      const body = files.get(url.slice(FEED_URL.length + 1));
      if (!body) return `${url} is named and missing`;
      return hashOf(body) === hash ? [] : `${url} is not what its index says`;
    }),
    ...known.filter(({ path }) => !files.has(path)).map(({ path }) => `${path} is stored and missing`),
    ...[...files.keys()].filter((path) => !paths.has(path)).map((path) => `${path} is known to nobody`),
  ];
}

/** Everything that the feeds of a venue tell, wherever their files are. */
export async function toldBy({ sql, files: { files } }: World, venueId: string): Promise<Json[]> {
  const channels = await sql<{ token: string; partnerId: number | null }[]>`
    select token, partner_id as "partnerId" from feed_channel where venue_id = ${venueId}
    order by product_id, partner_id`;
  return channels.map(({ token, partnerId }) => {
    const { index, shards } = follow(files, `${FEED_URL}/${token}/index.json`);
    const dates = index.shards.map(({ date, hash }: Json) => ({ date, hash }));
    return { partnerId, index: { ...index, shards: dates }, shards: [...shards] };
  });
}
