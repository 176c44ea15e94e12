import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { demoOperators } from '../../src/demo/operators.ts';
import type { VenueDocument } from '../../src/features/venues/transfer/document.ts';

const today = Temporal.PlainDate.from('2026-03-14');
const venuesOn = (day: Temporal.PlainDate) => demoOperators(day).flatMap(({ venues }) => venues);
const venues = venuesOn(today);

const houses = venues.flatMap((venue) => (venue.house ? [{ venue, house: venue.house }] : []));
type House = (typeof houses)[number]['house'];

const areasOf = (house: House) => house.zones.flatMap(({ areas }) => areas);
const tablesOf = (house: House) => areasOf(house).flatMap(({ tables }) => tables);

function find(resourceId: string): VenueDocument {
  const venue = venues.find((candidate) => candidate.resourceId === resourceId);
  assert.ok(venue, resourceId);
  return venue;
}

function productOf(resourceId: string, key: string) {
  const product = find(resourceId).house?.products.find((candidate) => candidate.key === key);
  assert.ok(product, `${resourceId}|${key}`);
  return product;
}

/** Whom the tables and combinations of some zones can seat, as pairs of least and most covers. */
function unitsIn(house: House, zoneIds: readonly number[]): [min: number, max: number][] {
  const tables = house.zones
    .filter(({ id }) => zoneIds.includes(id))
    .flatMap(({ areas }) => areas.flatMap((area) => area.tables));
  const joined = (house.combinations ?? []).flatMap(({ tableIds }) => {
    const parts = tables.filter(({ id }) => tableIds.includes(id)).map(({ maxCovers }) => maxCovers);
    return parts.length === tableIds.length ? [parts] : [];
  });
  return [
    ...tables.map(({ minCovers = 1, maxCovers }): [number, number] => [minCovers, maxCovers]),
    ...joined.map((parts): [number, number] => [Math.max(...parts) + 1, parts.reduce((a, b) => a + b, 0)]),
  ];
}

function zonesOf({ venue, house }: (typeof houses)[number], key: string): number[] {
  const spaceIds = venue.products.find((product) => product.key === key)?.spaceIds ?? [];
  const ofSpaces = (house.spaceZones ?? []).filter(({ spaceId }) => spaceIds.includes(spaceId));
  if (spaceIds.length > 0) return ofSpaces.map(({ zoneId }) => zoneId);
  return house.products.find((product) => product.key === key)?.zoneIds ?? house.zones.map(({ id }) => id);
}

test('every venue has what its system needs, for each of its products', () => {
  for (const { resourceId, tms, products, house, tickets } of venues) {
    assert.equal(house !== undefined, tms === 'house', resourceId);
    assert.equal(tickets !== undefined, tms === 'tickets', resourceId);
    const configured = house?.products ?? tickets?.ticketTypes ?? [];
    assert.deepEqual(
      configured.map(({ key }) => key),
      products.map(({ key }) => key),
      resourceId,
    );
  }
});

test('zones, areas and tables are numbered once in all the demo', () => {
  const unique = (ids: number[]) => assert.equal(new Set(ids).size, ids.length);
  unique(houses.flatMap(({ house }) => house.zones.map(({ id }) => id)));
  unique(houses.flatMap(({ house }) => areasOf(house).map(({ id }) => id)));
  unique(houses.flatMap(({ house }) => tablesOf(house).map(({ id }) => id)));
  assert.equal(find('soho-grill').house?.zones[0]?.id, 1011);
  assert.equal(find('soho-grill').house?.zones[0]?.areas[0]?.tables[0]?.id, 10101);
});

test('tables of a venue have names of their own, and only tables of one area are joined', () => {
  for (const { venue, house } of houses) {
    const names = tablesOf(house).map(({ name }) => name);
    assert.equal(new Set(names).size, names.length, venue.resourceId);
    for (const { tableIds } of house.combinations ?? []) {
      assert.ok(tableIds.length >= 2, `${venue.resourceId} joins a table that it does not have`);
      const area = areasOf(house).find(({ tables }) => tables.some(({ id }) => id === tableIds[0]));
      assert.ok(tableIds.every((id) => area?.tables.some((table) => table.id === id)));
    }
  }
});

test('every space that a product sells has a zone with a table in it, which no other product uses', () => {
  for (const entry of houses) {
    for (const { key, spaceIds = [] } of entry.venue.products.filter(({ spaceIds: ids }) => ids?.length)) {
      const zoneIds = zonesOf(entry, key);
      assert.equal(zoneIds.length, spaceIds.length, entry.venue.resourceId);
      for (const zoneId of zoneIds) assert.ok(unitsIn(entry.house, [zoneId]).length > 0);
      for (const other of entry.house.products.filter((product) => product.key !== key)) {
        assert.ok(new Set(zonesOf(entry, other.key)).isDisjointFrom(new Set(zoneIds)));
      }
    }
  }
});

test('every party that may ask can be seated somewhere', () => {
  for (const entry of houses) {
    for (const { key, ...stated } of entry.house.products) {
      const units = unitsIn(entry.house, zonesOf(entry, key));
      const { minGuests = Math.min(...units.map(([min]) => min)) } = stated;
      const { maxGuests = Math.max(...units.map(([, max]) => max)) } = stated;
      assert.ok(maxGuests >= minGuests);
      for (let guests = minGuests; guests <= maxGuests; guests += 1) {
        const fits = units.some(([min, max]) => min <= guests && guests <= max);
        assert.ok(fits, `${entry.venue.resourceId}|${key} for ${guests}`);
      }
    }
  }
});

test('the usual stay is one that can be asked for, and ends before the shortest day does', () => {
  for (const { venue, house } of houses) {
    for (const { key, turnTimes = [], duration } of house.products) {
      if (!duration) continue;
      for (const { minutes } of turnTimes) {
        assert.ok(minutes >= duration.minMinutes && minutes <= duration.maxMinutes, venue.resourceId);
        assert.equal((minutes - duration.minMinutes) % duration.stepMinutes, 0, `${venue.resourceId}|${key}`);
      }
      assert.deepEqual(
        turnTimes.map(({ upTo }) => upTo),
        turnTimes.map(({ upTo }) => upTo).toSorted((a, b) => a - b),
      );
    }
  }
});

test('dinner at Soho Grill is instant for up to eight and open to enquiries up to twenty', () => {
  const dinner = productOf('soho-grill', 'dinner');
  assert.equal(find('soho-grill').products[0]?.timeIntervalMinutes, 15);
  assert.equal(dinner.instantLimit, 8);
  assert.equal(dinner.maxGuests, 20);
  assert.equal(dinner.takesEnquiries, true);
  assert.equal(dinner.noticeMinutes, 60);
  assert.equal(dinner.horizonDays, 180);
  assert.equal(dinner.isRequestOnly ?? false, false);
  assert.deepEqual(
    dinner.turnTimes?.map(({ minutes }) => minutes),
    [90, 105, 120, 150],
  );
});

test('private dining is by enquiry only', () => {
  const { isRequestOnly, takesEnquiries } = productOf('soho-grill', 'private-dining');
  assert.deepEqual([isRequestOnly, takesEnquiries], [true, true]);
});

test('a booth at Night Owl can start after midnight', () => {
  const { turnTimes } = productOf('night-owl', 'booth');
  const closes = 27 * 60;
  assert.ok(closes - (turnTimes?.[0]?.minutes ?? closes) > 24 * 60);
});

test('the jazz night is on sale for exactly the evenings that its hours list', () => {
  const anyDay = fc
    .integer({ min: 0, max: 4000 })
    .map((days) => Temporal.PlainDate.from('2024-01-01').add({ days }));
  fc.assert(
    fc.property(anyDay, (day) => {
      const event = venuesOn(day).find(({ resourceId }) => resourceId === 'jazz-night');
      assert.ok(event?.tickets);
      const listed = (event.hours.exceptions ?? []).map(({ date, periods }) => ({ date, periods }));
      const sold = event.tickets.occurrences.map(({ date, startsMinute, durationMinutes }) => {
        assert.equal(startsMinute % 60, 0);
        const hour = startsMinute / 60;
        return { date, periods: [{ opens: `${hour}:00`, closes: `${hour + durationMinutes / 60}:00` }] };
      });
      assert.deepEqual(sold, listed);
    }),
    { numRuns: 20 },
  );
});

test('eighty standard tickets and twelve for the stage, until two hours before', () => {
  assert.deepEqual(
    find('jazz-night').tickets?.ticketTypes.map((type) => [
      type.key,
      type.capacity,
      type.maxPerBooking,
      type.salesCloseMinutesBefore,
    ]),
    [
      ['standard', 80, 8, 120],
      ['vip', 12, 4, 120],
    ],
  );
});

/** The corners of the rectangle around a table, as it stands after it was turned. */
function boundsOf({ name, x, y, width, height, rotation }: ReturnType<typeof tablesOf>[number]) {
  assert.ok(x != null && y != null && width != null && height != null && rotation != null, name);
  const angle = (rotation * Math.PI) / 180;
  const [across, down] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const [halfWidth, halfHeight] = [
    (width * across + height * down) / 2,
    (width * down + height * across) / 2,
  ];
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  return {
    left: middleX - halfWidth,
    right: middleX + halfWidth,
    top: middleY - halfHeight,
    bottom: middleY + halfHeight,
  };
}

test('the floor plan of Soho Grill has every table, and no two of them in one place', () => {
  const { house } = find('soho-grill');
  assert.ok(house);
  const tables = tablesOf(house);
  const placed = tables.map((table) => ({ table, bounds: boundsOf(table) }));
  for (const { table, bounds } of placed) {
    assert.ok(bounds.left >= 0 && bounds.top >= 0, table.name);
    for (const other of placed.filter((each) => each.table.id > table.id)) {
      const isApart =
        bounds.right <= other.bounds.left ||
        other.bounds.right <= bounds.left ||
        bounds.bottom <= other.bounds.top ||
        other.bounds.bottom <= bounds.top;
      assert.ok(isApart, `${table.name} and ${other.table.name}`);
    }
  }
  assert.deepEqual(new Set(tables.map(({ shape }) => shape)), new Set(['rectangle', 'round']));
});

test('tables of Soho Grill that can be joined stand side by side', () => {
  const { house } = find('soho-grill');
  assert.ok(house);
  const tables = new Map(tablesOf(house).map((table) => [table.id, table]));
  for (const { tableIds } of house.combinations ?? []) {
    for (const [index, id] of tableIds.slice(1).entries()) {
      const [left, right] = [tables.get(tableIds[index] ?? 0), tables.get(id)];
      assert.ok(left && right);
      assert.equal(boundsOf(left).top, boundsOf(right).top);
      assert.ok(boundsOf(right).left - boundsOf(left).right <= 60, `${left.name} and ${right.name}`);
    }
  }
});
