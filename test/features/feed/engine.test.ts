import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { type Engine, startEngine } from '../../../src/features/feed/engine.ts';
import { claimVenue } from '../../../src/features/feed/store.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { addBistro, type Bistro } from './readers/readers-bistro.ts';
import { FEED_URL } from './support.ts';

let maitred: TestApp;
let bistro: Bistro;
before(async () => {
  maitred = await startTestApp();
  bistro = await addBistro(maitred.sql, 2);
});
after(() => maitred.close());

function engineOn(t: TestContext, options: { databaseUrl: string; dataDir: string }): Engine {
  // Read anew by each thread, so that a test can change it between two.
  const engine = startEngine(
    Object.assign(options, { feedUrl: FEED_URL, feedBucket: undefined, feedBucketEndpoint: undefined }),
  );
  t.after(() => engine.stop());
  return engine;
}

async function requestFor({ venueId }: Bistro) {
  const lease = randomUUID();
  const now = Temporal.Now.instant();
  await maitred.sql`update feed_venue set leased_until = '-infinity' where venue_id = ${venueId}`;
  assert.ok(await claimVenue(maitred.sql, venueId, lease, { now, leasedUntil: now.add({ seconds: 60 }) }));
  return { venueId, lease, nowMs: now.epochMilliseconds, isFull: true };
}

test('files are made in a thread, and what was made is told', async (t) => {
  const dataDir = scratchFolder(t);
  const engine = engineOn(t, { databaseUrl: maitred.url, dataDir });
  const made = await engine.make(await requestFor(bistro));
  assert.equal(made.files, 3);
  const [channel] = await maitred.sql`select token from feed_channel where venue_id = ${bistro.venueId}`;
  assert.ok(existsSync(join(dataDir, 'feed', channel?.token, 'index.json')));
});

test('requests at the same time are all answered, each with its own', async (t) => {
  const engine = engineOn(t, { databaseUrl: maitred.url, dataDir: scratchFolder(t) });
  const other = await addBistro(maitred.sql, 5);
  const requests = [await requestFor(bistro), await requestFor(other)];
  const made = await Promise.all(requests.map((request) => engine.make(request)));
  assert.deepEqual(
    made.map(({ slots }) => slots > 0 && slots),
    [8, 20],
  );
});

test('a thread that dies fails what it was asked, and the next request has another', async (t) => {
  const options = { databaseUrl: 'nonsense', dataDir: scratchFolder(t) };
  const engine = engineOn(t, options);
  const request = await requestFor(bistro);
  await assert.rejects(engine.make(request), /URL/);
  // At once, before the first has told that it is gone for good.
  options.databaseUrl = maitred.url;
  assert.ok((await engine.make(request)).slots > 0);
});

test('a venue that cannot be made is a failure of its own, and the thread goes on', async (t) => {
  const options = { databaseUrl: maitred.url, dataDir: '/dev/null' };
  const engine = engineOn(t, options);
  await assert.rejects(engine.make(await requestFor(bistro)), /ENOTDIR/);
  const gone = { ...(await requestFor(bistro)), venueId: 'nobody' as never };
  assert.equal((await engine.make(gone)).files, 0);
});

test('what is under way when it is stopped fails, and does not wait for ever', async (t) => {
  const engine = engineOn(t, { databaseUrl: maitred.url, dataDir: scratchFolder(t) });
  const request = await requestFor(bistro);
  const failing = assert.rejects(engine.make(request), /ended with/);
  await engine.stop();
  await failing;
});
