/** Products that name something which goes: they lose it, and the trail says so of each of them. */
import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../db/database.ts';
import type { Actor } from '../../http/actor.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { Trail } from '../audit/service.ts';
import { aboutVenue } from './manage-frame.ts';
import { listManagedProducts } from './manage-product-store.ts';

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
