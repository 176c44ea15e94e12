import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { FeedScheduler } from '../../../../src/features/feed/scheduler.ts';
import { addDays } from '../../../../src/kernel/zone-time.ts';
import { startTestApp, type TestApp } from '../../../support/app.ts';
import { closeVenue, reopenVenue } from '../../../support/closing.ts';
import { eventually } from '../../../support/eventually.ts';
import { storageOf } from '../../../support/rule-storage.ts';
import { addBistro, type Bistro, bookAt, cancelAt, map, revise, unmap } from '../readers/readers-bistro.ts';
import { FEED_URL, type Json } from '../support.ts';
import { forgetVenues, leases } from './scheduler-support.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'maitred-keeper-'));
let maitred: TestApp;
let bistro: Bistro;
let scheduler: FeedScheduler;
let url: string;
before(async () => {
  maitred = await startTestApp({ config: { dataDir, feedUrl: FEED_URL } });
  await forgetVenues(maitred.sql);
  bistro = await addBistro(maitred.sql, 2);
  assert.equal(await feedUrlFor('demo-partner'), null);
  scheduler = maitred.services.feed.startFeedScheduler(maitred.url);
  await eventually(async () => (await feedUrlFor('demo-partner')) !== null);
  url = String(await feedUrlFor('demo-partner'));
});
after(async () => {
  await scheduler.stop();
  assert.deepEqual([...(await leases(maitred.sql))], []);
  await maitred.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function feedUrlFor(partner: string): Promise<string | null | undefined> {
  const { json } = await maitred.call(`/venues/${encodeURIComponent(bistro.venueId)}`, { as: partner });
  return json.products?.find(({ compositeId }: Json) => compositeId === bistro.productId)?.feedUrl;
}

async function fetched(address: string): Promise<Buffer> {
  const response = await maitred.app.inject(address.replace(FEED_URL, '/feed'));
  assert.equal(response.statusCode, 200, address);
  return response.rawPayload;
}

const indexAt = async (address: string): Promise<Json> => JSON.parse(String(await fetched(address)));

/** The slots of a day as whoever follows the index finds them; none where it is not named. */
async function slotsOn(date: string, address = url): Promise<Json[]> {
  const { shards } = await indexAt(address);
  const shard = shards.find((each: Json) => each.date === date);
  return shard ? JSON.parse(String(gunzipSync(await fetched(shard.url)))).slots : [];
}

test('a booking takes its slots out of the served feed, and a cancellation brings them back', async () => {
  const [date = ''] = bistro.dates;
  const before = await slotsOn(date);
  const bookings = [await bookAt(maitred, bistro, date), await bookAt(maitred, bistro, date)];
  await eventually(async () => (await slotsOn(date)).length === 0);
  for (const booking of bookings) await cancelAt(maitred, booking);
  await eventually(async () => (await slotsOn(date)).length > 0);
  await eventually(async () => JSON.stringify(await slotsOn(date)) === JSON.stringify(before));
});

test('a booking rule is followed by a feed of its own for the partner that it means, and none when it is retired', async () => {
  const [date = ''] = bistro.dates;
  const storage = storageOf(maitred);
  const draft = { name: 'Ask first', effect: 'route_to_enquiry', partnerIds: [2] };
  const { id } = await storage.create(bistro.operatorId, draft);
  await eventually(async () => (await feedUrlFor('other-partner')) !== url);
  const own = String(await feedUrlFor('other-partner'));
  const reasons = (slots: Json[]) => [...new Set(slots.map((slot) => slot.request_reason ?? null))];
  assert.deepEqual(reasons(await slotsOn(date, own)), ['operator_rule']);
  assert.deepEqual(reasons(await slotsOn(date)), [null]);
  await storage.retire(bistro.operatorId, id);
  await eventually(async () => (await feedUrlFor('other-partner')) === url);
});

test('hours and names are followed', async () => {
  const [, date = ''] = bistro.dates;
  const { sql } = maitred;
  await revise(sql, bistro, 7);
  await eventually(async () => (await indexAt(url)).product_name === '7');
  assert.ok((await slotsOn(date)).every(({ room_name }) => room_name === '7'));
  await sql`update product_exception set date = date + 1 where product_id = ${bistro.productId} and date = ${date}`;
  const moved = addDays(date, 1);
  await eventually(async () => (await slotsOn(moved)).length > 0);
  assert.deepEqual(await slotsOn(date), []);
  bistro.dates[1] = moved;
});

test('a venue that closes has an index without days, and all of them when it opens again', async () => {
  await closeVenue(maitred, bistro.venueId);
  await eventually(async () => (await indexAt(url)).active === false);
  const { shards, shut_at } = await indexAt(url);
  assert.deepEqual(shards, []);
  assert.ok(Date.parse(shut_at) <= Date.now());
  await reopenVenue(maitred, bistro.venueId);
  await eventually(async () => (await indexAt(url)).active === true);
  assert.deepEqual(
    (await indexAt(url)).shards.map(({ date }: Json) => date),
    bistro.dates,
  );
});

test('a partner that is unmapped leaves an address behind at which nothing is new', async () => {
  const { sql } = maitred;
  await unmap(sql, bistro, 2);
  await eventually(async () => (await feedUrlFor('demo-partner')) !== url);
  const renewed = String(await feedUrlFor('demo-partner'));
  await revise(sql, bistro, 8);
  await eventually(async () => (await indexAt(renewed)).product_name === '8');
  assert.notEqual((await indexAt(url)).product_name, '8');
  await map(sql, bistro, 2);
  await eventually(async () => (await feedUrlFor('other-partner')) === renewed);
  url = renewed;
});
