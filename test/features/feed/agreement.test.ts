import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { repeats } from '../../support/repeats.ts';
import { storageOf } from '../../support/rule-storage.ts';
import { differences, offeredByFeed, offeredLive } from './agreement.ts';
import { addThirdPartner, PARTNERS, type Place, settle, situation } from './agreement-world.ts';
import { FEED_URL, type FeedMaker, follow, type Json, makerOf } from './support.ts';

const PLACES = repeats(10, 2);
/** Some places are closed whenever they are asked about; others follow until so much was compared. */
const MOST_PLACES = 40;
const LEAST_SLOTS = 500;

let now = Temporal.Now.instant();
let maitred: TestApp;
let maker: FeedMaker;
before(async () => {
  maitred = await startTestApp({ config: { feedUrl: FEED_URL }, deps: { clock: () => now } });
  maker = makerOf(maitred);
  await addThirdPartner(maitred);
});
after(() => maitred.close());

const address = (id: string) => `/venues/${encodeURIComponent(id)}`;

/** Tokens are those of the moment, since each situation has another. */
async function callsAt(moment: Temporal.Instant) {
  now = moment;
  const tokens = new Map<string, string>();
  for (const { as } of PARTNERS) {
    const payload = {
      client_id: as,
      client_secret: `${as}-secret`,
      grant_type: 'client_credentials',
      audience: 'maitred',
    };
    const response = await maitred.app.inject({ method: 'POST', url: '/oauth/token', payload });
    tokens.set(as, response.json().access_token);
  }
  return async ({ as, headers }: (typeof PARTNERS)[number], path: string): Promise<Json> => {
    const authorization = `Bearer ${tokens.get(as)}`;
    const answer = await maitred.call(path, { as: null, headers: { ...headers, authorization } });
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    return answer.json;
  };
}

/** Which parties a day is asked about: a few of them, others on the next. */
const sizesOn = (index: number, sizes: readonly number[]) =>
  [0, 1, 2].map((more) => sizes[(index + more) % sizes.length] ?? 2);

type Alter = (shard: Json | undefined) => Json | undefined;

/** Reads every partner's feed as the partner would, and asks live availability about the same days and parties. */
async function compare(place: Place, sizes: readonly number[], alter: Alter = (shard) => shard) {
  const ask = await callsAt(place.now);
  const found: string[] = [];
  let slots = 0;
  for (const partner of PARTNERS) {
    const { products } = await ask(partner, address(place.venueId));
    for (const { compositeId: id, feedUrl } of products) {
      const { shards } = follow(maker.files, feedUrl);
      for (const [index, date] of place.days.entries())
        for (const partySize of sizesOn(index, sizes)) {
          const live = await ask(partner, `${address(id)}/availability?date=${date}&partySize=${partySize}`);
          const feed = offeredByFeed(alter(shards.get(date)), partySize);
          slots += feed.length;
          for (const each of differences(feed, offeredLive(live)))
            found.push(`${partner.as} ${id} ${date} ${partySize}: ${each}`);
        }
    }
  }
  return { found, slots };
}

const feedOf = (place: Place) => maker.make(place.venueId, { nowMs: place.now.epochMilliseconds });

test('for every partner the feed offers what live availability offers at the same moment, and nothing else', async (t) => {
  const seed = Math.trunc(Math.random() * 2 ** 31);
  t.diagnostic(`seed ${seed}`);
  let compared = 0;
  for (const [index, made] of fc.sample(situation, { seed, numRuns: MOST_PLACES }).entries()) {
    if (index >= PLACES && compared > LEAST_SLOTS) break;
    const place = await settle(maitred, made);
    await feedOf(place);
    const { found, slots } = await compare(place, [1, 2, 4, ...made.sizes]);
    assert.deepEqual(found.slice(0, 5), [], `venue ${index} of seed ${seed}`);
    compared += slots;
  }
  assert.ok(compared > LEAST_SLOTS, `only ${compared} slots were compared`);
});

/** Of the demo: rooms whose smallest party is above twenty, and a restaurant that seats fewer. */
const SIZES: Record<string, number[]> = {
  '4|house|canopy|private-hire': [...Array.from({ length: 20 }, (_, more) => 24 + more), 180],
  '5|house|brasserie-voltige|private-hire': [...Array.from({ length: 20 }, (_, more) => 40 + more), 260],
  '2|house|night-owl|booth': Array.from({ length: 10 }, (_, less) => less + 1),
};

test('a feed has the twenty smallest parties that the product sells and its largest, as they are offered live', async () => {
  const partner = PARTNERS[0] as (typeof PARTNERS)[number];
  for (const [id, sizes] of Object.entries(SIZES)) {
    const venueId = id.slice(0, id.lastIndexOf('|'));
    const moment = Temporal.Now.instant();
    await maker.make(venueId, { nowMs: moment.epochMilliseconds });
    const ask = await callsAt(moment);
    const { products } = await ask(partner, address(venueId));
    const { feedUrl } = products.find(({ compositeId }: Json) => compositeId === id);
    const { shards } = follow(maker.files, feedUrl);
    const found = new Set(
      [...shards.values()].flatMap(({ slots }) => slots.map(({ party_size }: Json) => party_size)),
    );
    assert.deepEqual(
      [...found].toSorted((a, b) => a - b),
      sizes,
      id,
    );
    for (const date of [...shards.keys()].slice(3, 5))
      for (const partySize of sizes) {
        const live = await ask(partner, `${address(id)}/availability?date=${date}&partySize=${partySize}`);
        const feed = offeredByFeed(shards.get(date), partySize);
        assert.deepEqual(differences(feed, offeredLive(live)), [], `${id} ${date} ${partySize}`);
        assert.ok(feed.length > 0, `${id} ${date} ${partySize}`);
      }
  }
});

/** Venues that are open, one after the other, until `work` has been done with so many. */
async function withOpenPlaces(count: number, work: (place: Place) => Promise<void>): Promise<void> {
  let worked = 0;
  for (const made of fc.sample(situation, { seed: 8, numRuns: 40 })) {
    const place = await settle(maitred, made);
    await feedOf(place);
    const { slots } = await compare({ ...place, days: place.days.slice(0, 4) }, [2]);
    if (slots === 0) continue;
    await work({ ...place, days: place.days.slice(0, 4) });
    worked += 1;
    if (worked === count) return;
  }
  assert.fail('there are too few places that are open');
}

const WRONG: Record<string, (slots: Json[]) => Json[]> = {
  'a slot is left out': (slots) => slots.slice(1),
  'a slot is made up': ([first, ...rest]) => [
    first,
    { ...first, date_time: '2030-01-01T00:00:00Z' },
    ...rest,
  ],
  'a slot is there twice': ([first, ...rest]) => [first, first, ...rest],
  'an enquiry is called a booking, or the reverse': (slots) =>
    slots.map((slot) => ({ ...slot, type: slot.type === 'book' ? 'request' : 'book' })),
  'the reason is another': (slots) => slots.map((slot) => ({ ...slot, request_reason: 'made_up' })),
  'the area is another': (slots) => slots.map((slot) => ({ ...slot, space_id: 1 })),
  'the stay is longer': (slots) => slots.map((slot) => ({ ...slot, duration_minutes: 1 })),
  'the deposit is another': (slots) =>
    slots.map((slot) => ({ ...slot, deposit: { amount: 0, currency_code: 'GBP', amount_per: 'guest' } })),
};

test('the comparison notices whatever a feed could get wrong', async () => {
  await withOpenPlaces(1, async (place) => {
    for (const [wrong, alter] of Object.entries(WRONG)) {
      const altered = (shard: Json | undefined) =>
        shard && { slots: alter(shard.slots.filter((slot: Json) => slot.party_size === 2)) };
      const { found } = await compare(place, [2], altered);
      assert.ok(found.length > 0, wrong);
    }
  });
});

test('the comparison notices a feed that is older than a booking rule', async () => {
  await withOpenPlaces(2, async (place) => {
    await storageOf(maitred).create(Number(place.venueId.split('|')[0]), {
      effect: 'party_size_limit',
      name: 'Nobody',
      params: { min: 1000 },
    });
    assert.ok((await compare(place, [2])).found.length > 0);
    await feedOf(place);
    assert.deepEqual((await compare(place, [2])).found, []);
  });
});
