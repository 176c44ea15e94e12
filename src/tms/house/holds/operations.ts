import type { Tx } from '../../../db/database.ts';
import {
  type HoldOperations,
  type Outcome,
  ok,
  type PlaceRequest,
  refused,
  type SystemBooking,
  type SystemHold,
} from '../../contract.ts';
import { type LockedClaim, lockClaims } from '../claims.ts';
import type { ConfigCache } from '../config-cache.ts';
import { insertSeats, seatFor } from '../seats.ts';
import * as store from '../store.ts';
import type { Occupied } from './held.ts';
import * as holds from './store.ts';

/**
 * Tables that are kept for a booking which is not made yet. Holding decides as booking does and takes the same locks.
 * So do extending and confirming: for a request whose clock is a moment ahead the hold has ended, and only under the
 * lock it is certain that none was given the place.
 */

export interface HoldContext {
  configs: ConfigCache;
  lock: typeof store.lockDays;
  occupied: Occupied;
  random(bound: number): number;
}

const ENDED = refused('hold-ended');
const NO_REFERENCE: Outcome<never> = { kind: 'unavailable', detail: 'No unused reference was found.' };

export function createHolds({
  configs,
  lock,
  occupied,
  random,
}: HoldContext): HoldOperations<Tx, PlaceRequest> {
  async function hold(tx: Tx, request: PlaceRequest, untilMs: number): Promise<Outcome<SystemHold>> {
    const { bookingId, nowMs } = request;
    if (untilMs <= nowMs) return ENDED;
    const [claim = ENDED] = await lockClaims(tx, [{ request }], { configs, lock });
    // The first of two equal calls may have been given the very table that the second one misses.
    if (claim.kind !== 'ok' || claim.value.live.isHeld || claim.value.live.isReserved) {
      const known = await findKnown(tx, bookingId, nowMs);
      if (known) return known.kind === 'ok' ? ok({ ...known.value, ...policiesOf(claim) }) : known;
    }
    if (claim.kind !== 'ok') return claim;
    const seat = seatFor(request, claim.value, { given: [], occupied });
    if (seat.kind !== 'ok') return seat;
    const { days } = claim.value;
    const isMade = await holds.insertHold(tx, { ...seat.value, days }, { nowMs, untilMs });
    // The same booking was held on another day at the same time.
    if (!isMade) return (await findKnown(tx, bookingId, nowMs)) ?? ENDED;
    const { startMs, durationMinutes } = seat.value.seat;
    return ok({ bookingId, startMs, durationMinutes, expiresMs: untilMs, ...policiesOf(claim) });
  }

  /** Undefined: nothing is held or booked under the id. What is booked is not held again. */
  async function findKnown(
    tx: Tx,
    bookingId: string,
    nowMs: number,
  ): Promise<Outcome<SystemHold> | undefined> {
    const [found, booking] = await Promise.all([
      holds.findHold(tx, bookingId),
      store.findReservation(tx, bookingId),
    ]);
    if (booking) return ENDED;
    return found && found.hold.expiresMs > nowMs ? ok(found.hold) : undefined;
  }

  async function lockPlace(tx: Tx, bookingId: string, nowMs: number): Promise<holds.HeldPlace | undefined> {
    const found = await holds.findHold(tx, bookingId);
    if (!found) return undefined;
    const [, place] = await Promise.all([
      lock(tx, found.days),
      // Sent together and carried out in this order: what is read is what the locks have waited for.
      holds.lockHeldPlace(tx, bookingId, nowMs),
    ]);
    return place;
  }

  async function extend(
    tx: Tx,
    bookingId: string,
    untilMs: number,
    nowMs: number,
  ): Promise<Outcome<SystemHold>> {
    const place = await lockPlace(tx, bookingId, nowMs);
    if (!place) return ENDED;
    const { startMs, durationMinutes } = place.seat;
    const expiresMs = await holds.extendHold(tx, bookingId, untilMs);
    return ok({ bookingId, startMs, durationMinutes, expiresMs });
  }

  async function confirm(tx: Tx, { bookingId, nowMs }: PlaceRequest): Promise<Outcome<SystemBooking>> {
    const place = await lockPlace(tx, bookingId, nowMs);
    if (!place) {
      const booking = await store.findReservation(tx, bookingId);
      return booking ? ok(booking) : ENDED;
    }
    const tables = new Map(place.tables.map((table) => [table.id, table]));
    const outcomes = await insertSeats(tx, [{ ...place, tables }], random);
    const outcome = outcomes.get(bookingId) ?? NO_REFERENCE;
    if (outcome.kind === 'ok') await holds.deleteHolds(tx, [bookingId]);
    return outcome;
  }

  return {
    hold,
    extend,
    confirm,
    release: async (tx, bookingId) => ok(await holds.deleteHolds(tx, [bookingId])),
  };
}

function policiesOf(claim: Outcome<LockedClaim>): Pick<SystemHold, 'policy' | 'cancellationPolicy'> {
  if (claim.kind !== 'ok') return {};
  const { policy, cancellationPolicy } = claim.value.draft.product;
  return { policy, cancellationPolicy };
}
