/** Holds are OCTO's own first step of every booking. */
import { instantOf } from '../../kernel/rfc3339.ts';
import { MS_PER_MINUTE } from '../../kernel/zone-time.ts';
import {
  type BookingRequest,
  type Outcome,
  ok,
  type PlaceRequest,
  refused,
  type SystemBooking,
  type SystemHold,
} from '../contract.ts';
import { asSystemBooking, isAt, look, type Place } from './attempts.ts';
import { type Client, then } from './client.ts';
import { type Reservations, unclear } from './reservations.ts';
import { Booking } from './schema.ts';

const MOST_MINUTES = 24 * 60;

export function createHolds(reservations: Reservations) {
  return {
    async hold(client: Client, request: PlaceRequest, untilMs: number): Promise<Outcome<SystemHold>> {
      return then(await look(client, request.bookingId), async (known) => {
        if (known.confirmed || known.pending) return refused('hold-ended');
        return then(await reservations.wantedBy(client, request), async (wanted) => {
          if (known.held) return heldAt(request.bookingId, known.held, wanted);
          const expirationMinutes = minutesUntil(untilMs, request.nowMs);
          const reserved = await reservations.reserve(client, request, wanted, { expirationMinutes }, known);
          return then(reserved, (held) => heldAt(request.bookingId, held, wanted));
        });
      });
    },

    async extend(
      client: Client,
      bookingId: string,
      untilMs: number,
      nowMs: number,
    ): Promise<Outcome<SystemHold>> {
      return then(await look(client, bookingId), async ({ held }) => {
        if (!held) return refused('hold-ended');
        // The supplier would take what is asked for literally, and end the hold earlier.
        if (held.utcExpiresAt && instantOf(held.utcExpiresAt).epochMilliseconds >= untilMs)
          return asHold(bookingId, held);
        const expirationMinutes = minutesUntil(untilMs, nowMs);
        const path = `/bookings/${held.uuid}/extend`;
        const answer = await client.write('POST', path, Booking, { expirationMinutes });
        if (answer.kind === 'error') return refused('hold-ended', answer.message);
        return then(answer, (extended) =>
          extended.uuid === held.uuid ? asHold(bookingId, extended) : NOT_A_HOLD,
        );
      });
    },

    async confirm(client: Client, request: BookingRequest): Promise<Outcome<SystemBooking>> {
      return then(await look(client, request.bookingId), async (known) => {
        const active = known.confirmed ?? known.held;
        if (known.pending) return reservations.withdraw(client, known.pending);
        if (!active) return refused('hold-ended');
        return then(await reservations.wantedBy(client, request), (wanted) => {
          if (!isAt(active, wanted)) return refused('rejected', 'The hold is for another place.');
          return active === known.confirmed
            ? reservations.confirmed(client, request.bookingId, active, wanted)
            : reservations.confirm(client, request, active, wanted);
        });
      });
    },

    async release(client: Client, bookingId: string): Promise<Outcome<void>> {
      return then(await look(client, bookingId), ({ held }) =>
        held ? reservations.cancelOne(client, held.uuid) : ok(undefined),
      );
    },
  };
}

const NOT_A_HOLD = unclear('The system has not answered with the hold.');

/** OCTO counts in minutes; a hold that lasts a little longer than asked does no harm. */
const minutesUntil = (untilMs: number, nowMs: number) =>
  Math.min(MOST_MINUTES, Math.max(1, Math.ceil((untilMs - nowMs) / MS_PER_MINUTE)));

function heldAt(bookingId: string, booking: Booking, place: Place): Outcome<SystemHold> {
  return isAt(booking, place)
    ? asHold(bookingId, booking)
    : refused('rejected', 'Another place is held for this booking.');
}

function asHold(bookingId: string, booking: Booking): Outcome<SystemHold> {
  const made = asSystemBooking(bookingId, booking);
  const { status, utcExpiresAt } = booking;
  if (!made || status !== 'ON_HOLD' || utcExpiresAt === null) return NOT_A_HOLD;
  const { startMs, durationMinutes } = made;
  const expiresMs = instantOf(utcExpiresAt).epochMilliseconds;
  return ok({ bookingId, startMs, durationMinutes, expiresMs });
}
