/** Readers of served feeds, and the mistakes of makers that they must notice. */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { FeedStorage } from '../../../../src/features/feed/feed-file.ts';
import { FEED_URL, type Json } from '../support.ts';

export interface Readers {
  /** What did not fit, in sentences. */
  faults: string[];
  read: { indexes: number; shards: number };
  /** Each finishes what it is at. */
  stop(): Promise<void>;
}

export interface ReadersOptions {
  /** Where the files are served. */
  address: string;
  /** The address of the index as the venue shows it; undefined while it shows no products. */
  feedUrl(): Promise<string | undefined>;
  /** What an index that is read from now on tells at least. */
  revision(): number;
  /** Readers that dwell between the index and its shards, for so long. */
  dwellsMs: readonly number[];
}

const hashOf = (body: Buffer) => createHash('sha256').update(body).digest('base64url').slice(0, 22);

/** Each reads an index and all that it names, over and over; shards that never change are read once by each. */
export function startReaders(options: ReadersOptions): Readers {
  const faults: string[] = [];
  const read = { indexes: 0, shards: 0 };
  let isOver = false;

  async function get(url: string): Promise<Buffer | undefined> {
    const response = await fetch(url.replace(FEED_URL, options.address));
    if (!response.ok) faults.push(`${url} is answered with ${response.status}`);
    try {
      const body = await response.bytes();
      return response.ok ? Buffer.from(body) : undefined;
    } catch {
      // Fewer bytes came than were promised.
      faults.push(`${url} is torn`);
      return undefined;
    }
  }

  async function readIndex(url: string): Promise<Json> {
    const least = options.revision();
    const body = await get(url);
    if (!body) return undefined;
    read.indexes += 1;
    try {
      const index = JSON.parse(body.toString());
      if (Number(index.product_name) < least) faults.push(`${url} tells less than ${least}`);
      return index;
    } catch {
      faults.push(`${url} is torn`);
      return undefined;
    }
  }

  async function readShard(index: Json, { url, date, hash, updated_at }: Json): Promise<void> {
    const body = await get(url);
    if (!body) return;
    read.shards += 1;
    if (hashOf(body) !== hash) faults.push(`${url} is not what its index says`);
    if (Date.parse(updated_at) > Date.now()) faults.push(`${url} is of the future`);
    try {
      const shard = JSON.parse(gunzipSync(body).toString());
      const isRight = shard.product_id === index.product_id && shard.date === date && shard.slots.length > 0;
      if (!isRight) faults.push(`${url} has something else in it`);
      const isCurrent = shard.slots.every((slot: Json) => slot.room_name === index.product_name);
      if (!isCurrent) faults.push(`${url} is older than its index`);
    } catch {
      faults.push(`${url} is torn`);
    }
  }

  async function follow(dwellMs: number): Promise<void> {
    const known = new Set<string>();
    let url: string | undefined;
    while (!isOver) {
      // Answers from memory alone would let nobody else have a turn.
      await nextTurn();
      url = (await options.feedUrl()) ?? url;
      const index = url && (await readIndex(url));
      if (!index) continue;
      await sleep(dwellMs);
      for (const shard of index.shards) {
        if (!known.has(shard.url)) await readShard(index, shard);
        known.add(shard.url);
      }
    }
  }

  const reading = Promise.all(options.dwellsMs.map(follow));
  return {
    faults,
    read,
    async stop() {
      isOver = true;
      await reading;
    },
  };
}

/** The mistake of writing an index before the shards that it names. */
export function indexFirst(storage: FeedStorage): FeedStorage {
  const waiting: [string, Buffer][] = [];
  return {
    ...storage,
    async put(path, body) {
      if (!path.endsWith('/index.json')) return void waiting.push([path, body]);
      await storage.put(path, body);
      for (const [shard, bytes] of waiting.splice(0)) await storage.put(shard, bytes);
    },
  };
}

/** The mistake of writing where others read, a piece at a time. */
export function inPlace(storage: FeedStorage, folder: string): FeedStorage {
  return {
    ...storage,
    async put(path, body) {
      const place = join(folder, path);
      await mkdir(dirname(place), { recursive: true });
      const half = Math.floor(body.length / 2);
      await writeFile(place, body.subarray(0, half));
      await sleep(5);
      await writeFile(place, body.subarray(half), { flag: 'a' });
    },
  };
}

/** The mistake of handing out what was made before. */
export function sluggish(storage: FeedStorage): FeedStorage {
  const before = new Map<string, Buffer>();
  return {
    ...storage,
    async put(path, body) {
      const date = path.slice(0, path.indexOf('.'));
      await storage.put(path, before.get(date) ?? body);
      before.set(date, body);
    },
  };
}
