import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookingsApp } from '../bookings/support.ts';
import { FEED_URL, filesInMemory, makerOf } from './support.ts';

const app = bookingsApp({ config: { feedUrl: FEED_URL } });
const VENUE = '2|house|night-owl';
const MOVED = 'https://cdn.example/feeds';

test('when files are fetched from elsewhere indexes say so with the next look, and no day is made again', async () => {
  const storage = filesInMemory();
  await makerOf(app(), storage).make(VENUE);
  const [path = ''] = [...storage.files.keys()].filter((name) => name.endsWith('index.json'));
  const indexNow = () => String(storage.files.get(path));
  const before = indexNow();
  const made = await makerOf(app(), storage, MOVED).make(VENUE);
  assert.deepEqual([made.daysMade, made.files], [0, 1]);
  assert.equal(indexNow(), before.replaceAll(FEED_URL, MOVED));
  assert.notEqual(indexNow(), before);
  assert.equal((await makerOf(app(), storage, MOVED).make(VENUE)).files, 0);
});
