/** What all parts of a layout have in common: the venue they belong to, and who may change them at a time. */
import type { Sql, Tx } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { invalid } from '../../kernel/problem.ts';
import { lockLayout } from '../../tms/house/layout-store.ts';
import type { Trail } from '../audit/service.ts';
import { aboutVenue, getLockedFrame, type VenueFrame } from '../venues/manage-frame.ts';

export interface LayoutDeps {
  sql: Sql;
  clock: Clock;
  trail: Trail;
}

/** The system whose venues are laid out here. */
export const HOUSE = 'house';

/** Until the transaction ends nobody else changes the venue or anything below it, or is given a table. */
export async function holdSeats(tx: Tx, venueId: VenueId): Promise<VenueFrame> {
  const venue = await getLockedFrame(tx, venueId);
  if (venue.tms === HOUSE) await lockLayout(tx, venueId);
  return venue;
}

export function assertHouse({ tms }: VenueFrame): void {
  if (tms === HOUSE) return;
  throw invalid('venueId', `must be a venue that runs on ${HOUSE}; ${tms} keeps its own layout`);
}

export const aboutOverride = (venueId: VenueId, spaceId: number, id: number) =>
  aboutVenue(venueId, 'minimum-spend override', `${id} of space ${spaceId}`);
