/** What all parts of a layout have in common: the venue they belong to, and who may change them at a time. */
import type { Sql, Tx } from '../../db/database.ts';
import type { Actor } from '../../http/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import { partsOfVenueId, type VenueId } from '../../kernel/ids.ts';
import { invalid, type Problem, problem } from '../../kernel/problem.ts';
import { lockLayout } from '../../tms/house/layout-store.ts';
import type { Trail } from '../audit/service.ts';
import { findSystem, lockSystem } from './store.ts';

export interface LayoutDeps {
  sql: Sql;
  clock: Clock;
  trail: Trail;
}

/** Somebody who changes something, and the tag of what they have read of it. */
export interface By {
  actor: Actor;
  ifMatch: string | undefined;
}

/** The system whose venues are laid out here. */
export const HOUSE = 'house';

export async function getSystem(tx: Tx, venueId: VenueId): Promise<string> {
  return known(venueId, await findSystem(tx, venueId));
}

/** Until the transaction ends nobody else changes the venue, or anything below it. */
export async function holdVenue(tx: Tx, venueId: VenueId): Promise<string> {
  return known(venueId, await lockSystem(tx, venueId));
}

/** The same, and nobody is given a table meanwhile. */
export async function holdSeats(tx: Tx, venueId: VenueId): Promise<string> {
  const system = await holdVenue(tx, venueId);
  if (system === HOUSE) await lockLayout(tx, venueId);
  return system;
}

function known(venueId: VenueId, system: string | undefined): string {
  if (system !== undefined) return system;
  throw problem('VENUE-N-001', { detail: `There is no venue ${venueId}.` });
}

export function assertHouse(system: string): void {
  if (system === HOUSE) return;
  throw invalid('venueId', `must be a venue that runs on ${HOUSE}; ${system} keeps its own layout`);
}

export const aboutIn = (venueId: VenueId, subject: string) => ({
  operatorId: partsOfVenueId(venueId).operatorId,
  subject,
});

export const overrideSubject = (spaceId: number, id: number) =>
  `minimum-spend override ${id} of space ${spaceId}`;

export const notFound = (detail: string): Problem => problem('HTTP-N-404', { detail });

export function assertRoom(count: number, most: number, things: string): void {
  if (count < most) return;
  const detail = `There can be no more than ${most} ${things}.`;
  throw problem('VALID-N-001', {
    detail,
    errors: { body: [`is one more than the ${most} ${things} there can be`] },
  });
}
