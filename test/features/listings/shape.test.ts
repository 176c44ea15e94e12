import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { importOperator } from '../../../src/features/venues/service.ts';
import { DINNER, jazzDay, STANDARD, VIP } from '../bookings/support.ts';
import { BLUE_NOTE, JAZZ_NIGHT, listedIn, listingsApp, plainVenue } from './support.ts';

const { app, groups, items } = listingsApp({}, async ({ sql }) => {
  const foreign = plainVenue('foreign', { tms: 'unheard-of' });
  const hours = { weekly: [] };
  const late = plainVenue('late-show', {
    tms: 'tickets',
    products: [{ key: 'seat', name: 'Seat', timeIntervalMinutes: 60, hours }],
  });
  await inTransaction(sql, (tx) =>
    importOperator(tx, { id: 900, name: 'Plain', systems: ['tickets'], venues: [late, foreign] }),
  );
});

const find = async (id: string, as?: string) => {
  const found = (await items('', as))
    .flatMap(({ capabilities }) => capabilities)
    .find((each) => each.id === id);
  assert.ok(found, `${id} is listed`);
  return found;
};

test('operators are groups, venues are items, and each listing has one capability', async () => {
  const [first] = await groups();
  assert.equal(first?.groupName, 'Lamp & Larder');
  const [closedCafe, ...others] = first?.items ?? [];
  assert.equal(closedCafe?.capabilities[0]?.reservable, false);
  assert.deepEqual(others.flatMap(listedIn), ['1|house|garden-room', '1|house|soho-grill']);
  const grill = others.find(({ name }) => name === 'Soho Grill');
  assert.equal(grill?.location.area, 'Soho');
  assert.deepEqual(
    grill?.capabilities.map(({ capability }) => capability),
    ['table_reservation'],
  );
});

test('a listing says of a venue what the venue itself says', async () => {
  const listing = await find('1|house|soho-grill');
  const venue = (await app().call('/venues/1|house|soho-grill')).json;
  for (const name of [
    'id',
    'name',
    'content',
    'timeZone',
    'reservable',
    'website',
    'types',
    'photos',
    'preorders',
  ] as const) {
    assert.deepEqual(listing[name], venue[name], name);
  }
  assert.equal(listing.phoneNumber, venue.phone_number);
  assert.deepEqual(
    listing.bookableProducts.map(({ compositeId, spaces, paymentRules }) => ({
      compositeId,
      spaces,
      paymentRules,
    })),
    venue.products.map(({ compositeId, spaces, paymentRules }: (typeof venue.products)[number]) => ({
      compositeId,
      spaces,
      paymentRules,
    })),
  );
});

test('an event stands in the item of its host, after the tables of the house, with its own photos', async () => {
  const item = (await items()).find(({ name }) => name === 'The Blue Note Rooms');
  assert.deepEqual(item && listedIn(item), [BLUE_NOTE, JAZZ_NIGHT]);
  const [house, night] = item?.capabilities ?? [];
  assert.equal(night?.capability, 'event_ticket');
  assert.equal(night?.name, 'Jazz Night at the Blue Note Rooms');
  assert.notDeepEqual(night?.photos, house?.photos);
});

test('tickets have a price and quantities, and nothing that only tables have', async () => {
  const [standard, vip] = (await find(JAZZ_NIGHT)).bookableProducts;
  assert.deepEqual(standard, {
    compositeId: STANDARD,
    name: 'Standard ticket',
    slug: 'standard',
    category: standard?.category,
    timeInterval: null,
    preOrderRequiredType: 'none',
    depositRequired: false,
    paymentRules: [],
    spaces: null,
    price: 2400,
    currency: 'GBP',
    minQuantity: 1,
    maxQuantity: 8,
  });
  assert.equal(standard?.category?.slug, 'tickets');
  assert.equal(vip?.compositeId, VIP);
  assert.equal(vip?.maxQuantity, 4);
});

test('tables have an interval and party sizes, and no price', async () => {
  const dinner = (await find('1|house|soho-grill')).bookableProducts.find(
    ({ compositeId }) => compositeId === DINNER,
  );
  assert.equal(dinner?.timeInterval, 15);
  assert.equal(dinner?.price, null);
  assert.equal(dinner?.currency, null);
  assert.ok(dinner?.spaces);
  assert.ok(Number(dinner?.minQuantity) >= 1 && Number(dinner?.maxQuantity) > Number(dinner?.minQuantity));
});

test('the channel of a partner lowers the largest party', async () => {
  const before = (await find('2|house|night-owl')).bookableProducts[0];
  assert.ok(Number(before?.maxQuantity) > 3);
  await app().sql`update venue_mapping set max_party_size = 3 where venue_id = '2|house|night-owl'`;
  // The query has an address of its own, so that it is not answered from what was kept a moment ago.
  const [item] = await items('?venueName=night%20owl');
  assert.equal(item?.capabilities[0]?.bookableProducts[0]?.maxQuantity, 3);
});

test('occurrences carry their act, and a day that is not in the week of the house is a rule of its own', async () => {
  const night = await find(JAZZ_NIGHT);
  assert.ok(night.availabilityOccurrence.length > 20);
  for (const { kind, compositeId, startDate, endDate, weekdays } of night.availabilityOccurrence) {
    assert.deepEqual(
      { kind, compositeId, weekdays },
      { kind: 'occurrence', compositeId: null, weekdays: null },
    );
    assert.equal(startDate, endDate);
  }
  const coming = night.availabilityOccurrence.find(({ startDate }) => startDate === jazzDay());
  assert.equal(coming?.startTime, '20:00');
  assert.equal(coming?.endTime, '23:00');
  assert.ok(coming?.reason);
});

test('a system that nobody answers to sells tables of which nothing more is known', async () => {
  const listing = await find('900|unheard-of|foreign', 'demo-admin');
  assert.equal(listing.capability, 'table_reservation');
  const [table] = listing.bookableProducts;
  assert.deepEqual([table?.price, table?.minQuantity, table?.maxQuantity], [null, null, null]);
});

test('an event without a host is an item by itself', async () => {
  const item = (await items('', 'demo-admin')).find(({ name }) => name === 'late-show');
  assert.deepEqual(item && listedIn(item), ['900|tickets|late-show']);
  assert.equal(item?.location.city, 'Plainville');
});

test('the id of a listing is refused where a compositeId belongs, and the other way round', async () => {
  const id = encodeURIComponent(JAZZ_NIGHT);
  const availability = await app().call(`/venues/${id}/availability?partySize=2&date=${jazzDay()}`);
  assert.equal(availability.status, 400);
  assert.match(availability.text, /venue or listing, with three segments/);
  const venue = await app().call(`/venues/${encodeURIComponent(STANDARD)}`);
  assert.equal(venue.status, 400);
  assert.match(venue.text, /ticket type, with four segments/);
});
