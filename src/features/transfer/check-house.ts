/** What the built-in systems keep of a venue: whether it fits the venue and itself. */
import { placeOf } from '../../tms/house/document.ts';
import { areas, combinations, type Kind, tables, zones } from '../layout/parts.ts';
import type { Layout } from '../layout/schema.ts';
import type { VenueDocument } from '../venues/document.ts';
import { assertHouseProduct, assertTicketType } from '../venues/product-check.ts';
import type { Faults } from './faults.ts';

export function checkHouse(faults: Faults, venue: VenueDocument, path: string): void {
  checkPresence(faults, venue, path);
  const { house, tickets } = venue;
  if (tickets) {
    for (const [index, type] of tickets.ticketTypes.entries()) {
      faults.attempt(`${path}.tickets.ticketTypes.${index}`, () => assertTicketType(type), 'tickets.');
    }
  }
  if (!house) return;
  const layout = checkLayout(faults, house, `${path}.house`);
  const zoneIds = layout.zones.map(({ id }) => id);
  for (const [index, product] of house.products.entries()) {
    faults.attempt(`${path}.house.products.${index}`, () => assertHouseProduct(product, zoneIds), 'house.');
  }
  checkSpaceZones(faults, venue, zoneIds, `${path}.house.spaceZones`);
}

/** How products are seated or sold belongs to the built-in systems, which cannot do without it. */
function checkPresence(faults: Faults, venue: VenueDocument, path: string): void {
  const { tms, products, house, tickets } = venue;
  const parts = {
    house: { document: house, path: `${path}.house.products`, entries: house?.products ?? [] },
    tickets: { document: tickets, path: `${path}.tickets.ticketTypes`, entries: tickets?.ticketTypes ?? [] },
  };
  for (const [system, { document, path: at, entries }] of Object.entries(parts)) {
    if (tms !== system) {
      if (document) faults.add(`${path}.${system}`, `is not for venues of ${tms}`);
      continue;
    }
    if (!document) {
      faults.add(`${path}.${system}`, 'is required');
      continue;
    }
    const keys = new Set<string>();
    for (const [index, { key }] of entries.entries()) {
      if (!products.some((product) => product.key === key))
        faults.add(`${at}.${index}.key`, `is ${key}, which is no product of the venue`);
      if (keys.has(key)) faults.add(`${at}.${index}.key`, `is ${key}, like one before it`);
      keys.add(key);
    }
    const missing = products.filter(({ key }) => !keys.has(key)).map(({ key }) => key);
    if (missing.length > 0) faults.add(at, `must also be about ${missing.join(', ')}`);
  }
}

type House = NonNullable<VenueDocument['house']>;

/** The layout as other routes know it, built up part by part so that each is held against those before it. */
function checkLayout(faults: Faults, house: House, path: string): Layout {
  const layout: Layout = { zones: [], areas: [], tables: [], combinations: [] };
  for (const [zoneAt, { areas: below, ...zone }] of house.zones.entries()) {
    layout.zones.push(zone);
    for (const [areaAt, { tables: placed, ...area }] of below.entries()) {
      layout.areas.push({ ...area, zoneId: zone.id });
      for (const [tableAt, { minCovers = 1, isActive = true, ...table }] of placed.entries()) {
        const whole = { ...table, ...placeOf(table), areaId: area.id, minCovers, isActive };
        const at = `${path}.zones.${zoneAt}.areas.${areaAt}.tables.${tableAt}`;
        faults.attempt(at, () => tables.rowOf(whole, { ...layout, areas: [{ ...area, zoneId: zone.id }] }));
        layout.tables.push(whole);
      }
    }
  }
  for (const [index, combination] of (house.combinations ?? []).entries()) {
    faults.attempt(`${path}.combinations.${index}`, () => {
      const { min_covers: minCovers, max_covers: maxCovers } = combinations.rowOf(combination, layout);
      const { tableIds } = combination;
      layout.combinations.push({
        id: index,
        tableIds,
        minCovers: Number(minCovers),
        maxCovers: Number(maxCovers),
      });
    });
  }
  checkCounts(faults, layout, path);
  return layout;
}

function checkCounts(faults: Faults, layout: Layout, path: string): void {
  const kinds: Pick<Kind<never, never>, 'list' | 'most'>[] = [zones, areas, tables, combinations];
  for (const { list, most } of kinds) {
    const { length } = layout[list];
    if (length > most) faults.add(path, `has ${length} ${list}, and ${most} is the most`);
  }
}

function checkSpaceZones(
  faults: Faults,
  { spaces = [], house }: VenueDocument,
  zoneIds: readonly number[],
  path: string,
): void {
  const placed = new Set<number>();
  for (const [index, { spaceId, zoneId }] of (house?.spaceZones ?? []).entries()) {
    const at = `${path}.${index}`;
    if (!spaces.some(({ id }) => id === spaceId))
      faults.add(`${at}.spaceId`, `is ${spaceId}, which is no space of the venue`, 'VENUE-N-004');
    if (!zoneIds.includes(zoneId))
      faults.add(`${at}.zoneId`, `is ${zoneId}, which is no zone of the venue`, 'VENUE-N-003');
    if (placed.has(spaceId))
      faults.add(`${at}.spaceId`, `is ${spaceId}, which has a zone already`, 'VENUE-N-008');
    placed.add(spaceId);
  }
}
