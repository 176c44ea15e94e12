import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { parseVenueId } from '../../../src/kernel/ids.ts';
import {
  bistroApp,
  DINNER,
  FIRST,
  isoDay,
  LATE,
  owner,
  platform,
  ROOMS,
  SECOND,
  TODAY,
  VENUE,
} from './bistro.ts';
import { FEED_URL, type Json } from './support.ts';

const bistro = bistroApp();

test('before the first index stands the address is null', async () => {
  const { products } = (await bistro().call(`/venues/${encodeURIComponent(VENUE)}`)).json;
  assert.deepEqual(
    products.map(({ feedUrl }: Json) => feedUrl),
    [null, null, null],
  );
});

test('a venue names the index of each product, and everybody who is offered the same reads the same one', async () => {
  await bistro().make();
  const { products } = (await bistro().call(`/venues/${encodeURIComponent(VENUE)}?fields=products`)).json;
  const urls: string[] = products.map(({ feedUrl }: Json) => feedUrl);
  assert.equal(new Set(urls).size, 3);
  for (const url of urls) assert.match(url, /^http:\/\/feed\.example\/[\w-]{32}\/index\.json$/);
  for (const caller of [FIRST, SECOND, owner, platform])
    assert.equal(await bistro().feedUrl(caller), urls[0]);
});

test('an index says what it is about, and each of its days where it is and what is in it', async () => {
  const { index, shards } = await bistro().read(FIRST);
  const { config_hash, activity_dates, shards: entries, ...rest } = index;
  assert.deepEqual(rest, {
    product_id: DINNER,
    product_name: 'Dinner',
    venue_name: 'Bistro «Ö"s»',
    active: true,
    shut_at: null,
  });
  assert.match(config_hash, /^[\w-]{22}$/);
  assert.deepEqual(activity_dates, []);
  for (const entry of entries) {
    assert.deepEqual(Object.keys(entry), ['date', 'url', 'hash', 'updated_at']);
    assert.match(entry.url, new RegExp(`^${FEED_URL}/[\\w-]{32}/${entry.date}\\.\\d+\\.json\\.gz$`));
    assert.match(entry.hash, /^[\w-]{22}$/);
    assert.equal(entry.updated_at, '2030-03-01T10:20:00.000Z');
    assert.deepEqual(Object.keys(shards.get(entry.date)), ['product_id', 'date', 'slots']);
    assert.equal(shards.get(entry.date).product_id, DINNER);
    assert.equal(shards.get(entry.date).date, entry.date);
  }
});

test('the index is plain JSON, and the days are gzip', async () => {
  const path = (await bistro().feedUrl(FIRST))?.slice(FEED_URL.length + 1) ?? '';
  const { files } = bistro().maker;
  const index = JSON.parse(String(files.get(path)));
  const shard = files.get(index.shards[0].url.slice(FEED_URL.length + 1));
  assert.deepEqual([shard?.[0], shard?.[1]], [0x1f, 0x8b]);
  assert.ok(JSON.parse(String(gunzipSync(shard ?? ''))).slots.length > 0);
});

test('days ascend, from today to the hundred and eightieth, and those without an open slot are absent', async () => {
  const { index } = await bistro().read(FIRST);
  const dates: string[] = index.shards.map(({ date }: Json) => date);
  const open = Array.from({ length: 180 }, (_, days) => isoDay(days)).filter(
    (date) => Temporal.PlainDate.from(date).dayOfWeek !== 7 && date !== '2030-03-05',
  );
  assert.deepEqual(dates, open);
  assert.equal(dates[0], TODAY);
});

test('a product with a window of advance booking says it in days, and has no day outside of it', async () => {
  const { index } = await bistro().read(FIRST, ROOMS);
  assert.equal(index.advance_bookings_min_days, 2);
  assert.equal(index.advance_bookings_max_days, 60);
  assert.equal(index.shards[0].date, isoDay(2));
  assert.equal(index.shards.at(-1).date, isoDay(60));
});

test('bounds that a product does not have are absent', async () => {
  for (const productId of [DINNER, LATE]) {
    const { index } = await bistro().read(FIRST, productId);
    assert.equal('advance_bookings_min_days' in index, false);
    assert.equal('advance_bookings_max_days' in index, false);
  }
});

test('booking a day before the window is too soon, and one after it too far', async () => {
  for (const [days, code] of [
    [1, 'AVAIL-N-007'],
    [61, 'AVAIL-N-008'],
  ] as const) {
    const body = {
      type: 'book',
      partySize: 4,
      firstName: 'A',
      lastName: 'B',
      email: 'a@example.com',
      phone: '+442079460018',
    };
    const answer = await bistro().call(`/venues/${encodeURIComponent(ROOMS)}/booking`, {
      method: 'POST',
      body: { ...body, date: isoDay(days), time: '12:00', spaceId: 960_001 },
    });
    assert.equal(answer.json.code, code, answer.text);
  }
});

test('an event has no feed', async () => {
  const jazz = parseVenueId('2|tickets|jazz-night');
  await bistro().maker.make(jazz);
  const { products } = (await bistro().call(`/venues/${encodeURIComponent(jazz)}`)).json;
  assert.ok(products.length > 0);
  for (const { feedUrl } of products) assert.equal(feedUrl, null);
});
