import { placeOf } from '../../tms/house/document.ts';
import { bounded } from '../faqs/service.ts';
import {
  areas,
  combinations,
  type Kind,
  type Layout,
  newSpace,
  overlaps,
  type SpendWindow,
  tables,
  windowOf,
  zones,
} from '../layout/service.ts';
import {
  assertHours,
  assertHouseProduct,
  assertOptions,
  assertProduct,
  assertStart,
  assertTicketType,
  isTimeZone,
  isWebAddress,
  type SpaceDocument,
  type VenueDocument,
} from '../venues/service.ts';
import { checkAvailabilityRules } from './check-rules.ts';
import { type Check, type Faults, placed, refuseTwice, systemFault } from './faults.ts';
import type { Placed } from './ids.ts';

export function checkVenue(check: Check, venue: VenueDocument, path: string): void {
  const { faults } = check;
  checkFields(check, venue, path);
  faults.attempt('', () => assertHours(venue.hours, `${path}.hours`));
  for (const [index, space] of (venue.spaces ?? []).entries()) {
    checkSpace(faults, space, `${path}.spaces.${index}`);
  }
  checkPreorders(faults, venue, path);
  checkProducts(check, venue, path);
  checkAvailabilityRules(check, venue, path);
  checkHouse(faults, venue, path);
  faults.attempt(`${path}.siteFaqs`, () => bounded(venue.siteFaqs ?? []), 'body');
  checkTickets(faults, venue, path);
}

function checkFields(check: Check, venue: VenueDocument, path: string): void {
  const { faults, around } = check;
  const { tms, timeZone, website, types } = venue;
  const refusal = systemFault(check, tms);
  if (refusal) faults.add(`${path}.tms`, refusal.message, refusal.code);
  if (!isTimeZone(timeZone))
    faults.add(`${path}.timeZone`, 'must be an IANA time zone such as Europe/London');
  if (website !== undefined && !isWebAddress(website))
    faults.add(`${path}.website`, 'must be an address that begins with http:// or https://');
  for (const [index, type] of types.entries()) {
    if (!around.venueTypes.has(type))
      faults.add(`${path}.types.${index}`, `is ${type}, which is no venue type`);
  }
}

function checkSpace(faults: Faults, space: SpaceDocument, path: string): void {
  const { id: _, minimumSpendOverrides = [], ...input } = space;
  faults.attempt(path, () => newSpace(input));
  const windows: SpendWindow[] = [];
  for (const [index, override] of minimumSpendOverrides.entries()) {
    const at = `${path}.minimumSpendOverrides.${index}`;
    faults.attempt(at, () => {
      const window = windowOf(override);
      if (windows.some((other) => overlaps(other, window)))
        faults.add(at, 'holds at the same time as one before it', 'VENUE-N-007');
      windows.push(window);
    });
  }
}

function checkPreorders(faults: Faults, { packages = [], menus = [] }: VenueDocument, path: string): void {
  refuseTwice(faults, slugsIn(packages, `${path}.packages`));
  refuseTwice(faults, slugsIn(menus, `${path}.menus`));
  for (const [menuAt, { items }] of menus.entries()) {
    for (const [itemAt, { options = [] }] of items.entries()) {
      faults.attempt(`${path}.menus.${menuAt}.items.${itemAt}`, () => assertOptions(options, 'options'));
    }
  }
}

const slugsIn = (things: readonly { slug?: string }[], path: string): Placed<string>[] =>
  things.flatMap(({ slug }, index) =>
    slug === undefined ? [] : { id: slug, path: `${path}.${index}.slug` },
  );

function checkProducts({ faults, around }: Check, venue: VenueDocument, path: string): void {
  const own = {
    spaceIds: (venue.spaces ?? []).map(({ id }) => id),
    packageIds: (venue.packages ?? []).map(({ id }) => id),
    menuIds: (venue.menus ?? []).map(({ id }) => id),
  };
  refuseTwice(
    faults,
    placed(venue.products, `${path}.products`, 'key', ({ key }) => key),
  );
  for (const [index, product] of venue.products.entries()) {
    const at = `${path}.products.${index}`;
    if (product.category !== undefined && !around.categories.has(product.category))
      faults.add(`${at}.category`, `is ${product.category}, which is no category`);
    faults.attempt(at, () => assertProduct(product, venue, own));
  }
}

function checkTickets(faults: Faults, venue: VenueDocument, path: string): void {
  const starts = new Set<string>();
  // Where there is no such zone, which is a fault of its own, there are no clocks either.
  const hasClocks = isTimeZone(venue.timeZone);
  for (const [index, occurrence] of (venue.tickets?.occurrences ?? []).entries()) {
    const at = `${path}.tickets.occurrences.${index}`;
    if (hasClocks) faults.attempt(at, () => assertStart(venue, occurrence));
    const start = `${occurrence.date} ${occurrence.startsMinute}`;
    if (starts.has(start)) faults.add(at, 'starts when one before it does');
    starts.add(start);
  }
}

/** What the built-in systems keep of a venue: whether it fits the venue and itself. */

function checkHouse(faults: Faults, venue: VenueDocument, path: string): void {
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
