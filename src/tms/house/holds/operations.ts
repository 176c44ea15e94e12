import type { Tx } from '../../../db/database.ts';
import {
  type HoldRequest,
  holdingOneByOne,
  type LocalHoldOperations,
  type Outcome,
  ok,
  type PlaceRequest,
  refused,
  type SystemBooking,
  type SystemHold,
} from '../../contract.ts';
import { type LockedClaim, lockClaims } from '../claims.ts';
import type { ConfigCache } from '../config-cache.ts';
import { type DecidedSeat, insertSeats, seatFor } from '../seats.ts';
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

export function createHolds({ configs, lock, occupied, random }: HoldContext): LocalHoldOperations {
  /** One after the other, so that each sees the tables that those before it were given. */
  async function holdAll(tx: Tx, asked: readonly HoldRequest[]): Promise<Outcome<SystemHold>[]> {
    const claims = asked.map(({ request }) => ({ request }));
    const locked = await lockClaims(tx, claims, { configs, lock });
    const outcomes = new Map<string, Outcome<SystemHold>>();
    const made: holds.NewHold[] = [];
    for (const [index, { request, untilMs }] of asked.entries()) {
      const { bookingId } = request;
      const claim = locked[index] ?? ENDED;
      const outcome = await decide(tx, request, { claim, untilMs, given: made });
      if ('seat' in outcome) made.push({ ...outcome, untilMs, nowMs: request.nowMs });
      else outcomes.set(bookingId, outcome);
    }
    const nowMs = Math.min(...asked.map(({ request }) => request.nowMs));
    const written = await holds.insertHolds(tx, made, nowMs);
    for (const [index, { request, untilMs }] of asked.entries()) {
      const { bookingId } = request;
      const hold = made.find((each) => each.bookingId === bookingId);
      if (!hold) continue;
      const { startMs, durationMinutes } = hold.seat;
      const policies = policiesOf(locked[index] ?? ENDED);
      const own = ok({ bookingId, startMs, durationMinutes, expiresMs: untilMs, ...policies });
      // Otherwise the same booking was held on another day at the same time.
      outcomes.set(bookingId, written.has(bookingId) ? own : await knownOr(tx, request, ENDED));
    }
    return asked.map(({ request }) => outcomes.get(request.bookingId) ?? ENDED);
  }

  interface Decision {
    claim: Outcome<LockedClaim>;
    untilMs: number;
    /** In the same transaction. */
    given: readonly DecidedSeat[];
  }

  /** The seat to be held, or what is known already, or why there is none. */
  async function decide(
    tx: Tx,
    request: PlaceRequest,
    { claim, untilMs, given }: Decision,
  ): Promise<Outcome<SystemHold> | (DecidedSeat & Pick<holds.NewHold, 'days'>)> {
    if (untilMs <= request.nowMs) return ENDED;
    // The first of two equal calls may have been given the very table that the second one misses.
    if (claim.kind !== 'ok' || claim.value.live.isHeld || claim.value.live.isReserved) {
      const known = await findKnown(tx, request.bookingId, request.nowMs);
      if (known) return known.kind === 'ok' ? ok({ ...known.value, ...policiesOf(claim) }) : known;
    }
    if (claim.kind !== 'ok') return claim;
    const seat = seatFor(request, claim.value, { given, occupied });
    return seat.kind === 'ok' ? { ...seat.value, days: claim.value.days } : seat;
  }

  const knownOr = async (tx: Tx, { bookingId, nowMs }: PlaceRequest, other: Outcome<SystemHold>) =>
    (await findKnown(tx, bookingId, nowMs)) ?? other;

  /** Undefined: nothing is held or booked under the id. What is booked is not held again. */
  async function findKnown(
    tx: Tx,
    bookingId: string,
    nowMs: number,
  ): Promise<Outcome<SystemHold> | undefined> {
    const [found, booking] = await Promise.all([
      holds.findHolds(tx, [bookingId]),
      store.findReservation(tx, bookingId),
    ]);
    if (booking) return ENDED;
    const hold = found.get(bookingId)?.hold;
    return hold && hold.expiresMs > nowMs ? ok(hold) : undefined;
  }

  /** The places of those that have not ended, with their days locked. */
  async function lockPlaces(
    tx: Tx,
    wanted: readonly Pick<PlaceRequest, 'bookingId' | 'nowMs'>[],
  ): Promise<Map<string, holds.HeldPlace>> {
    const found = await holds.findHolds(tx, wanted.map(idOf));
    if (found.size === 0) return new Map();
    const days = [...found.values()].flatMap((each) => each.days);
    const [, places] = await Promise.all([
      lock(tx, days),
      // Sent together and carried out in this order: what is read is what the locks have waited for.
      holds.lockHeldPlaces(tx, wanted),
    ]);
    return places;
  }

  async function extend(
    tx: Tx,
    bookingId: string,
    untilMs: number,
    nowMs: number,
  ): Promise<Outcome<SystemHold>> {
    const place = (await lockPlaces(tx, [{ bookingId, nowMs }])).get(bookingId);
    if (!place) return ENDED;
    const { startMs, durationMinutes } = place.seat;
    const expiresMs = await holds.extendHold(tx, bookingId, { untilMs, nowMs });
    return ok({ bookingId, startMs, durationMinutes, expiresMs });
  }

  async function confirmAll(tx: Tx, requests: readonly PlaceRequest[]): Promise<Outcome<SystemBooking>[]> {
    const places = await lockPlaces(tx, requests);
    const seats = [...places.values()].map((place) => ({
      ...place,
      tables: new Map(place.tables.map((table) => [table.id, table])),
    }));
    const placeless = requests.map(idOf).filter((bookingId) => !places.has(bookingId));
    // Sent together.
    const [outcomes, earlier] = await Promise.all([
      insertSeats(tx, seats, random),
      store.findReservations(tx, placeless),
      holds.deleteHolds(tx, [...places.keys()]),
    ]);
    for (const [bookingId, booking] of earlier) outcomes.set(bookingId, ok(booking));
    return requests.map(
      ({ bookingId }) => outcomes.get(bookingId) ?? (places.has(bookingId) ? NO_REFERENCE : ENDED),
    );
  }

  return holdingOneByOne({
    holdAll,
    extend,
    confirmAll,
    release: async (tx, bookingId) => ok(await holds.deleteHolds(tx, [bookingId])),
  });
}

const idOf = ({ bookingId }: { bookingId: string }) => bookingId;

function policiesOf(claim: Outcome<LockedClaim>): Pick<SystemHold, 'policy' | 'cancellationPolicy'> {
  if (claim.kind !== 'ok') return {};
  const { policy, cancellationPolicy } = claim.value.draft.product;
  return { policy, cancellationPolicy };
}
