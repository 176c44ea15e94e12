import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { scheduler } from 'node:timers/promises';
import { startFeedScheduler } from '../../../src/features/feed/scheduler.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { metricOf } from '../../support/metrics.ts';
import { addBistro, bookAt } from './readers/readers-bistro.ts';
import { forgetVenues, keeperWith } from './scheduler/scheduler-support.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
  await forgetVenues(maitred.sql);
});
after(() => maitred.close());

const sample = (name: string) => metricOf(maitred, name);

const samples = async () => ({
  slots: await sample('feed_slots_total'),
  carried: await sample('feed_days_carried_total'),
});

const isFed = async () =>
  (await maitred.sql`select from feed_venue where mark > made_mark or lease is not null`).length === 0 &&
  (await maitred.sql`select from house_day where not is_fed`).length === 0;

test('nothing is counted, and nothing is old, before there is a feed', async () => {
  assert.deepEqual(await samples(), { slots: 0, carried: 0 });
  assert.equal(await sample('feed_oldest_index_seconds'), 0);
});

test('slots that were worked out and days that were carried are counted, and looking does not count', async (t) => {
  const { sql, services } = maitred;
  const bistro = await addBistro(sql, 3);
  const feeding = startFeedScheduler({ ...keeperWith(sql), meters: services.feed.meters });
  t.after(() => feeding.stop());
  await eventually(isFed);
  await eventually(async () => (await samples()).slots !== 0);
  const first = await samples();
  // Three days with one start, two rooms, and parties of one or two.
  assert.deepEqual(first, { slots: 12, carried: 0 });
  assert.deepEqual(await samples(), first);
  await bookAt(maitred, bistro, bistro.dates[0] ?? '');
  await eventually(isFed);
  await eventually(async () => (await samples()).slots !== first.slots);
  await feeding.stop();
  const { slots = 0, carried = 0 } = await samples();
  assert.ok(slots > 12 && slots < 24, 'one day of three was worked out again');
  assert.ok(carried > 170 && carried < 180);
});

test('the oldest index is as old as it is since it was last looked over', async () => {
  const { sql } = maitred;
  await addBistro(sql, 1);
  const feeding = startFeedScheduler(keeperWith(sql));
  await eventually(isFed);
  await feeding.stop();
  await sql`update feed_channel set made_at = now() - interval '1 hour'
    where id = (select min(id) from feed_channel)`;
  const age = (await sample('feed_oldest_index_seconds')) ?? 0;
  assert.ok(age >= 3600 && age < 3700, String(age));
  await scheduler.yield();
  assert.ok(((await sample('feed_oldest_index_seconds')) ?? 0) >= age);
  await sql`update feed_channel set is_active = false where made_at < now() - interval '1 hour'`;
  assert.ok(((await sample('feed_oldest_index_seconds')) ?? 3600) < 3600, 'a closed venue has no old feed');
});

test('without the database what was counted is still told, and no age is made up', async () => {
  const before = await samples();
  await maitred.sql.end();
  assert.deepEqual(await samples(), before);
  assert.equal(await sample('feed_oldest_index_seconds'), undefined);
});
