/** Random venues put together, and written into the database. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { inTransaction, type Sql } from '../../../src/db/database.ts';
import { importOperator, mapVenue } from '../../../src/features/venues/service.ts';
import type { SpaceDocument, VenueDocument } from '../../../src/features/venues/transfer/document.ts';
import { parseProductId, venueOfProduct } from '../../../src/kernel/ids.ts';
import { dayAfter, instantAt, MINUTE_MS } from './naive-days.ts';
import type { Stay, World } from './naive-house.ts';
import * as random from './random-house.ts';

export const NOW = Temporal.Instant.from('2030-03-01T10:20:00Z');

export const KEYS = ['lunch', 'dinner'];
/** Ids are unique over all venues; every run takes the next ones. */
let lastId = 1_000_000;
const nextId = () => {
  lastId += 1;
  return lastId;
};

const place = random.zone.chain((zone) =>
  fc.record({ zone: fc.constant(zone), stayDay: random.dayIn(zone) }),
);
export const scenario = place.chain(({ zone, stayDay }) =>
  fc.record({
    zone: fc.constant(zone),
    layout: random.layout,
    combinationBounds: random.combinationBounds,
    products: fc.tuple(
      fc.record({
        catalogue: random.catalogueProduct(zone),
        house: random.houseProduct,
        hasSpaces: fc.boolean(),
      }),
      fc.record({
        catalogue: random.catalogueProduct(zone),
        house: random.houseProduct,
        hasSpaces: fc.boolean(),
      }),
    ),
    policies: fc.tuple(random.policies, random.policies, random.policies),
    rules: fc.array(random.rule(zone), { maxLength: 2 }),
    channel: random.channel,
    isChosen: fc.boolean(),
    stays: fc.array(random.stayRequest, { maxLength: 25 }),
    later: fc.array(random.stayRequest, { maxLength: 4 }),
    stayDay: fc.constant(stayDay),
    questions: fc.array(random.question(fc.oneof(fc.constant(stayDay), random.dayIn(zone))), {
      minLength: 6,
      maxLength: 10,
    }),
  }),
);
export type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

export function worldOf({
  zone,
  layout,
  combinationBounds,
  products,
  policies,
  rules,
  channel,
  isChosen,
}: Scenario): World {
  const zones = layout.map((tables) => ({
    id: nextId(),
    name: 'Zone',
    areas: [
      {
        id: nextId(),
        name: 'Area',
        tables: tables.map(({ minCovers, more }) => ({
          id: nextId(),
          name: 'T',
          minCovers,
          maxCovers: minCovers + more,
        })),
      },
    ],
  }));
  const combinations = zones.flatMap(({ areas }) => {
    const tableIds = areas.flatMap(({ tables }) => tables.map(({ id }) => id)).slice(0, 2);
    return tableIds.length < 2 ? [] : [{ tableIds, ...combinationBounds }];
  });
  const spaces: SpaceDocument[] = zones.map((_, index) => ({
    id: nextId(),
    name: `Space ${index}`,
    facilities: [],
    capacities: {},
    policies: policies[index] ?? policies[0],
  }));
  const placed = rules.flatMap(({ space, ...rule }) => {
    if (space === undefined) return [rule];
    const spaceId = spaces[space]?.id;
    return spaceId === undefined ? [] : [{ ...rule, spaceId }];
  });
  const venue: VenueDocument = {
    tms: 'house',
    resourceId: 'random',
    name: 'Random',
    timeZone: zone,
    content: { summary: '', description: '', highlights: [] },
    location: { lat: 0, lng: 0, area: 'A', city: 'C', countryCode: 'GB' },
    types: [],
    photos: [],
    hours: { weekly: [] },
    spaces,
    availabilityRules: placed.slice(0, 1),
    products: products.map(({ catalogue, hasSpaces }, index) => ({
      key: KEYS[index] ?? '',
      name: 'Product',
      ...catalogue,
      ...(hasSpaces && { spaceIds: spaces.map(({ id }) => id) }),
      availabilityRules: index === 0 ? placed.slice(1) : [],
    })),
    house: {
      zones,
      combinations,
      spaceZones: spaces.map(({ id }, index) => ({ spaceId: id, zoneId: zones[index]?.id ?? 0 })),
      products: products.map(({ house }, index) => ({ key: KEYS[index] ?? '', ...house })),
    },
  };
  return { venue, stays: [], channel, isChosen, nowMs: NOW.epochMilliseconds };
}

/** The stays that can be taken beside those that are: of two that meet at a table only the first. */
export function staysOf(
  requested: Scenario['stays'],
  { stayDay }: Scenario,
  { venue, stays }: World,
): Stay[] {
  const tables = (venue.house?.zones ?? []).flatMap(({ areas }) =>
    areas.flatMap((area) => area.tables.map(({ id }) => id)),
  );
  const combinations = venue.house?.combinations ?? [];
  const taken = [...stays];
  const added: Stay[] = [];
  for (const { table, isJoined, day, quarterHour, minutes, guests, product } of requested) {
    const joined = combinations[table % Math.max(combinations.length, 1)];
    const single = tables[table % Math.max(tables.length, 1)];
    if (single === undefined) continue;
    const startMs = instantAt(venue.timeZone, dayAfter(stayDay, day - 1), quarterHour * 15);
    if (startMs === undefined) continue;
    const stay = {
      tableIds: isJoined && joined ? joined.tableIds : [single],
      startMs,
      minutes,
      guests,
      product: KEYS[product] ?? '',
    };
    const meets = (other: Stay) =>
      other.startMs < startMs + minutes * MINUTE_MS &&
      startMs < other.startMs + other.minutes * MINUTE_MS &&
      other.tableIds.some((id) => stay.tableIds.includes(id));
    if (taken.some(meets)) continue;
    taken.push(stay);
    added.push(stay);
  }
  return added;
}

export async function storeWorld(sql: Sql, world: World): Promise<number> {
  const id = nextId();
  const venueId = venueOfProduct(parseProductId(`${id}|house|random|lunch`));
  await inTransaction(sql, async (tx) => {
    await importOperator(tx, {
      id,
      name: `Operator ${id}`,
      systems: ['house'],
      partnerCategories: [
        {
          id: nextId(),
          slug: 'chosen',
          name: 'Chosen',
          partners: [world.isChosen ? 'demo-partner' : 'other-partner'],
        },
      ],
      venues: [world.venue],
    });
    const productIds = KEYS.map((key) => parseProductId(`${venueId}|${key}`));
    await mapVenue(tx, { partnerId: 1, venueId, productIds, ...world.channel });
  });
  return id;
}

export async function addStays(sql: Sql, operatorId: number, stays: Stay[]): Promise<void> {
  const venueId = `${operatorId}|house|random`;
  await inTransaction(sql, async (tx) => {
    for (const { tableIds, startMs, minutes, guests, product } of stays) {
      const id = randomUUID();
      const from = new Date(startMs).toISOString();
      const to = new Date(startMs + minutes * MINUTE_MS).toISOString();
      await tx`insert into house_reservation (id, reference, product_id, venue_id, trading_day, starts_at, duration_minutes, guests)
        values (${id}, ${id}, ${`${venueId}|${product}`}, ${venueId}, ${from.slice(0, 10)}, ${from}, ${minutes}, ${guests})`;
      for (const tableId of tableIds)
        await tx`insert into house_allocation (reservation_id, table_id, venue_id, during)
          values (${id}, ${tableId}, ${venueId}, tstzrange(${from}, ${to}))`;
    }
  });
}
