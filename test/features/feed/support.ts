/** What the tests of the feed share: files in memory, a maker on a test app, and a reader who follows an index. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { FeedStorage } from '../../../src/features/feed/feed-file.ts';
import { createLocalMaker } from '../../../src/features/feed/local-maker.ts';
import type { Made } from '../../../src/features/feed/make.ts';
import { claimVenue } from '../../../src/features/feed/store.ts';
import { parseVenueId } from '../../../src/kernel/ids.ts';
import type { TestApp } from '../../support/app.ts';

export const FEED_URL = 'http://feed.example';

export interface Files extends FeedStorage {
  files: Map<string, Buffer>;
}

export function filesInMemory(): Files {
  const files = new Map<string, Buffer>();
  return {
    files,
    async put(path, body) {
      files.set(path, body);
    },
    async remove(paths) {
      for (const path of paths) files.delete(path);
    },
  };
}

export interface FeedMaker {
  files: Map<string, Buffer>;
  /** Makes the files of a venue as of a moment. */
  make(venueId: string, options?: { nowMs?: number; isFull?: boolean }): Promise<Made>;
}

export function makerOf(
  { sql }: Pick<TestApp, 'sql'>,
  storage = filesInMemory(),
  feedUrl = FEED_URL,
): FeedMaker {
  const make = createLocalMaker({ sql, storage, feedUrl });
  return {
    files: storage.files,
    async make(venue, { nowMs = Date.now(), isFull = false } = {}) {
      const venueId = parseVenueId(venue);
      const lease = randomUUID();
      const now = Temporal.Now.instant();
      const claim = await claimVenue(sql, venueId, lease, { now, leasedUntil: now.add({ seconds: 60 }) });
      assert.ok(claim, 'nobody else is at it');
      return make({ venueId, lease, nowMs, isFull });
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into files of every shape and assert what they find.
export type Json = any;

/** The index at an address, and the shards that it names; each is the very text that `JSON.stringify` would write. */
export function follow(
  files: ReadonlyMap<string, Buffer>,
  url: string,
): { index: Json; shards: Map<string, Json> } {
  const read = (address: string): Buffer => {
    const file = files.get(address.slice(FEED_URL.length + 1));
    assert.ok(file, `there is no ${address}`);
    return file;
  };
  const shardAt = (address: string): Json => {
    const text = gunzipSync(read(address)).toString();
    const shard = JSON.parse(text);
    assert.equal(text, JSON.stringify(shard));
    return shard;
  };
  const index = JSON.parse(read(url).toString());
  const shards = new Map<string, Json>(index.shards.map(({ date, url }: Json) => [date, shardAt(url)]));
  return { index, shards };
}
