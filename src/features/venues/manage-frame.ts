/** The venue that something under `/manage` is about, and the words for its not being there. */
import type { Tx } from '../../db/database.ts';
import type { Actor } from '../../http/actor.ts';
import { partsOfVenueId, type VenueId } from '../../kernel/ids.ts';
import { problem } from '../../kernel/problem.ts';
import { findFrame, lockFrame, type VenueFrame } from './manage-store.ts';

/** Who changes something, and what they have read of it. */
export interface Request {
  actor: Actor;
  ifMatch: string | undefined;
}

export const noSuchVenue = (id: VenueId) => problem('VENUE-N-001', { detail: `There is no venue ${id}.` });

export async function getFrame(tx: Tx, id: VenueId): Promise<VenueFrame> {
  const frame = await findFrame(tx, id);
  if (!frame) throw noSuchVenue(id);
  return frame;
}

/** All changes of one venue and of what is below it come one after the other. */
export async function getLockedFrame(tx: Tx, id: VenueId): Promise<VenueFrame> {
  const frame = await lockFrame(tx, id);
  if (!frame) throw noSuchVenue(id);
  return frame;
}

/** Whose trail it belongs into, and under which name. */
export const aboutVenue = (venueId: VenueId, kind: string, id: string | number) => ({
  operatorId: partsOfVenueId(venueId).operatorId,
  subject: `${kind} ${id}`,
});
