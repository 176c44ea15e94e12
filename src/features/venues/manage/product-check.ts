/** Checks whether a product in a request can be stored. */

import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../db/database.ts';
import type { Actor } from '../../../http/auth/actor.ts';
import type { VenueId } from '../../../kernel/ids.ts';
import { invalid, problem } from '../../../kernel/problem.ts';
import {
  DEFAULT_DURATION,
  DEFAULT_TURN_TIMES,
  type HouseProductDocument,
} from '../../../tms/house/document.ts';
import type { TicketTypeDocument } from '../../../tms/tickets/document.ts';
import type { Trail } from '../../audit/service.ts';
import { assertHours } from '../hours/check.ts';
import { type Belongings, listManagedProducts, type ProductFields } from './product-store.ts';
import type { VenueFrame } from './store.ts';
import { aboutVenue } from './venue-lock.ts';

export function assertProduct(product: ProductFields, venue: VenueFrame, own: Belongings): void {
  const { spaceIds = [], packageIds = [], menuIds = [], preOrderRequiredType: required = 'none' } = product;
  assertHours(product.hours, 'hours');
  const strange = strangerOf(spaceIds, own.spaceIds);
  if (strange !== undefined)
    throw problem('VENUE-N-004', { detail: `${venue.name} has no space ${strange}.` });
  assertOwn(packageIds, own.packageIds, 'packageIds', venue);
  assertOwn(menuIds, own.menuIds, 'menuIds', venue);
  if ((required === 'package' || required === 'packageAndMenu') && packageIds.length === 0)
    throw invalid('packageIds', `must not be empty: the product requires a package`);
  if ((required === 'menu' || required === 'packageAndMenu') && menuIds.length === 0)
    throw invalid('menuIds', 'must not be empty: the product requires a menu');
  for (const [index, { minPartySize, maxPartySize }] of (product.paymentRules ?? []).entries()) {
    if (minPartySize !== null && maxPartySize !== null && minPartySize > maxPartySize)
      throw invalid(`paymentRules.${index}.maxPartySize`, 'must not be below minPartySize');
  }
}

const strangerOf = (named: readonly number[], own: readonly number[]) =>
  named.find((id) => !own.includes(id));

function assertOwn(
  named: readonly number[],
  own: readonly number[],
  field: string,
  { name }: VenueFrame,
): void {
  const strange = strangerOf(named, own);
  if (strange !== undefined) throw invalid(field, `must be those of ${name}, and ${strange} is not`);
}

/** How a product is seated or sold belongs to the built-in systems, which cannot do without it. */
export function assertSystemPart<Part>(
  part: Part | undefined,
  system: 'house' | 'tickets',
  { tms }: VenueFrame,
): Part | undefined {
  if (tms === system && part === undefined) throw invalid(system, 'is required');
  if (tms !== system && part !== undefined) throw invalid(system, `is not for venues of ${tms}`);
  return part;
}

/** Sizes that follow from the layout are not held against those that are stated: the layout may change first. */
export function assertHouseProduct(product: HouseProductDocument, ownZoneIds: readonly number[]): void {
  const { minGuests = 1, maxGuests = minGuests, zoneIds = [] } = product;
  const { duration = DEFAULT_DURATION, turnTimes = DEFAULT_TURN_TIMES } = product;
  const { minMinutes, maxMinutes } = duration;
  const strange = strangerOf(zoneIds, ownZoneIds);
  if (strange !== undefined) throw problem('VENUE-N-003', { detail: `The venue has no zone ${strange}.` });
  if (minGuests > maxGuests)
    throw invalid('house.minGuests', `must not be above maxGuests, which is ${maxGuests}`);
  if (minMinutes > maxMinutes) throw invalid('house.duration.minMinutes', 'must not be above maxMinutes');
  if (turnTimes.some(({ minutes }) => minutes < minMinutes || minutes > maxMinutes))
    throw invalid('house.turnTimes', `must lie between ${minMinutes} and ${maxMinutes} minutes`);
  if (turnTimes.some(({ upTo }, index) => upTo <= (turnTimes[index - 1]?.upTo ?? 0)))
    throw invalid('house.turnTimes', 'must be in ascending order of upTo');
}

export function assertTicketType({ minPerBooking = 1, maxPerBooking }: TicketTypeDocument): void {
  if (minPerBooking > maxPerBooking)
    throw invalid('tickets.maxPerBooking', `must not be below minPerBooking, which is ${minPerBooking}`);
}

/** Products that name a removed part: they lose it, each with an audit entry. */

interface Removal {
  actor: Actor;
  venueId: VenueId;
  trail: Pick<Trail, 'record'>;
}

export async function recordingLosses(
  tx: Tx,
  { actor, venueId, trail }: Removal,
  remove: () => Promise<void>,
): Promise<void> {
  const products = await listManagedProducts(tx, venueId);
  await remove();
  const left = new Map((await listManagedProducts(tx, venueId)).map((each) => [each.compositeId, each]));
  for (const before of products) {
    const after = left.get(before.compositeId);
    // What follows from the layout is no part of the product, and changes without being lost.
    if (isDeepStrictEqual({ ...before, effective: null }, after && { ...after, effective: null })) continue;
    const about = aboutVenue(venueId, 'product', before.compositeId);
    await trail.record(tx, { actor, action: 'product.change', ...about, before, after });
  }
}
