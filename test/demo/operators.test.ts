import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { demoMappings } from '../../src/demo/access.ts';
import { demoOperators } from '../../src/demo/operators.ts';
import { categories, venueTypes } from '../../src/demo/seed.ts';
import type { VenueDocument } from '../../src/features/venues/transfer/document.ts';
import { isProductId, venueIdOf } from '../../src/kernel/ids.ts';

const today = Temporal.PlainDate.from('2026-03-14');
const operators = demoOperators(today);
const venues = operators.flatMap((operator) => operator.venues.map((venue) => ({ operator, venue })));

function byName(names: Iterable<string>): string[] {
  return [...new Set(names)].sort();
}

function find(resourceId: string): VenueDocument {
  const found = venues.find(({ venue }) => venue.resourceId === resourceId);
  assert.ok(found, resourceId);
  return found.venue;
}

/** South, west, north and east of each city. */
const CITY_BOUNDS: Record<string, [number, number, number, number]> = {
  London: [51.38, -0.36, 51.62, 0.1],
  Manchester: [53.4, -2.32, 53.54, -2.15],
  Edinburgh: [55.9, -3.33, 55.99, -3.1],
  Bristol: [51.4, -2.68, 51.5, -2.51],
  Paris: [48.815, 2.224, 48.902, 2.47],
  Berlin: [52.338, 13.088, 52.676, 13.761],
  'New York': [40.68, -74.03, 40.88, -73.9],
};

test('every venue lies in the city it names', () => {
  for (const { location, name } of venues.map(({ venue }) => venue)) {
    const bounds = CITY_BOUNDS[location.city];
    assert.ok(bounds, `${location.city} has no bounds`);
    const [south, west, north, east] = bounds;
    assert.ok(location.lat > south && location.lat < north, `${name} is off by latitude`);
    assert.ok(location.lng > west && location.lng < east, `${name} is off by longitude`);
  }
});

test('no two venues share a place, except an event and its host', () => {
  const places = Map.groupBy(venues, ({ venue }) => `${venue.location.lat}, ${venue.location.lng}`);
  const shared = [...places.values()].filter((at) => at.length > 1);
  assert.deepEqual(
    shared.map((at) => at.map(({ venue }) => venue.resourceId)),
    [['blue-note', 'jazz-night']],
  );
});

test('names, ids and photos are never used twice', () => {
  const unique = (values: string[]) => assert.equal(new Set(values).size, values.length);
  unique(venues.map(({ venue }) => venue.name));
  unique(venues.map(({ operator, venue }) => venueIdOf({ ...venue, operatorId: operator.id })));
  unique(venues.flatMap(({ venue }) => venue.photos.map((photo) => photo.url)));
});

test('every product of every mapping has a composite id', () => {
  const mappings = demoMappings(operators);
  assert.ok(mappings.every(({ productIds }) => productIds.length > 0 && productIds.every(isProductId)));
});

test('every word is in the vocabulary and every word of it is used', () => {
  const products = venues.flatMap(({ venue }) => venue.products);
  assert.deepEqual(
    byName(venues.flatMap(({ venue }) => venue.types)),
    byName(venueTypes.map(({ slug }) => slug)),
  );
  assert.deepEqual(
    byName(products.map(({ category }) => category ?? 'none')),
    byName(categories.map(({ slug }) => slug)),
  );
});

test('products refer only to spaces, packages and menus of their own venue', () => {
  for (const { venue } of venues) {
    const own = (entries: { id: number }[] = []) => new Set(entries.map(({ id }) => id));
    const within = (ids: number[] = [], all: Set<number>) => new Set(ids).isSubsetOf(all);
    for (const product of venue.products) {
      assert.ok(within(product.spaceIds, own(venue.spaces)), venue.name);
      assert.ok(within(product.packageIds, own(venue.packages)), venue.name);
      assert.ok(within(product.menuIds, own(venue.menus)), venue.name);
    }
  }
});

test('ids stay in the hundred of their operator, and items in the hundred of their menu', () => {
  for (const part of ['spaces', 'packages', 'menus'] as const) {
    const owned = venues.flatMap(({ operator, venue }) =>
      (venue[part] ?? []).map(({ id }) => ({ id, operatorId: operator.id })),
    );
    assert.ok(owned.length > 0);
    for (const { id, operatorId } of owned) assert.equal(Math.floor(id / 100), operatorId, `${part} ${id}`);
    assert.equal(new Set(owned.map(({ id }) => id)).size, owned.length, `${part} repeat an id`);
  }
  for (const menu of venues.flatMap(({ venue }) => venue.menus ?? [])) {
    assert.deepEqual(
      menu.items.map(({ id }) => id),
      menu.items.map((_, index) => menu.id * 100 + index + 1),
    );
  }
});

test('the zones are London, New York and two more', () => {
  assert.deepEqual(byName(venues.map(({ venue }) => venue.timeZone)), [
    'America/New_York',
    'Europe/Berlin',
    'Europe/London',
    'Europe/Paris',
  ]);
});

test('brunch at The Garden Room asks for a package, dishes and a deposit for each guest', () => {
  const venue = find('garden-room');
  const [brunch] = venue.products;
  assert.equal(brunch?.preOrderRequiredType, 'packageAndMenu');
  assert.deepEqual(
    brunch.paymentRules?.map(({ per }) => per),
    ['guest'],
  );
  const items = (venue.menus ?? []).flatMap((menu) => menu.items);
  assert.deepEqual(byName(items.map(({ type }) => type)), ['dessert', 'drink', 'main', 'starter']);
  assert.ok(
    items.some(({ options = [] }) => options.some(({ values }) => values.some((v) => v.pricePence > 0))),
  );
  assert.ok(items.some(({ dietTypes }) => dietTypes.includes('vegan')));
  assert.ok(items.some(({ allergens }) => allergens.length > 2));
});

test('a demo written twice on the same day is the same', () => {
  const day = fc
    .integer({ min: 0, max: 3000 })
    .map((days) => Temporal.PlainDate.from('2024-01-01').add({ days }));
  fc.assert(
    fc.property(day, (date) => assert.deepEqual(demoOperators(date), demoOperators(date))),
    { numRuns: 10 },
  );
});
