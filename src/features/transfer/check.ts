/** Whether a document that has the right shape holds together, and says nothing that other routes would refuse. */

import { isTimeZone } from '../../kernel/zone-time.ts';
import { LOCAL_SYSTEMS, partsIn } from '../../tms/systems.ts';
import { contentOf, MAX_RULES } from '../availability/service.ts';
import { readDraft } from '../booking-rules/service.ts';
import { bounded } from '../faqs/service.ts';
import { newSpace, overlaps, type SpendWindow, windowOf } from '../layout/service.ts';
import { settingsIn } from '../operators/service.ts';
import {
  type AvailabilityRuleDocument,
  assertHours,
  assertOptions,
  assertProduct,
  type BookingRuleDocument,
  isEventSystem,
  type SpaceDocument,
  type VenueDocument,
  venueFaults,
} from '../venues/service.ts';
import {
  type Check,
  checkPartners,
  collectFaults,
  type Faults,
  keyOf,
  placed,
  refuseTwice,
  type Surroundings,
  systemFault,
} from './faults.ts';
import { availabilityRulesOf, idsIn, type Placed } from './ids.ts';
import type { OperatorDocument } from './schema.ts';

/** Throws with all that is wrong. */
export function checkDocument(document: OperatorDocument, around: Surroundings): void {
  const faults = collectFaults();
  const { partnerCategories = [], bookingRules = [], venues } = document;
  const check: Check = {
    faults,
    document,
    around,
    venues: new Map(venues.map((venue) => [keyOf(venue), venue])),
    categoryIds: new Map(partnerCategories.map(({ slug, id }) => [slug, id])),
  };
  for (const places of Object.values(idsIn(document))) refuseTwice<string | number>(faults, places);
  refuseTwice(
    faults,
    placed(partnerCategories, 'partnerCategories', 'slug', ({ slug }) => slug),
  );
  refuseTwice(faults, placed(venues, 'venues', 'resourceId', keyOf));
  checkOperator(check);
  for (const [index, venue] of venues.entries()) {
    checkVenue(check, venue, `venues.${index}`);
    checkHost(check, venue, `venues.${index}.host`);
  }
  for (const [index, rule] of bookingRules.entries()) checkBookingRule(check, rule, `bookingRules.${index}`);
  faults.refuse();
}

function checkOperator({ faults, document, around }: Check): void {
  const { settings = {}, systems, partnerCategories = [] } = document;
  faults.attempt('settings', () => settingsIn(settings));
  for (const [index, slug] of systems.entries()) {
    if (!around.registry.get(slug))
      faults.add(`systems.${index}`, `is ${slug}, which is no system of this platform`, 'OPRTR-N-006');
  }
  for (const [index, { partners }] of partnerCategories.entries()) {
    checkPartners(faults, around, partners, `partnerCategories.${index}.partners`);
  }
}

/** An event takes place in a venue, and that is the end of it: neither events nor what is hosted host anything. */
function checkHost({ faults, venues, around }: Check, { tms, host }: VenueDocument, path: string): void {
  if (!host) return;
  const house = venues.get(keyOf(host));
  if (!isEventSystem(around.registry, tms)) faults.add(path, 'is only for events');
  else if (!house) faults.add(path, 'is not a venue of this document');
  else if (house.host || isEventSystem(around.registry, house.tms))
    faults.add(path, `is ${house.name}, which cannot host anything: it is an event itself, or hosted`);
}

function checkVenue(check: Check, venue: VenueDocument, path: string): void {
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
  const { tms, types } = venue;
  const refusal = systemFault(check, tms);
  if (refusal) faults.add(`${path}.tms`, refusal.message, refusal.code);
  for (const { field, message } of venueFaults(venue)) faults.add(`${path}.${field}`, message);
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

/** Ids of names that are known; those that are not have been reported. */
const idsOf = (names: readonly string[], ids: ReadonlyMap<string, number>) =>
  names.flatMap((name) => ids.get(name) ?? []);

function checkAim(
  { faults, around, categoryIds }: Check,
  { partners = [], partnerCategories = [] }: { partners?: string[]; partnerCategories?: string[] },
  path: string,
): void {
  checkPartners(faults, around, partners, `${path}.partners`);
  for (const [index, slug] of partnerCategories.entries()) {
    if (!categoryIds.has(slug))
      faults.add(
        `${path}.partnerCategories.${index}`,
        `is ${slug}, which is no partner category of this document`,
        'OPRUL-N-014',
      );
  }
}

function checkAvailabilityRules(check: Check, venue: VenueDocument, path: string): void {
  const lists = availabilityRulesOf(venue, path);
  const total = lists.reduce((sum, [rules]) => sum + rules.length, 0);
  if (total > MAX_RULES) {
    check.faults.add(path, `has ${total} availability rules, and ${MAX_RULES} is the most`, 'OPRTR-N-006');
    return;
  }
  const spaceIds = new Set(venue.spaces?.map(({ id }) => id));
  for (const [rules, at] of lists) {
    for (const [index, rule] of rules.entries()) {
      checkAvailabilityRule(check, rule, `${at}.${index}`);
      if (rule.spaceId !== undefined && !spaceIds.has(rule.spaceId))
        check.faults.add(`${at}.${index}.spaceId`, `is ${rule.spaceId}, which is no space of the venue`);
    }
  }
}

/** Targets are checked by name; the rest is checked as for rules that name ids. */
function checkAvailabilityRule(check: Check, rule: AvailabilityRuleDocument, path: string): void {
  const { id: _, partners, partnerCategories, ...plain } = rule;
  checkAim(check, rule, path);
  const aim = {
    partnerIds: partners?.map(() => 1) ?? null,
    categoryIds: partnerCategories?.map(() => 1) ?? null,
  };
  check.faults.attempt(path, () => contentOf({ ...plain, ...aim } as Parameters<typeof contentOf>[0]));
}

function checkBookingRule(check: Check, rule: BookingRuleDocument, path: string): void {
  checkAim(check, rule, path);
  for (const [index, venue] of (rule.venues ?? []).entries()) {
    if (!check.venues.has(keyOf(venue)))
      check.faults.add(`${path}.venues.${index}`, `is ${keyOf(venue)}, which is no venue of this document`);
  }
  const { partners, partnerCategories } = rule;
  const { around, categoryIds } = check;
  const draft = draftOf(rule, {
    partnerIds: partners && idsOf(partners, around.partners),
    categoryIds: partnerCategories && idsOf(partnerCategories, categoryIds),
    venueIds: rule.venues?.map(keyOf),
  });
  check.faults.attempt(path, () => readDraft(draft));
}

interface Aim {
  partnerIds: number[] | undefined;
  categoryIds: number[] | undefined;
  venueIds: string[] | undefined;
}

/** A rule of a document as it is stored: names have become ids. */
export function draftOf(rule: BookingRuleDocument, aim: Aim): Record<string, unknown> {
  const { id: _id, partners: _partners, partnerCategories: _categories, venues: _venues, ...plain } = rule;
  const named = Object.entries(aim).filter(([, ids]) => ids !== undefined && ids.length > 0);
  return { ...plain, ...Object.fromEntries(named) };
}
