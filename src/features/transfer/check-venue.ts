import { bounded } from '../faqs/changes.ts';
import { newSpace } from '../layout/spaces.ts';
import { overlaps, type SpendWindow, windowOf } from '../layout/spend-windows.ts';
import type { SpaceDocument, VenueDocument } from '../venues/document.ts';
import { assertHours } from '../venues/hours-check.ts';
import { assertStart } from '../venues/manage-occurrences.ts';
import { assertOptions } from '../venues/manage-preorders.ts';
import { assertProduct } from '../venues/product-check.ts';
import { isTimeZone, isWebAddress } from '../venues/venue-check.ts';
import { type Check, placed, refuseTwice, systemFault } from './check.ts';
import { checkHouse } from './check-house.ts';
import { checkAvailabilityRules } from './check-rules.ts';
import type { Faults } from './faults.ts';
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
