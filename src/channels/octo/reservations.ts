import { type BookingRecord, refundPercent } from '../../features/bookings/service.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { nowOf } from '../../kernel/clock.ts';
import { problem } from '../../kernel/problem.ts';
import { dateTimeOf } from '../../kernel/zone-time.ts';
import {
  detailsFrom,
  expiryFrom,
  GUEST,
  LONGEST_HOLD_MINUTES,
  newBookingOf,
  readPlace,
  unitsFrom,
} from './asked.ts';
import { commentsOf, NO_DETAILS, namesOf } from './contact.ts';
import { unprocessable } from './errors.ts';
import { othersAtWork } from './leases.ts';
import { getProduct } from './products.ts';
import type { ConfirmationBody, UpdateBody } from './request-schema.ts';
import {
  assertHeld,
  assertNotCancelled,
  type Confirmed,
  change,
  type ReservationContext,
  type ReservedBooking,
  save,
} from './reserved.ts';
import type { Refund } from './schema.ts';
import { holdsLease, type Lease, type Reservation } from './store.ts';
import { statusOf } from './view.ts';

/** Makes the booking of the held place; confirming what is confirmed changes nothing. */
export function confirm(
  context: ReservationContext,
  caller: Caller,
  uuid: string,
  body: ConfirmationBody,
): Promise<ReservedBooking> {
  return change(context, caller, uuid, async (current, lease) => {
    if (current.booking) return assertNotCancelled(current);
    const held = assertHeld(context, current.reservation);
    const sold = await getProduct(context, caller, held.productId);
    const units = body.unitItems ? unitsFrom(sold, body.unitItems, held.units) : held.units;
    const wanted: Reservation = {
      ...held,
      units,
      resellerReference: body.resellerReference || held.resellerReference,
      details: detailsFrom(held.details ?? NO_DETAILS, body, units),
      updatedAt: nowOf(context.clock),
    };
    const names = namesOf(wanted.details?.contact ?? {});
    if (!names)
      throw problem('VALID-N-001', {
        detail: 'A booking is confirmed with the name of a guest: contact.firstName and contact.lastName.',
        errors: { contact: ['must have firstName and lastName, or fullName'] },
        extensions: { error: 'UNPROCESSABLE_ENTITY' },
      });
    const { confirmationToken = null } = body;
    const booking = newBookingOf(wanted, names, confirmationToken);
    const reservation =
      units.length === held.units.length
        ? await save(context, context.sql, lease, wanted)
        : await moveHold(context, caller, { held, wanted, lease, confirmationToken });
    await context.bookings.place(caller, { ...booking, id: held.id, isHeld: true }, async (tx) => {
      if (!(await holdsLease(tx, lease))) throw othersAtWork();
    });
    return { reservation, booking: await context.bookings.getRecord(caller, held.id) };
  });
}

export function extend(
  context: ReservationContext,
  caller: Caller,
  uuid: string,
  minutes: number | null | undefined,
): Promise<ReservedBooking> {
  return change(context, caller, uuid, async ({ reservation, booking }, lease) => {
    if (booking) throw unprocessable('BOOK-N-014', 'The booking is confirmed, and no longer on hold.');
    const held = assertHeld(context, reservation);
    return { reservation: await extendHold(context, held, minutes, lease), booking };
  });
}

async function extendHold(
  context: ReservationContext,
  held: Reservation,
  minutes: number | null | undefined,
  lease: Lease,
): Promise<Reservation> {
  const now = nowOf(context.clock);
  const until = expiryFrom(now, minutes, held.createdAt);
  if (Temporal.Instant.compare(until, now) <= 0)
    throw unprocessable('BOOK-N-009', `A place is held for at most ${LONGEST_HOLD_MINUTES} minutes in all.`);
  const extended = await context.bookings.extendHold(held, until);
  const expiresAt = Temporal.Instant.fromEpochMilliseconds(extended.expiresMs);
  return save(context, context.sql, lease, { ...held, expiresAt, updatedAt: now });
}

/** Releases a hold, or cancels the booking by its terms. Cancelling twice is no mistake. */
export function cancel(
  context: ReservationContext,
  caller: Caller,
  uuid: string,
  reason: string | null,
): Promise<ReservedBooking> {
  return change(context, caller, uuid, async (current, lease) => {
    const { reservation, booking } = current;
    const now = nowOf(context.clock);
    if (statusOf(reservation, booking, now) === 'CANCELLED') return current;
    if (booking) await context.bookings.cancel(caller, booking.id);
    else await context.bookings.releaseHold(reservation);
    const cancelled = await save(context, context.sql, lease, {
      ...reservation,
      state: 'cancelled',
      refund: booking ? refundOf(booking, now) : 'FULL',
      // A guest who was forgotten stays forgotten.
      details: reservation.details && { ...reservation.details, reason },
      updatedAt: now,
      cancelledAt: now,
    });
    return {
      reservation: cancelled,
      booking: booking && (await context.bookings.getRecord(caller, booking.id)),
    };
  });
}

function refundOf(booking: BookingRecord, moment: Temporal.Instant): Refund {
  const percent = refundPercent(booking, moment);
  if (percent >= 100) return 'FULL';
  return percent > 0 ? 'PARTIAL' : 'NONE';
}

export function update(
  context: ReservationContext,
  caller: Caller,
  uuid: string,
  body: UpdateBody,
): Promise<ReservedBooking> {
  return change(context, caller, uuid, async (current, lease) => {
    assertNotCancelled(current);
    const { reservation, booking } = current;
    const { sold, startsAt } = await readPlace(context, caller, {
      productId: body.productId ?? (booking ?? reservation).productId,
      optionId: body.optionId ?? undefined,
      availabilityId:
        body.availabilityId ??
        dateTimeOf(reservation.timeZone, (booking ?? reservation).startsAt.epochMilliseconds),
    });
    // Another product may have another unit.
    const sent = body.unitItems ?? reservation.units.map((unit) => ({ ...unit, unitId: sold.unitId }));
    const units = unitsFrom(sold, sent, reservation.units);
    const wanted: Reservation = {
      ...reservation,
      productId: sold.product.id,
      startsAt,
      timeZone: sold.venue.timeZone,
      units,
      resellerReference: body.resellerReference || reservation.resellerReference,
      details: detailsFrom(reservation.details ?? NO_DETAILS, body, units),
      updatedAt: nowOf(context.clock),
    };
    if (booking) return amend(context, caller, { wanted, booking, body, lease });
    const held = assertHeld(context, reservation);
    const isMoving =
      wanted.productId !== held.productId ||
      !wanted.startsAt.equals(held.startsAt) ||
      units.length !== held.units.length;
    const moved = isMoving
      ? await moveHold(context, caller, { held, wanted, lease, ...confirmedBy(body) })
      : await save(context, context.sql, lease, wanted);
    if (body.expirationMinutes == null) return { reservation: moved, booking };
    return { reservation: await extendHold(context, moved, body.expirationMinutes, lease), booking };
  });
}

/** What is confirmed is amended as every booking is, and only in what was sent. */
async function amend(
  context: ReservationContext,
  caller: Caller,
  {
    wanted,
    booking,
    body,
    lease,
  }: { wanted: Reservation; booking: BookingRecord; body: UpdateBody; lease: Lease },
): Promise<ReservedBooking> {
  const { contact, details } = {
    contact: wanted.details?.contact ?? {},
    details: wanted.details ?? NO_DETAILS,
  };
  const names = namesOf(contact);
  await context.bookings.amend(caller, booking.id, (current) => ({
    ...current,
    compositeId: wanted.productId,
    ...(body.availabilityId != null && {
      dateTime: wanted.startsAt.toString(),
      date: null,
      time: null,
    }),
    ...(body.unitItems && { partySize: wanted.units.length, children: 0 }),
    ...(body.resellerReference && { partnerBookingId: body.resellerReference }),
    ...(body.contact && {
      ...names,
      email: contact.emailAddress || current.email,
      phone: contact.phoneNumber || current.phone,
    }),
    ...confirmedBy(body),
    ...((body.contact || body.notes !== undefined) && { notes: commentsOf(details) }),
  }));
  const after = await context.bookings.getRecord(caller, booking.id);
  const { productId, startsAt, durationMinutes } = after;
  const reservation = { ...wanted, productId, startsAt, durationMinutes, updatedAt: after.lastUpdate };
  return { reservation: await save(context, context.sql, lease, reservation), booking: after };
}

const confirmedBy = ({ confirmationToken = null }: UpdateBody): Confirmed => ({ confirmationToken });

interface MovedReservation extends Confirmed {
  held: Reservation;
  wanted: Reservation;
  lease: Lease;
}

/** The reservation is saved in the transaction that moves the hold, so that both always say the same. */
async function moveHold(
  context: ReservationContext,
  caller: Caller,
  { held, wanted, lease, confirmationToken }: MovedReservation,
): Promise<Reservation> {
  let moved = wanted;
  await context.bookings.moveHold(caller, held, {
    booking: newBookingOf(wanted, namesOf(wanted.details?.contact ?? {}) ?? GUEST, confirmationToken),
    until: held.expiresAt,
    async keep(tx, { startMs, durationMinutes, expiresMs }) {
      moved = {
        ...wanted,
        startsAt: Temporal.Instant.fromEpochMilliseconds(startMs),
        durationMinutes,
        expiresAt: Temporal.Instant.fromEpochMilliseconds(expiresMs),
      };
      await save(context, tx, lease, moved);
    },
  });
  return moved;
}
