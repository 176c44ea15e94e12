/** Whether a document that has the right shape holds together, and says nothing that other routes would refuse. */
import { problem } from '../../kernel/problem.ts';
import type { Registry } from '../../tms/registry.ts';
import { settingsIn } from '../platform/operator-settings.ts';
import type { VenueDocument } from '../venues/document.ts';
import { isEventSystem } from '../venues/venue-check.ts';
import { checkBookingRule } from './check-rules.ts';
import { checkVenue } from './check-venue.ts';
import { collectFaults, type Faults } from './faults.ts';
import { idsIn, type Placed } from './ids.ts';
import type { OperatorDocument } from './schema.ts';

/** What a document names and does not contain. */
export interface Surroundings {
  /** Ids of partners by reference. */
  partners: ReadonlyMap<string, number>;
  categories: ReadonlySet<string>;
  venueTypes: ReadonlySet<string>;
  registry: Registry;
}

export interface Check {
  faults: Faults;
  document: OperatorDocument;
  around: Surroundings;
  /** By system and resource. */
  venues: ReadonlyMap<string, VenueDocument>;
  /** Ids in the document of its categories of partners. */
  categoryIds: ReadonlyMap<string, number>;
}

export const keyOf = ({ tms, resourceId }: { tms: string; resourceId: string }) => `${tms}|${resourceId}`;

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

export function placed<Thing>(
  things: readonly Thing[],
  path: string,
  field: string,
  idOf: (thing: Thing) => string,
) {
  return things.map(
    (thing, index): Placed<string> => ({ id: idOf(thing), path: `${path}.${index}.${field}` }),
  );
}

export function refuseTwice<Id>(faults: Faults, places: readonly Placed<Id>[]): void {
  const seen = new Map<Id, string>();
  for (const { id, path } of places) {
    const first = seen.get(id);
    if (first === undefined) seen.set(id, path);
    else faults.add(path, `is ${id}, like ${first}`);
  }
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

export function checkPartners(
  faults: Faults,
  { partners }: Surroundings,
  references: readonly string[],
  path: string,
): void {
  for (const [index, reference] of references.entries()) {
    if (!partners.has(reference))
      faults.add(`${path}.${index}`, `is ${reference}, which is no partner`, 'PMAP-N-004');
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

/** The code that the system of a venue is refused with; undefined: the operator uses it. */
export function systemFault(
  { document, around }: Check,
  tms: string,
): ReturnType<typeof problem> | undefined {
  const { systems } = document;
  if (systems.includes(tms)) return undefined;
  if (systems.length === 0)
    return problem('BOOK-N-001', { detail: 'names a system, and the operator has none' });
  const code = isEventSystem(around.registry, tms) ? 'EVENT-N-001' : 'BOOK-N-003';
  return problem(code, { detail: `is not among the systems of the operator, ${systems.join(', ')}` });
}
