/** Whether a document that has the right shape holds together, and says nothing that other routes would refuse. */

import { settingsIn } from '../operators/service.ts';
import { isEventSystem, type VenueDocument } from '../venues/service.ts';
import { checkBookingRule } from './check-rules.ts';
import { checkVenue } from './check-venue.ts';
import {
  type Check,
  checkPartners,
  collectFaults,
  keyOf,
  placed,
  refuseTwice,
  type Surroundings,
} from './faults.ts';
import { idsIn } from './ids.ts';
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
