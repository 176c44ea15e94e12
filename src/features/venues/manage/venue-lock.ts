/** The venue that something under `/manage` is about, and the words for its not being there. */
import type { Tx } from '../../../db/database.ts';
import type { Actor } from '../../../http/auth/actor.ts';
import { partsOfVenueId, type VenueId } from '../../../kernel/ids.ts';
import { problem } from '../../../kernel/problem.ts';
import { countParts, findVenueRef, lockRef, type Part, type VenueRef } from './store.ts';

export type { VenueRef };

/** The actor of a change, and the version that it has read. */
export interface Request {
  actor: Actor;
  ifMatch: string | undefined;
}

export const noSuchVenue = (id: VenueId) => problem('VENUE-N-001', { detail: `There is no venue ${id}.` });

/** For what has no code of its own. */
export const notFound = (detail: string) => problem('HTTP-N-404', { detail });

export async function getVenueRef(tx: Tx, id: VenueId): Promise<VenueRef> {
  const venueRef = await findVenueRef(tx, id);
  if (!venueRef) throw noSuchVenue(id);
  return venueRef;
}

/** All changes of one venue and of what is below it come one after the other. */
export async function lockVenueRef(tx: Tx, id: VenueId): Promise<VenueRef> {
  const venueRef = await lockRef(tx, id);
  if (!venueRef) throw noSuchVenue(id);
  return venueRef;
}

/** Far more than there are anywhere, and no more than can be read at once. */
export const MOST_PARTS: Record<Part, number> = {
  product: 200,
  package: 200,
  menu: 100,
};

/** Of a venue that is locked. */
export async function assertRoomFor(tx: Tx, venueId: VenueId, part: Part): Promise<void> {
  assertRoom(await countParts(tx, part, venueId), MOST_PARTS[part], `${part}s at a venue`);
}

/** For one more than there are. */
export function assertRoom(count: number, most: number, things: string): void {
  if (count < most) return;
  const detail = `There can be no more than ${most} ${things}.`;
  const errors = { body: [`is one more than the ${most} ${things} there can be`] };
  throw problem('VALID-N-001', { detail, errors });
}

/** The operator whose audit log it belongs to, and its name there. */
export const aboutVenue = (venueId: VenueId, kind: string, id: string | number) => ({
  operatorId: partsOfVenueId(venueId).operatorId,
  subject: `${kind} ${id}`,
});
