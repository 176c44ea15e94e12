/** Sizes and zones that a product does not state are those of the layout, whenever somebody asks. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type SecondNode, startSecondNode } from '../../abuse/support/second-node.ts';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { type Body, book, booked, freeDay } from '../bookings/support.ts';
import { FEED_URL, follow, makerOf } from '../feed/support.ts';
import { at, done, layTables, newProduct, openVenue, productChange, read } from '../venues/keeping.ts';

let maitred: TestApp;
let second: SecondNode;
let venueId: string;
let productId: string;
before(async () => {
  maitred = await startTestApp({ config: { feedUrl: FEED_URL } });
  second = await startSecondNode(maitred);
  venueId = (await openVenue(maitred, 'sizes')).id;
  await layTables(maitred, venueId);
  productId = (await done(maitred, 'POST', at(venueId, '/products'), newProduct('supper'))).compositeId;
  await done(maitred, 'PUT', `/manage/partners/1/mappings/${encodeURIComponent(venueId)}`, {
    productKeys: ['supper'],
    maxPartySize: null,
    isRequestOnly: false,
    company: { mode: 'none', names: [] },
  });
});
after(async () => {
  await second.close();
  await maitred.close();
});

const product = () => read(maitred, at(venueId, '/products/supper'));
const path = () => `/venues/${encodeURIComponent(productId)}`;
const date = freeDay();

/** How many starts each node has for a party. */
async function starts(partySize: number): Promise<number[]> {
  const url = `${path()}/availability?date=${date}&partySize=${partySize}`;
  const authorization = `Bearer ${await maitred.token('demo-partner')}`;
  const there = await second.app.inject({ url, headers: { authorization } });
  return [(await maitred.call(url)).json.times.length, there.json().times.length];
}

const isOffered = async (partySize: number) => (await starts(partySize)).every((count) => count > 0);
const isRefused = async (partySize: number) => (await starts(partySize)).every((count) => count === 0);

async function listed(): Promise<Body> {
  const { json } = await maitred.call('/v1/listings?venueName=lantern');
  return json.listings[0].items[0].capabilities[0].bookableProducts[0];
}

test('what a product leaves open is shown as open, with what it comes to beside it', async () => {
  const { house, effective } = await product();
  assert.deepEqual([house.zoneIds, house.minGuests, house.maxGuests], [null, null, null]);
  const [zone] = (await read(maitred, at(venueId, '/layout'))).zones;
  assert.deepEqual(effective, { zoneIds: [zone.id], minGuests: 1, maxGuests: 6 });
});

test('a table in a new zone is sold at once, on every node, in listings and in the feed', async () => {
  assert.ok(await isRefused(9));
  assert.equal((await listed()).maxQuantity, 6);
  const maker = makerOf(maitred);
  await maker.make(venueId);
  const zone = await done(maitred, 'POST', at(venueId, '/zones'), { name: 'Garden' });
  const area = await done(maitred, 'POST', at(venueId, '/areas'), { zoneId: zone.id, name: 'Lawn' });
  const table = { areaId: area.id, name: 'L1', minCovers: 5, maxCovers: 9 };
  const { id } = await done(maitred, 'POST', at(venueId, '/tables'), table);

  assert.ok(await isOffered(9));
  await booked(maitred, { date, time: '19:00', partySize: 9 }, { productId });
  const { zoneIds, maxGuests } = (await product()).effective;
  assert.deepEqual([zoneIds.at(-1), maxGuests], [zone.id, 9]);
  await eventually(async () => (await listed()).maxQuantity === 9);
  await maker.make(venueId);
  const { feedUrl } = (await maitred.call(`/venues/${encodeURIComponent(venueId)}`)).json.products[0];
  const { slots } = follow(maker.files, feedUrl).shards.get(date);
  assert.ok(slots.some((slot: Body) => slot.party_size === 9));

  await done(maitred, 'PUT', at(venueId, `/tables/${id}`), { ...table, isActive: false });
  assert.ok(await isRefused(9));
  assert.equal((await product()).effective.maxGuests, 6);
  await done(maitred, 'PUT', at(venueId, `/tables/${id}`), table);
});

test('what a product states stays, whatever the layout becomes', async () => {
  const open = await product();
  const [zone] = (await read(maitred, at(venueId, '/layout'))).zones;
  const house = { ...open.house, zoneIds: [zone.id], maxGuests: 4 };
  const stated = await done(maitred, 'PUT', at(venueId, '/products/supper'), {
    ...productChange(open),
    house,
  });
  assert.deepEqual(stated.effective, { zoneIds: [zone.id], minGuests: 1, maxGuests: 4 });
  assert.ok(await isRefused(6));
  assertProblem(
    await book(maitred, { date, time: '18:00', partySize: 6 }, { productId }),
    409,
    'AVAIL-N-005',
  );
  await done(maitred, 'PUT', at(venueId, '/products/supper'), {
    ...productChange(stated),
    house: open.house,
  });
  assert.deepEqual(await product(), open);
});

test('what follows from the layout is sent back as it is, and not set', async () => {
  const open = await product();
  const { effective } = open;
  const answer = await maitred.call(at(venueId, '/products/supper'), {
    method: 'PUT',
    as: 'demo-admin',
    body: { ...productChange(open), effective: { ...effective, maxGuests: 99 } },
  });
  assert.deepEqual(Object.keys(assertProblem(answer, 400, 'VALID-N-001').errors), ['effective']);
  assert.deepEqual(await product(), open);
});

test('a product without tables can be kept, and sells nothing until there are some', async () => {
  const { id } = await openVenue(maitred, 'bare');
  const made = await done(
    maitred,
    'POST',
    at(id, '/products'),
    newProduct('feast', { house: { minGuests: 4 } }),
  );
  assert.deepEqual(made.effective, { zoneIds: [], minGuests: 4, maxGuests: 1 });
  await layTables(maitred, id);
  const { effective } = await read(maitred, at(id, '/products/feast'));
  assert.deepEqual([effective.minGuests, effective.maxGuests], [4, 6]);
});
