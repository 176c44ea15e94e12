/** What venues and products of the house say of themselves in documents. */
import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import { type Layout, placeOf } from '../layout.ts';
import { areas, combinations, type Kind, tables, zones } from '../layout-parts.ts';
import type { FaultSink, NumberedPart, PartCheck, Renumbered, SystemCatalogue } from '../local-system.ts';
import {
  exportHouses,
  importHouse,
  listHouseProducts,
  listZoneIds,
  saveHouseProduct,
} from './catalogue-store.ts';
import {
  DEFAULT_DURATION,
  DEFAULT_TURN_TIMES,
  type HouseDocument,
  type HouseProductDocument,
} from './document.ts';

export const catalogue: SystemCatalogue = {
  checkProduct: async (tx: Tx, venueId: VenueId, product: HouseProductDocument) =>
    assertProduct(product, await listZoneIds(tx, venueId)),
  saveProduct: saveHouseProduct,

  async listProducts(tx, venueId, productId) {
    const products = await listHouseProducts(tx, venueId, productId);
    return new Map([...products].map(([id, { house, seating }]) => [id, { house, effective: seating }]));
  },

  importVenue: importHouse,
  exportVenues: exportHouses,
  checkVenue,
  productsIn: ({ products }: HouseDocument) => ({ list: 'products', entries: products }),
  numbered: { zones: 'house_zone', areas: 'house_area', tables: 'house_table' },
  numbersIn,
  renumber,

  count(part: HouseDocument) {
    const areasBelow = part.zones.flatMap((zone) => zone.areas);
    const tablesBelow = areasBelow.flatMap((area) => area.tables);
    return { zones: part.zones.length, areas: areasBelow.length, tables: tablesBelow.length };
  },
};

/** Sizes that follow from the layout are not held against those that are stated: the layout may change first. */
function assertProduct(product: HouseProductDocument, ownZoneIds: readonly number[]): void {
  const { minGuests = 1, maxGuests = minGuests, zoneIds = [] } = product;
  const { duration = DEFAULT_DURATION, turnTimes = DEFAULT_TURN_TIMES } = product;
  const { minMinutes, maxMinutes } = duration;
  const strange = zoneIds.find((id) => !ownZoneIds.includes(id));
  if (strange !== undefined) throw problem('VENUE-N-003', { detail: `The venue has no zone ${strange}.` });
  if (minGuests > maxGuests)
    throw invalid('house.minGuests', `must not be above maxGuests, which is ${maxGuests}`);
  if (minMinutes > maxMinutes) throw invalid('house.duration.minMinutes', 'must not be above maxMinutes');
  if (turnTimes.some(({ minutes }) => minutes < minMinutes || minutes > maxMinutes))
    throw invalid('house.turnTimes', `must lie between ${minMinutes} and ${maxMinutes} minutes`);
  if (turnTimes.some(({ upTo }, index) => upTo <= (turnTimes[index - 1]?.upTo ?? 0)))
    throw invalid('house.turnTimes', 'must be in ascending order of upTo');
}

function checkVenue(part: HouseDocument, { faults, path, spaceIds }: PartCheck): void {
  const layout = checkLayout(faults, part, path);
  const zoneIds = layout.zones.map(({ id }) => id);
  for (const [index, product] of part.products.entries())
    faults.attempt(`${path}.products.${index}`, () => assertProduct(product, zoneIds), 'house.');
  checkSpaceZones(faults, part, { path: `${path}.spaceZones`, spaceIds, zoneIds });
}

/** The layout is built up part by part, so that each is held against those before it. */
function checkLayout(faults: FaultSink, part: HouseDocument, path: string): Layout {
  const layout: Layout = { zones: [], areas: [], tables: [], combinations: [] };
  for (const [zoneAt, { areas: below, ...zone }] of part.zones.entries()) {
    layout.zones.push(zone);
    for (const [areaAt, { tables: placed, ...area }] of below.entries()) {
      layout.areas.push({ ...area, zoneId: zone.id });
      for (const [tableAt, { minCovers = 1, isActive = true, ...table }] of placed.entries()) {
        const whole = { ...table, ...placeOf(table), areaId: area.id, minCovers, isActive };
        const at = `${path}.zones.${zoneAt}.areas.${areaAt}.tables.${tableAt}`;
        faults.attempt(at, () =>
          tables.fieldsOf(whole, { ...layout, areas: [{ ...area, zoneId: zone.id }] }),
        );
        layout.tables.push(whole);
      }
    }
  }
  for (const [index, combination] of (part.combinations ?? []).entries()) {
    faults.attempt(`${path}.combinations.${index}`, () => {
      const { minCovers, maxCovers } = combinations.fieldsOf(combination, layout);
      layout.combinations.push({
        id: index,
        tableIds: combination.tableIds,
        minCovers: Number(minCovers),
        maxCovers: Number(maxCovers),
      });
    });
  }
  const kinds: Pick<Kind<never, never>, 'list' | 'most'>[] = [zones, areas, tables, combinations];
  for (const { list, most } of kinds) {
    const { length } = layout[list];
    if (length > most) faults.add(path, `has ${length} ${list}, and ${most} is the most`);
  }
  return layout;
}

function checkSpaceZones(
  faults: FaultSink,
  { spaceZones = [] }: HouseDocument,
  { path, spaceIds, zoneIds }: { path: string; spaceIds: readonly number[]; zoneIds: readonly number[] },
): void {
  const placed = new Set<number>();
  for (const [index, { spaceId, zoneId }] of spaceZones.entries()) {
    const at = `${path}.${index}`;
    if (!spaceIds.includes(spaceId))
      faults.add(`${at}.spaceId`, `is ${spaceId}, which is no space of the venue`, 'VENUE-N-004');
    if (!zoneIds.includes(zoneId))
      faults.add(`${at}.zoneId`, `is ${zoneId}, which is no zone of the venue`, 'VENUE-N-003');
    if (placed.has(spaceId))
      faults.add(`${at}.spaceId`, `is ${spaceId}, which has a zone already`, 'VENUE-N-008');
    placed.add(spaceId);
  }
}

function numbersIn(part: HouseDocument): { kind: NumberedPart; id: number; path: string }[] {
  return part.zones.flatMap((zone, zoneAt) => [
    { kind: 'zones' as const, id: zone.id, path: `zones.${zoneAt}.id` },
    ...zone.areas.flatMap((area, areaAt) => {
      const path = `zones.${zoneAt}.areas.${areaAt}`;
      return [
        { kind: 'areas' as const, id: area.id, path: `${path}.id` },
        ...area.tables.map(({ id }, index) => ({
          kind: 'tables' as const,
          id,
          path: `${path}.tables.${index}.id`,
        })),
      ];
    }),
  ]);
}

function renumber(part: HouseDocument, numbered: Renumbered): HouseDocument {
  const { combinations: joined = [], spaceZones = [], products } = part;
  return {
    zones: part.zones.map((zone) => ({
      ...zone,
      id: numbered('zones', zone.id),
      areas: zone.areas.map((area) => ({
        ...area,
        id: numbered('areas', area.id),
        tables: area.tables.map((table) => ({ ...table, id: numbered('tables', table.id) })),
      })),
    })),
    combinations: joined.map((combination) => ({
      ...combination,
      tableIds: combination.tableIds.map((id) => numbered('tables', id)),
    })),
    spaceZones: spaceZones.map(({ spaceId, zoneId }) => ({
      spaceId: numbered('spaces', spaceId),
      zoneId: numbered('zones', zoneId),
    })),
    products: products.map((product) => ({
      ...product,
      ...(product.zoneIds && { zoneIds: product.zoneIds.map((id) => numbered('zones', id)) }),
    })),
  };
}
