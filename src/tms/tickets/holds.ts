import type { Tx } from '../../db/database.ts';
import {
  type HoldOperations,
  type Outcome,
  ok,
  type PlaceRequest,
  refused,
  type SystemBooking,
  type SystemHold,
} from '../contract.ts';
import { choose, guestsOf } from './choice.ts';
import * as holds from './hold-store.ts';
import { startOf } from './offer.ts';
import { asBooking, bookingName } from './reservation.ts';
import type * as database from './store.ts';
import { occurrenceName } from './store.ts';

/**
 * Tickets that are kept for a booking which is not made yet. The locks are those of bookings. Extending and confirming
 * need that of the occurrence too: for a request whose clock is a moment ahead the hold has ended, and only under the
 * lock it is certain that none was given the tickets.
 */

const ENDED = refused('hold-ended');

export function createHolds(store: typeof database): HoldOperations<Tx, PlaceRequest> {
  async function hold(tx: Tx, request: PlaceRequest, untilMs: number): Promise<Outcome<SystemHold>> {
    const { bookingId, productId, startMs, nowMs } = request;
    if (untilMs <= nowMs) return ENDED;
    // Sent together and carried out in this order: what is read is what the locks have waited for.
    const [, reservation, known, offers] = await Promise.all([
      store.lock(tx, [bookingName(bookingId), occurrenceName(request)]),
      store.findReservation(tx, bookingId),
      holds.findHold(tx, bookingId),
      store.findOffers(tx, request, [request.date]),
    ]);
    if (reservation) return ENDED;
    const policies = offers && policiesOf(offers);
    if (known && !hasEnded(known, nowMs)) return ok({ ...asHold(known), ...policies });
    if (!offers) return refused('no-such-product');
    const choice = choose(request, offers);
    if (choice.kind !== 'ok') return choice;
    const { occurrence, type } = choice.value;
    const { pricePence, capacity } = type;
    const quantity = guestsOf(request);
    const occurrenceId = occurrence.id;
    const made = { bookingId, productId, occurrenceId, startMs, quantity, pricePence, capacity, untilMs };
    await holds.saveHold(tx, made);
    return ok({
      bookingId,
      startMs,
      durationMinutes: occurrence.durationMinutes,
      expiresMs: untilMs,
      pricePerGuestPence: pricePence,
      ...policies,
    });
  }

  /** With its booking and its occurrence locked. */
  async function lockHold(tx: Tx, bookingId: string): Promise<holds.Hold | undefined> {
    const [, known] = await Promise.all([
      store.lock(tx, [bookingName(bookingId)]),
      holds.findHold(tx, bookingId),
    ]);
    if (!known) return undefined;
    const [, hold] = await Promise.all([
      store.lock(tx, [occurrenceName(known)]),
      holds.findHold(tx, bookingId),
    ]);
    return hold;
  }

  async function extend(
    tx: Tx,
    bookingId: string,
    untilMs: number,
    nowMs: number,
  ): Promise<Outcome<SystemHold>> {
    const held = await lockHold(tx, bookingId);
    const expiresMs = held && (await holds.extendHold(tx, bookingId, { untilMs, nowMs }));
    return held && expiresMs !== undefined ? ok({ ...asHold(held), expiresMs }) : ENDED;
  }

  async function confirm(tx: Tx, { bookingId, zone, nowMs }: PlaceRequest): Promise<Outcome<SystemBooking>> {
    const held = await lockHold(tx, bookingId);
    if (!held) {
      const reservation = await store.findReservation(tx, bookingId);
      return reservation ? ok(asBooking(reservation)) : ENDED;
    }
    const startMs = held.startsAt.epochMilliseconds;
    // The operator has moved the occurrence: these are not the tickets that were held.
    if (startOf(zone, held) !== startMs) return ENDED;
    if (!(await holds.sellHeld(tx, bookingId, nowMs))) return ENDED;
    const { productId, occurrenceId, quantity, pricePence } = held;
    const bought = { productId, occurrenceId, startMs, quantity, heldPricePence: pricePence };
    const { reference } = await store.saveReservation(tx, bookingId, bought);
    return ok(asBooking({ ...held, id: bookingId, reference }));
  }

  async function release(tx: Tx, bookingId: string): Promise<Outcome<void>> {
    await Promise.all([store.lock(tx, [bookingName(bookingId)]), holds.deleteHold(tx, bookingId)]);
    return ok(undefined);
  }

  return { hold, extend, confirm, release };
}

const hasEnded = ({ expiresAt }: holds.Hold, nowMs: number) => expiresAt.epochMilliseconds <= nowMs;

const policiesOf = ({ policy, cancellationPolicy }: database.Offers) => ({ policy, cancellationPolicy });

const asHold = (hold: holds.Hold): SystemHold => ({
  bookingId: hold.bookingId,
  startMs: hold.startsAt.epochMilliseconds,
  durationMinutes: hold.durationMinutes,
  expiresMs: hold.expiresAt.epochMilliseconds,
  pricePerGuestPence: hold.pricePence,
});
