import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { keepOnce, removeGarbage } from '../../../src/features/feed/scheduler.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { addBistro, type Bistro, revise, unmap } from './readers/readers-bistro.ts';
import { forgetVenues, keeperWith, type WatchedKeeper } from './scheduler/scheduler-support.ts';
import { FEED_URL, filesInMemory, follow } from './support.ts';

let maitred: TestApp;
let bistro: Bistro;
let scheduler: WatchedKeeper;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());
beforeEach(async () => {
  const { sql } = maitred;
  await forgetVenues(sql);
  await sql`delete from feed_channel`;
  await sql`delete from feed_garbage`;
  bistro = await addBistro(sql, 3);
  scheduler = keeperWith(sql);
  await keepOnce(scheduler);
});

const paths = () => [...scheduler.files.files.keys()].sort();
const remove = (hours: number) =>
  removeGarbage({ ...scheduler, clock: () => Temporal.Now.instant().add({ hours }) });

test('files that no index names any more are there for a day, and then they are gone', async () => {
  const old = paths();
  await revise(maitred.sql, bistro, 1);
  await keepOnce(scheduler);
  const both = paths();
  assert.equal(both.length, old.length + 3);
  await remove(0);
  await remove(24);
  assert.deepEqual(paths(), both);
  await remove(26);
  assert.equal(paths().length, old.length);
  assert.equal((await maitred.sql`select from feed_garbage`).length, 0);
});

test('an address that was renewed goes with everything in it', async () => {
  const old = paths();
  await unmap(maitred.sql, bistro, 2);
  await keepOnce(scheduler);
  assert.equal(paths().length, 2 * old.length);
  await remove(26);
  assert.equal(paths().length, old.length);
  assert.deepEqual(
    paths().filter((path) => old.includes(path)),
    [],
  );
});

test('the files of a venue that is deleted go too', async () => {
  await maitred.sql`delete from venue where id = ${bistro.venueId}`;
  await remove(26);
  assert.deepEqual(paths(), []);
});

test('what an unfinished index may name is not removed before the venue is finished', async () => {
  const { sql } = maitred;
  await revise(sql, bistro, 1);
  const { files } = scheduler;
  const failing = {
    ...files,
    put: async (path: string, body: Buffer) => {
      await files.put(path, body);
      if (path.endsWith('/index.json')) throw new Error('It is not known whether it was written.');
    },
  };
  await keepOnce(keeperWith(sql, { files: failing }));
  const [channel] = await sql`select token from feed_channel`;
  const url = `${FEED_URL}/${channel?.token}/index.json`;
  assert.equal(follow(files.files, url).index.product_name, '1');
  await remove(26);
  assert.equal(follow(files.files, url).shards.size, 3);
  await keepOnce(keeperWith(sql, { files, clock: () => Temporal.Now.instant().add({ seconds: 1 }) }));
  await remove(26);
  assert.equal(follow(files.files, url).shards.size, 3);
  assert.equal(paths().length, 4);
});

test('files that cannot be removed now are removed another time', async () => {
  await revise(maitred.sql, bistro, 1);
  await keepOnce(scheduler);
  const before = paths().length;
  const { files } = scheduler;
  const clock = () => Temporal.Now.instant().add({ hours: 26 });
  const storage = { ...filesInMemory(), remove: () => Promise.reject(new Error('The disk is away.')) };
  await assert.rejects(removeGarbage({ ...scheduler, clock, storage }));
  assert.equal(paths().length, before);
  await removeGarbage({ ...scheduler, clock, storage: files });
  assert.equal(paths().length, before - 3);
});
