import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { FeedStorage } from '../../../../src/features/feed/feed-file.ts';
import { createFolderStorage } from '../../../../src/features/feed/folder-storage.ts';
import { removeGarbage } from '../../../../src/features/feed/scheduler.ts';
import { feedFolder } from '../../../../src/features/feed/storage.ts';
import { type Clock, systemClock } from '../../../../src/kernel/clock.ts';
import { startTestApp, type TestApp } from '../../../support/app.ts';
import { repeats } from '../../../support/repeats.ts';
import { FEED_URL, type Json, makerOf } from '../support.ts';
import { addBistro, type Bistro, createEventful } from './readers-bistro.ts';
import { indexFirst, inPlace, type Readers, sluggish, startReaders } from './readers-following.ts';

const REGENERATIONS = repeats(200, 40);
const PATIENCE = 60;
const DAYS = 12;
/** One that reads on at once, one that comes for its shards when several indexes have followed. */
const DWELLS_MS = [0, 400];
const tomorrow: Clock = () => systemClock().add({ hours: 26 });

const dataDir = mkdtempSync(join(tmpdir(), 'maitred-readers-'));
const folder = feedFolder({ dataDir });
const storage = createFolderStorage(folder);
let maitred: TestApp;
let address: string;
before(async () => {
  maitred = await startTestApp({ config: { dataDir, feedUrl: FEED_URL } });
  address = `${await maitred.app.listen({ port: 0, host: '127.0.0.1' })}/feed`;
});
after(async () => {
  await maitred.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function feedUrlOf({ venueId, productId }: Bistro): Promise<string | undefined> {
  const { json } = await maitred.call(`/venues/${encodeURIComponent(venueId)}`);
  return json.products.find((product: Json) => product.compositeId === productId)?.feedUrl;
}

interface Regenerating {
  storage?: FeedStorage;
  /** What time it is for those who remove garbage. */
  clock?: Clock;
  isEnough?: (readers: Readers, done: number) => boolean;
}

/** Makes the feeds of a bistro again and again while everything about it changes and others read. */
async function regenerate(options: Regenerating): Promise<Readers & { done: number }> {
  const { storage: written = storage, clock = systemClock } = options;
  const { sql } = maitred;
  const bistro = await addBistro(sql, DAYS);
  const { make } = makerOf(maitred, { ...written, files: new Map() });
  const eventful = createEventful(maitred, bistro);
  await make(bistro.venueId);
  let revision = 0;
  const readers = startReaders({
    address,
    feedUrl: () => feedUrlOf(bistro),
    revision: () => revision,
    dwellsMs: DWELLS_MS,
  });
  let done = 0;
  while (done < REGENERATIONS && !options.isEnough?.(readers, done)) {
    await eventful.next();
    await make(bistro.venueId, { isFull: done % 10 === 9 });
    revision = eventful.revision();
    await removeGarbage({ sql, clock, storage });
    done += 1;
  }
  await readers.stop();
  return { ...readers, done };
}

/** The same with a mistake, until a reader comes upon it. */
async function assertNoticed(mistake: Regenerating, complaint: RegExp): Promise<void> {
  const isEnough = ({ faults }: Readers, done: number) =>
    done >= PATIENCE || faults.some((fault) => complaint.test(fault));
  const { faults } = await regenerate({ ...mistake, isEnough });
  assert.match(faults.join('\n'), complaint);
}

test(`readers meet nothing missing, torn or older than its index during ${REGENERATIONS} regenerations`, async (t) => {
  const { faults, read, done } = await regenerate({});
  t.diagnostic(`${done} regenerations, ${read.indexes} indexes and ${read.shards} shards read`);
  assert.equal(done, REGENERATIONS);
  assert.ok(read.indexes > REGENERATIONS && read.shards > REGENERATIONS, 'they were read meanwhile');
  assert.deepEqual(faults, []);
});

test('readers notice shards that are written after the index', () =>
  assertNoticed({ storage: indexFirst(storage) }, /\.json\.gz is answered with 404/));

test('readers notice files that are written in place', () =>
  assertNoticed({ storage: inPlace(storage, folder) }, /is torn/));

test('readers notice shards that are older than the index', () =>
  assertNoticed({ storage: sluggish(storage) }, /is older than its index/));

test('readers notice files that are removed as soon as no index names them', () =>
  assertNoticed({ clock: tomorrow }, /\.json\.gz is answered with 404/));
