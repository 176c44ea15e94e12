import { LOCAL_SYSTEMS, partsIn } from '../../tms/systems.ts';
import { bounded } from '../faqs/service.ts';
import { newSpace, overlaps, type SpendWindow, windowOf } from '../layout/service.ts';
import {
  assertHours,
  assertOptions,
  assertProduct,
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
  checkParts(faults, venue, path);
  faults.attempt(`${path}.siteFaqs`, () => bounded(venue.siteFaqs ?? []), 'body');
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

/** What the systems keep of a venue: whether it is there, and fits the venue and itself. */
function checkParts(faults: Faults, venue: VenueDocument, path: string): void {
  checkPresence(faults, venue, path);
  const { timeZone, spaces = [] } = venue;
  for (const { system, slug, part } of partsIn(venue)) {
    system.catalogue.checkVenue(part, {
      faults,
      path: `${path}.${slug}`,
      timeZone: isTimeZone(timeZone) ? timeZone : undefined,
      spaceIds: spaces.map(({ id }) => id),
    });
  }
}

/** How products are seated or sold belongs to the venue's system, which cannot do without it. */
function checkPresence(faults: Faults, venue: VenueDocument, path: string): void {
  const { tms, products } = venue;
  for (const { slug, catalogue } of LOCAL_SYSTEMS) {
    const part = venue[slug];
    if (tms !== slug) {
      if (part) faults.add(`${path}.${slug}`, `is not for venues of ${tms}`);
      continue;
    }
    if (!part) {
      faults.add(`${path}.${slug}`, 'is required');
      continue;
    }
    const { list, entries } = catalogue.productsIn(part);
    const at = `${path}.${slug}.${list}`;
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
