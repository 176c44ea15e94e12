/** The feed of a product follows what its operator changes. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { FeedScheduler } from '../../../src/features/feed/scheduler.ts';
import { addDays } from '../../../src/kernel/zone-time.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { addBistro, type Bistro } from '../feed/readers/readers-bistro.ts';
import { forgetVenues } from '../feed/scheduler/scheduler-support.ts';
import { FEED_URL, type Json } from '../feed/support.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'maitred-manage-feed-'));
let maitred: TestApp;
let bistro: Bistro;
let scheduler: FeedScheduler;
before(async () => {
  maitred = await startTestApp({ config: { dataDir, feedUrl: FEED_URL } });
  await forgetVenues(maitred.sql);
  bistro = await addBistro(maitred.sql, 3);
  scheduler = maitred.services.feed.startFeedScheduler(maitred.url);
  await eventually(async () => (await feedUrl()) !== null);
});
after(async () => {
  await scheduler.stop();
  await maitred.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function feedUrl(): Promise<string | null> {
  const { json } = await maitred.call(`/venues/${encodeURIComponent(bistro.venueId)}`);
  return json.products[0].feedUrl ?? null;
}

async function fetched(address: string): Promise<Buffer> {
  const response = await maitred.app.inject(address.replace(FEED_URL, '/feed'));
  assert.equal(response.statusCode, 200, address);
  return response.rawPayload;
}

/** The slots of a day as whoever follows the index finds them. */
async function slotsOn(date: string): Promise<Json[]> {
  const { shards } = JSON.parse(String(await fetched(String(await feedUrl()))));
  const shard = shards.find((each: Json) => each.date === date);
  return shard ? JSON.parse(String(gunzipSync(await fetched(shard.url)))).slots : [];
}

const isOffered = async (date = '') => (await slotsOn(date)).length > 0;

async function managed(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: Json): Promise<Json> {
  const answer = await maitred.call(path, { method, as: 'demo-admin', body });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.text === '' ? undefined : answer.json;
}

const at = (rest: string) => `/manage/venues/${encodeURIComponent(bistro.venueId)}${rest}`;

test('hours of a product', async () => {
  const [date = ''] = bistro.dates;
  const moved = addDays(date, 1);
  assert.ok(await isOffered(date));
  const { compositeId: _, key: __, ...product } = await managed('GET', at('/products/table'));
  const exceptions = product.hours.exceptions.map((each: Json) =>
    each.date === date ? { ...each, date: moved } : each,
  );
  await managed('PUT', at('/products/table'), { ...product, hours: { weekly: [], exceptions } });
  await eventually(() => isOffered(moved));
  assert.ok(!(await isOffered(date)));
});

test('an availability rule, and its end', async () => {
  const [, date = ''] = bistro.dates;
  assert.ok(await isOffered(date));
  const rule = { type: 'specific_dates', definition: { dates: [date] } };
  const { id } = await managed('POST', at('/availability-rules'), rule);
  await eventually(async () => !(await isOffered(date)));
  await managed('DELETE', at(`/availability-rules/${id}`));
  await eventually(() => isOffered(date));
});

test('a booking rule, and its end', async () => {
  const [, , date = ''] = bistro.dates;
  const path = `/manage/operators/${bistro.operatorId}/booking-rules`;
  const reasons = async () =>
    [...new Set((await slotsOn(date)).map((slot) => slot.request_reason ?? null))].join();
  const before = await reasons();
  const { id } = await managed('POST', path, { name: 'Ask first', effect: 'route_to_enquiry' });
  await eventually(async () => (await reasons()) === 'operator_rule');
  await managed('DELETE', `${path}/${id}`);
  await eventually(async () => (await reasons()) === before);
});

test('a table that is put away', async () => {
  const [, date = ''] = bistro.dates;
  const { data } = await managed('GET', at('/tables'));
  assert.ok(await isOffered(date));
  for (const { id, ...table } of data)
    await managed('PUT', at(`/tables/${id}`), { ...table, isActive: false });
  await eventually(async () => !(await isOffered(date)));
});
