/** Checks whether a product in a request can be stored. */

import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../db/database.ts';
import type { Actor } from '../../../http/auth/actor.ts';
import type { VenueId } from '../../../kernel/ids.ts';
import { invalid, problem } from '../../../kernel/problem.ts';
import { LOCAL_SYSTEMS, type SystemSlug } from '../../../tms/systems.ts';
import type { AuditLog } from '../../audit/service.ts';
import { assertHours } from '../hours/check.ts';
import { type Belongings, listManagedProducts, type ProductFields } from './product-store.ts';
import type { VenueRef } from './store.ts';
import { aboutVenue } from './venue-lock.ts';

export function assertProduct(product: ProductFields, venue: VenueRef, own: Belongings): void {
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
  { name }: VenueRef,
): void {
  const strange = strangerOf(named, own);
  if (strange !== undefined) throw invalid(field, `must be those of ${name}, and ${strange} is not`);
}

/** How a product is seated or sold belongs to the system of the venue, which cannot do without it. */
export function assertSystemParts(product: { [Slug in SystemSlug]?: unknown }, { tms }: VenueRef): void {
  for (const { slug } of LOCAL_SYSTEMS) {
    const isThere = product[slug] !== undefined;
    if (tms === slug && !isThere) throw invalid(slug, 'is required');
    if (tms !== slug && isThere) throw invalid(slug, `is not for venues of ${tms}`);
  }
}

/** Products that name a removed part: they lose it, each with an audit entry. */

interface Removal {
  actor: Actor;
  venueId: VenueId;
  auditLog: Pick<AuditLog, 'record'>;
}

export async function recordingLosses(
  tx: Tx,
  { actor, venueId, auditLog }: Removal,
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
    await auditLog.record(tx, { actor, action: 'product.change', ...about, before, after });
  }
}
