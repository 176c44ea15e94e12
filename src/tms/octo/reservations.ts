/** The steps of a booking at a supplier: is the start to be had, reserve it, confirm it, cancel it. */
import { localOf } from '../../kernel/zone-time.ts';
import {
  type BookingRequest,
  type Outcome,
  ok,
  type PlaceRequest,
  type Refusal,
  refused,
  type SystemBooking,
} from '../contract.ts';
import { type Attempts, asSystemBooking, hasEnded, isAt, look, nextUuid, type Place } from './attempts.ts';
import { contactOf, itemsAfter, newItems } from './bodies.ts';
import { type Client, refusalFor, type SupplierError, settled, then } from './client.ts';
import { neverFits, obstacleTo, quantitiesOf, type Start, startsIn } from './offer.ts';
import type { Offers } from './products.ts';
import { Availabilities, Booking, type ReservationBody } from './schema.ts';

/** Enough for a uuid that turns out to be used, and for one that is taken while this request looks. */
const MOST_TRIES = 3;

export const unclear = (detail: string): Refusal => ({ kind: 'unknown', detail });
const OTHER_BOOKING = unclear('The system answered with another booking than the one that was meant.');

/** A request in the supplier's words. */
export interface Wanted extends Place {
  guests: number;
}

/** What a supplier is told when it reserves, besides the place. */
export type Terms = Pick<ReservationBody, 'expirationMinutes' | 'contact' | 'notes'>;

export type Reservations = ReturnType<typeof createReservations>;

export function createReservations(offers: Offers) {
  async function wantedBy(client: Client, request: PlaceRequest): Promise<Outcome<Wanted>> {
    if (request.spaceId !== null) return refused('rejected', 'The tickets are not for a space.');
    return then(await offers.offerOf(client, request.productId), ({ key, option, units }) => {
      if (neverFits(option, units, request)) return refused('party-never-fits');
      const { productId, optionId } = key;
      const { startMs, adults, children } = request;
      const quantities = quantitiesOf(units, request);
      return ok({ productId, optionId, startMs, quantities, guests: adults + children });
    });
  }

  /** The start that a request names, if so many more units can be had there. */
  async function findStart(
    client: Client,
    { zone, durationMinutes, nowMs, overrides = [] }: PlaceRequest,
    { productId, optionId, startMs, quantities, guests }: Wanted,
    units = guests,
  ): Promise<Outcome<Start>> {
    const { date } = localOf(zone, startMs);
    const days = { localDateStart: date, localDateEnd: date };
    const party = [...quantities].map(([id, quantity]) => ({ id, quantity }));
    const body = { productId, optionId, ...days, ...(units === guests && { units: party }) };
    const listed = await then(await client.read('/availability', Availabilities, body), (list) =>
      startsIn(list, zone),
    );
    return then(listed, (all) => {
      const open = all.filter(({ availability }) => availability.status !== 'CLOSED');
      if (open.length === 0) return refused('closed');
      const start = open.find((each) => each.startMs === startMs);
      if (!start) return refused('not-a-start');
      if (durationMinutes !== null && durationMinutes !== start.durationMinutes) return refused('duration');
      const obstacle = obstacleTo(start, { units, isNeverFitting: false, nowMs });
      const isWaived = obstacle === 'too-soon' && overrides.includes('notice') && startMs >= nowMs;
      return obstacle && !isWaived ? refused(obstacle) : ok(start);
    });
  }

  /** Suppliers have one code for whatever they do not accept; what has become of the start tells more. */
  async function explain(
    client: Client,
    request: PlaceRequest,
    wanted: Wanted,
    error: SupplierError,
    units = wanted.guests,
  ): Promise<Refusal> {
    if (['INVALID_PRODUCT_ID', 'INVALID_OPTION_ID', 'INVALID_UNIT_ID'].includes(error.code)) {
      offers.forget(client, wanted);
      return refusalFor(error);
    }
    const start = await findStart(client, request, wanted, units);
    return start.kind === 'refused' ? start : refusalFor(error);
  }

  /** A hold under a uuid that was never used, or what an equal request has reserved meanwhile. */
  async function reserve(
    client: Client,
    request: PlaceRequest,
    wanted: Wanted,
    terms: Terms,
    known: Attempts,
  ): Promise<Outcome<Booking>> {
    const { bookingId } = request;
    const used = new Set(known.uuids);
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const start = await findStart(client, request, wanted);
      if (start.kind !== 'ok')
        return start.kind === 'refused' ? unlessActive(client, bookingId, start) : start;
      const uuid = nextUuid(bookingId, used);
      const made = await client.write('POST', '/bookings', Booking, {
        ...terms,
        uuid,
        productId: wanted.productId,
        optionId: wanted.optionId,
        availabilityId: start.value.availability.id,
        unitItems: newItems(wanted.quantities),
        resellerReference: bookingId,
      });
      if (made.kind === 'ok') {
        if (made.value.uuid.toLowerCase() !== uuid) return OTHER_BOOKING;
        if (!hasEnded(made.value)) return made;
        used.add(uuid);
        continue;
      }
      const isUsed = made.kind === 'error' && made.code === 'INVALID_BOOKING_UUID';
      if (made.kind === 'error' && !isUsed)
        return unlessActive(client, bookingId, await explain(client, request, wanted, made));
      if (made.kind !== 'error' && made.kind !== 'unknown') return made;
      // It may have been reserved, by this call or by an equal one; or the uuid was used by what has ended.
      const now = await look(client, bookingId);
      if (now.kind !== 'ok') return unclear('Whether it was reserved could not be found out.');
      const [active] = now.value.active;
      if (active) return ok(now.value.confirmed ?? active);
      if (!now.value.uuids.has(uuid))
        return made.kind === 'error' ? unclear('The system does not accept the uuid.') : made;
      for (const each of now.value.uuids) used.add(each);
    }
    return unclear('Every uuid that was tried turned out to be used.');
  }

  /** What is taken may be taken by an equal request. */
  async function unlessActive(
    client: Client,
    bookingId: string,
    refusal: Refusal,
  ): Promise<Outcome<Booking>> {
    if (refusal.kind !== 'refused' || refusal.reason !== 'taken') return refusal;
    const now = await look(client, bookingId);
    if (now.kind !== 'ok') return unclear('Whether an equal request was carried out could not be found out.');
    const active = now.value.confirmed ?? now.value.active[0];
    return active ? ok(active) : refusal;
  }

  /** Confirms a hold at its place. One that has ended is refused as `hold-ended`. */
  async function confirm(
    client: Client,
    { bookingId, details }: BookingRequest,
    held: Booking,
    place: Place,
  ): Promise<Outcome<SystemBooking>> {
    const answer = await client.write('POST', `/bookings/${held.uuid}/confirm`, Booking, {
      resellerReference: bookingId,
      contact: contactOf(details),
      unitItems: itemsAfter(held, place.quantities),
    });
    if (answer.kind === 'ok')
      return answer.value.uuid === held.uuid
        ? confirmed(client, bookingId, answer.value, place)
        : OTHER_BOOKING;
    if (answer.kind !== 'error') return answer;
    const now = await look(client, bookingId);
    if (now.kind !== 'ok') return unclear('Whether it was confirmed could not be found out.');
    if (now.value.confirmed) return confirmed(client, bookingId, now.value.confirmed, place);
    if (!now.value.held) return refused('hold-ended');
    await cancelOne(client, now.value.held.uuid);
    const refusal = refusalFor(answer);
    const isGone = refusal.kind === 'refused' && refusal.reason === 'not-found';
    return isGone ? refused('hold-ended') : refusal;
  }

  /** Nothing counts as confirmed but what was asked for. */
  async function confirmed(
    client: Client,
    bookingId: string,
    booking: Booking,
    place: Place,
  ): Promise<Outcome<SystemBooking>> {
    if (booking.status === 'PENDING') return withdraw(client, booking);
    const isMeant = booking.status === 'CONFIRMED' || booking.status === 'REDEEMED';
    const made = isMeant && isAt(booking, place) ? asSystemBooking(bookingId, booking) : undefined;
    return made ? ok(made) : OTHER_BOOKING;
  }

  /** What the supplier has to agree to first cannot be sold at once. */
  async function withdraw(client: Client, { uuid }: Booking): Promise<Outcome<never>> {
    const cancelled = await cancelOne(client, uuid);
    return cancelled.kind === 'ok'
      ? refused('enquiry-only')
      : unclear('The system has not confirmed the booking yet, and it could not be withdrawn.');
  }

  /** Cancelling what has ended is an error to some suppliers, so errors are looked into. */
  async function cancelOne(client: Client, uuid: string): Promise<Outcome<void>> {
    const path = `/bookings/${uuid}`;
    const answer = await client.write('POST', `${path}/cancel`, Booking, {
      reason: 'Cancelled by the guest.',
    });
    if (answer.kind === 'ok')
      return hasEnded(answer.value) && answer.value.uuid === uuid ? ok(undefined) : OTHER_BOOKING;
    if (answer.kind !== 'error') return answer;
    const found = await client.read(path, Booking);
    if (found.kind === 'ok') return hasEnded(found.value) ? ok(undefined) : refusalFor(answer);
    const refusal = settled(found);
    if (refusal.kind === 'refused' && refusal.reason === 'not-found') return ok(undefined);
    return unclear('Whether it was cancelled could not be found out.');
  }

  return { wantedBy, findStart, explain, reserve, confirm, confirmed, withdraw, cancelOne };
}
