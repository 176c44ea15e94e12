import type { Tx } from '../../db/database.ts';
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

export function createHolds(store: typeof database): LocalHoldOperations {
  /** One after the other, so that each finds what those before it were given. */
  async function holdAll(tx: Tx, asked: readonly HoldRequest[]): Promise<Outcome<SystemHold>[]> {
    const requests = asked.map(({ request }) => request);
    const names = [requests.map(({ bookingId }) => bookingName(bookingId)), requests.map(occurrenceName)];
    await store.lock(
      tx,
      names.flatMap((each) => [...new Set(each)].sort()),
    );
    const outcomes: Outcome<SystemHold>[] = [];
    for (const each of asked) outcomes.push(await hold(tx, each));
    return outcomes;
  }

  /** Under the locks. */
  async function hold(tx: Tx, { request, untilMs }: HoldRequest): Promise<Outcome<SystemHold>> {
    const { bookingId, productId, startMs, nowMs } = request;
    if (untilMs <= nowMs) return ENDED;
    const [reservation, known, offers] = await Promise.all([
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
    const made = {
      bookingId,
      productId,
      occurrenceId,
      startMs,
      quantity,
      pricePence,
      capacity,
      untilMs,
      nowMs,
    };
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

  /** With their bookings and their occurrences locked, in the order of all transactions. */
  async function lockHolds(tx: Tx, bookingIds: readonly string[]): Promise<Map<string, holds.Hold>> {
    await store.lock(tx, bookingIds.map(bookingName).sort());
    const known = await listHolds(tx, bookingIds);
    if (known.size === 0) return known;
    await store.lock(tx, [...new Set([...known.values()].map(occurrenceName))].sort());
    return listHolds(tx, bookingIds);
  }

  async function listHolds(tx: Tx, bookingIds: readonly string[]): Promise<Map<string, holds.Hold>> {
    const found = await Promise.all(bookingIds.map((bookingId) => holds.findHold(tx, bookingId)));
    return new Map(found.flatMap((hold) => (hold ? [[hold.bookingId, hold]] : [])));
  }

  async function extend(
    tx: Tx,
    bookingId: string,
    untilMs: number,
    nowMs: number,
  ): Promise<Outcome<SystemHold>> {
    const held = (await lockHolds(tx, [bookingId])).get(bookingId);
    const expiresMs = held && (await holds.extendHold(tx, bookingId, { untilMs, nowMs }));
    return held && expiresMs !== undefined ? ok({ ...asHold(held), expiresMs }) : ENDED;
  }

  async function confirmAll(tx: Tx, requests: readonly PlaceRequest[]): Promise<Outcome<SystemBooking>[]> {
    const locked = await lockHolds(
      tx,
      requests.map(({ bookingId }) => bookingId),
    );
    const outcomes: Outcome<SystemBooking>[] = [];
    for (const request of requests) outcomes.push(await confirm(tx, request, locked.get(request.bookingId)));
    return outcomes;
  }

  async function confirm(
    tx: Tx,
    { bookingId, zone, nowMs }: PlaceRequest,
    held: holds.Hold | undefined,
  ): Promise<Outcome<SystemBooking>> {
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

  return holdingOneByOne({ holdAll, extend, confirmAll, release });
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
