import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startTestApp, type TestApp } from '../../../support/app.ts';
import { repeats } from '../../../support/repeats.ts';
import { addThirdPartner, settle, situation } from '../agreement-world.ts';
import { FEED_URL, type FeedMaker, type Json, makerOf } from '../support.ts';

const PLACES = repeats(6, 2);
const MOST_PLACES = 40;
const LEAST = { carried: 1000, made: 10 };

let maitred: TestApp;
let maker: FeedMaker;
before(async () => {
  maitred = await startTestApp({ config: { feedUrl: FEED_URL } });
  maker = makerOf(maitred);
  await addThirdPartner(maitred);
});
after(() => maitred.close());

/** Every feed of a venue, without what tells files of equal content apart. */
async function feedsOf(venueId: string): Promise<Json[]> {
  const channels = await maitred.sql<{ token: string; key: string }[]>`
    select token, product_id || ' ' || coalesce(partner_id, 0) as key from feed_channel
    where venue_id = ${venueId} order by 2`;
  const fileAt = (path: string) => {
    const file = maker.files.get(path);
    assert.ok(file, `there is no ${path}`);
    return file;
  };
  return channels.map(({ token, key }) => {
    const index = JSON.parse(String(fileAt(`${token}/index.json`)));
    const days = index.shards.map(({ date, hash, url }: Json) => {
      return { date, hash, body: fileAt(url.slice(FEED_URL.length + 1)) };
    });
    return { key, ...index, shards: days };
  });
}

/** How much later somebody looks, in minutes: within hours, after notices, after midnights and clock changes. */
const elapsed = fc.oneof(
  fc.integer({ min: 1, max: 180 }),
  fc.integer({ min: 1, max: 60 * 24 * 3 }),
  fc.integer({ min: 1, max: 60 * 24 * 40 }),
);
const looks = fc.array(elapsed, { minLength: 1, maxLength: 2 });

test('what is carried forward is what would be made anew, however much later', async (t) => {
  const seed = Math.trunc(Math.random() * 2 ** 31);
  t.diagnostic(`seed ${seed}`);
  const seen = { carried: 0, made: 0 };
  let places = 0;
  for (const [made, waits] of fc.sample(fc.tuple(situation, looks), { seed, numRuns: MOST_PLACES })) {
    if (places >= PLACES && seen.carried > LEAST.carried && seen.made > LEAST.made) break;
    places += 1;
    const { venueId, now } = await settle(maitred, made);
    let nowMs = now.epochMilliseconds;
    await maker.make(venueId, { nowMs });
    for (const minutes of waits) {
      nowMs += minutes * 60_000;
      const { daysCarried, daysMade } = await maker.make(venueId, { nowMs });
      seen.carried += daysCarried;
      seen.made += daysMade;
      const carried = await feedsOf(venueId);
      await maker.make(venueId, { nowMs, isFull: true });
      assert.deepEqual(carried, await feedsOf(venueId), `${venueId} of seed ${seed}`);
    }
  }
  assert.ok(seen.carried > LEAST.carried, `only ${seen.carried} days were carried forward`);
  assert.ok(seen.made > LEAST.made, `only ${seen.made} days were made anew`);
});
