/** Decisions are made on what was read; here they are checked against what is current when they are carried out. */
import type { Tx } from '../../../db/database.ts';
import type { Caller, Visibility } from '../../../http/auth/caller.ts';
import { partsOfVenueId, type VenueId } from '../../../kernel/ids.ts';
import { codeOf, problem } from '../../../kernel/problem.ts';
import type { Judgement } from '../../mandates/service.ts';
import type { Bookable } from '../../venues/service.ts';
import { lockBooking } from '../access.ts';
import type { Context } from '../context.ts';
import type { BookingRecord } from '../record.ts';
import { isCurrent, type VenueVersion } from './venue-version-store.ts';

/** The venue, the partner's right to it, the operator's rules or the client's mandate have changed since they were read. */
export class StaleVenue extends Error {}

const FOREIGN_KEY_VIOLATION = '23503';

/** Also what is booked may have been taken away at this very moment. */
const isStale = (error: unknown) => error instanceof StaleVenue || codeOf(error) === FOREIGN_KEY_VIOLATION;

const VENUE_ATTEMPTS = 4;

/** What a partner decides on may have come from memory; the transaction that acts on it finds out. */
export async function retryOnStaleVenue<Result>(
  { venues, rules, mandates }: Context,
  venueIds: readonly VenueId[],
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isStale(error)) throw error;
      if (count === VENUE_ATTEMPTS)
        throw problem('BOOK-R-002', { detail: 'The venue is being changed; try again.' });
      mandates.forget();
      for (const venueId of venueIds) {
        venues.forget(venueId);
        rules.forget(partsOfVenueId(venueId).operatorId);
      }
    }
  }
}

/** Operators need no mapping, but closures and hours bind their changes too. */
export async function assertVenueUnchanged(
  tx: Tx,
  decidedOn: DecidedOn,
  visibility: Visibility,
): Promise<void> {
  const partnerId = visibility.kind === 'partner' ? visibility.partnerId : null;
  if (!(await isCurrent(tx, venueVersionOf(decidedOn, partnerId)))) throw new StaleVenue();
}

interface DecidedOn {
  bookable: Bookable;
  /** Of the operator's booking rules. */
  rulesVersion: number | null;
  /** Null: the caller is no partner or agent. */
  mandate: Judgement | null;
}

/** What tells whether the venue, the product, the partner's channel, the rules and the mandate are still as they were read. */
export function venueVersionOf(
  { bookable, rulesVersion, mandate }: DecidedOn,
  partnerId: number | null,
): VenueVersion {
  const { venue, product } = bookable;
  return {
    venueId: venue.id,
    productId: product.id,
    partnerId,
    venueUpdatedAt: venue.updatedAt,
    channelVersion: venue.channel?.version ?? '',
    rulesVersion,
    clientId: mandate?.clientId ?? null,
    mandateVersion: mandate?.version ?? null,
  };
}

/** The booking is no longer what a change of it was planned on. */
export class Changed extends Error {}

export async function assertBookingUnchanged(
  tx: Tx,
  { store }: Context,
  { id, lastUpdate }: BookingRecord,
): Promise<void> {
  const record = await store.find(tx, { kind: 'platform' }, id);
  if (!record?.lastUpdate.equals(lastUpdate)) throw new Changed();
}

/** The booking, locked, as long as it is what a change of it was planned on. */
export async function lockUnchanged(
  tx: Tx,
  context: Context,
  caller: Caller,
  { id, lastUpdate }: BookingRecord,
): Promise<BookingRecord> {
  const locked = await lockBooking(tx, context, caller, id);
  if (!locked.lastUpdate.equals(lastUpdate)) throw new Changed();
  return locked;
}

const BOOKING_ATTEMPTS = 20;

/** For what is planned before the booking is locked: planned again when others were faster. */
export async function retryOnStaleBooking<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let count = 0; count < BOOKING_ATTEMPTS; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Changed)) throw error;
    }
  }
  throw problem('BOOK-R-002', { detail: 'The booking is being changed by others; try again.' });
}
