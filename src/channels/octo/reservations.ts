import type { Config } from '../../config.ts';
import { inTransaction, type Tx } from '../../db/database.ts';
import {
  type BookingRecord,
  type Bookings,
  partnerOf,
  refundPercent,
} from '../../features/bookings/service.ts';
import { fingerprintOf } from '../../features/idempotency/service.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { nowOf } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { isUuid } from '../../kernel/ids.ts';
import { Problem, problem } from '../../kernel/problem.ts';
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
import type { AvailabilityDeps } from './availability.ts';
import { commentsOf, NO_DETAILS, namesOf } from './contact.ts';
import { invalidId, unprocessable } from './errors.ts';
import { type LeaseContext, leaseEnd, newLease, othersAtWork, takeLease, underLease } from './leases.ts';
import { getProduct } from './products.ts';
import type { ConfirmationBody, Refund, ReservationBody, UpdateBody } from './schema.ts';
import { holdsLease, type Lease, type Reservation, removeUnheld } from './store.ts';
import { isExpired, statusOf } from './view.ts';

export interface ReservationContext extends AvailabilityDeps, LeaseContext {
  bookings: Bookings;
  config: Pick<Config, 'environment'>;
}

/** A reservation with the booking that it has become. */
export interface Standing {
  reservation: Reservation;
  booking: BookingRecord | undefined;
}

/** The same request again is answered with what has become of the first. */
export async function reserve(
  context: ReservationContext,
  caller: Caller,
  body: ReservationBody,
): Promise<Standing> {
  const { sql, clock, store, bookings } = context;
  const { uuid, confirmationToken = null, ...content } = body;
  const id = (uuid ?? newId(clock)).toLowerCase();
  const partnerId = partnerOf(caller).id;
  const fingerprint = fingerprintOf(content);
  const known = uuid == null ? undefined : await store.find(sql, id);
  const repeated = { partnerId, fingerprint, confirmationToken };
  if (known) return repeat(context, caller, known, repeated);
  const { sold, startsAt } = await readPlace(context, caller, body);
  const units = unitsFrom(sold, body.unitItems ?? [], []);
  const now = nowOf(clock);
  if (uuid != null) await assertUnused(bookings, caller, id);
  const reservation: Reservation = {
    id,
    partnerId,
    clientId: caller.clientId,
    fingerprint,
    state: 'holding',
    productId: sold.product.id,
    startsAt,
    timeZone: sold.venue.timeZone,
    durationMinutes: 0,
    units,
    resellerReference: body.resellerReference || null,
    details: detailsFrom(NO_DETAILS, body, units),
    expiresAt: expiryFrom(now, body.expirationMinutes, now),
    refund: null,
    createdAt: now,
    updatedAt: now,
    cancelledAt: null,
  };
  const lease = newLease(id);
  const isNew = await inTransaction(sql, async (tx) => {
    await bookings.assertMayHold(tx, caller, { id, venueId: sold.venue.id });
    return store.insert(tx, reservation, lease, leaseEnd(clock));
  });
  if (isNew)
    return underLease(context, lease, () => hold(context, caller, { reservation, lease, confirmationToken }));
  const other = await store.find(sql, id);
  if (!other) throw othersAtWork();
  return repeat(context, caller, other, repeated);
}

/** What a person has confirmed, where the mandate of the client wants that. */
type Confirmed = { confirmationToken: string | null };

async function repeat(
  context: ReservationContext,
  caller: Caller,
  known: Reservation,
  { partnerId, fingerprint, confirmationToken }: Pick<Reservation, 'partnerId' | 'fingerprint'> & Confirmed,
): Promise<Standing> {
  if (known.partnerId !== partnerId) throw usedUuid(known.id);
  if (!fingerprint.equals(known.fingerprint))
    throw unprocessable('BOOK-N-002', 'You have used this uuid for another reservation.');
  const taken = await takeLease(context, known.id);
  // The request that was at work was refused, and this one is the next.
  if (!taken) throw othersAtWork();
  const { lease, reservation } = taken;
  return underLease(context, lease, async () =>
    reservation.state === 'holding'
      ? hold(context, caller, { reservation, lease, confirmationToken })
      : { reservation, booking: await findBooking(context, caller, reservation.id) },
  );
}

/** Holding is repeatable: a hold that an earlier attempt has left is found again. */
async function hold(
  context: ReservationContext,
  caller: Caller,
  { reservation, lease, confirmationToken }: { reservation: Reservation; lease: Lease } & Confirmed,
): Promise<Standing> {
  const { sql, bookings } = context;
  try {
    const booking = { id: reservation.id, ...newBookingOf(reservation, GUEST, confirmationToken) };
    const held = await bookings.hold(caller, booking, reservation.expiresAt);
    const changed: Reservation = {
      ...reservation,
      state: 'held',
      startsAt: Temporal.Instant.fromEpochMilliseconds(held.startMs),
      durationMinutes: held.durationMinutes,
      expiresAt: Temporal.Instant.fromEpochMilliseconds(held.expiresMs),
    };
    await save(context, sql, lease, changed);
    return { reservation: changed, booking: undefined };
  } catch (error) {
    if (error instanceof Problem && error.status < 500) await removeUnheld(sql, lease);
    throw error;
  }
}

/** Makes the booking of the held place; confirming what is confirmed changes nothing. */
export function confirm(
  context: ReservationContext,
  caller: Caller,
  uuid: string,
  body: ConfirmationBody,
): Promise<Standing> {
  return change(context, caller, uuid, async (standing, lease) => {
    if (standing.booking) return assertNotCancelled(standing);
    const held = assertHeld(context, standing.reservation);
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
): Promise<Standing> {
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
): Promise<Standing> {
  return change(context, caller, uuid, async (standing, lease) => {
    const { reservation, booking } = standing;
    const now = nowOf(context.clock);
    if (statusOf(reservation, booking, now) === 'CANCELLED') return standing;
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
): Promise<Standing> {
  return change(context, caller, uuid, async (standing, lease) => {
    assertNotCancelled(standing);
    const { reservation, booking } = standing;
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
): Promise<Standing> {
  const { contact, details } = {
    contact: wanted.details?.contact ?? {},
    details: wanted.details ?? NO_DETAILS,
  };
  const names = namesOf(contact);
  await context.bookings.amend(caller, booking.id, (standing) => ({
    ...standing,
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
      email: contact.emailAddress || standing.email,
      phone: contact.phoneNumber || standing.phone,
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

/** The caller's reservation, with no other request at work on it. */
async function change(
  context: ReservationContext,
  caller: Caller,
  uuid: string,
  work: (standing: Standing, lease: Lease) => Promise<Standing>,
): Promise<Standing> {
  const { id } = (await getStanding(context, caller, uuid)).reservation;
  const taken = await takeLease(context, id);
  if (!taken) throw noSuchBooking(uuid);
  const { lease, reservation } = taken;
  return underLease(context, lease, async () =>
    work({ reservation, booking: await findBooking(context, caller, id) }, lease),
  );
}

export async function getStanding(
  context: ReservationContext,
  caller: Caller,
  uuid: string,
): Promise<Standing> {
  const reservation = isUuid(uuid) ? await context.store.find(context.sql, uuid.toLowerCase()) : undefined;
  if (!reservation || reservation.partnerId !== partnerOf(caller).id || reservation.state === 'holding')
    throw noSuchBooking(uuid);
  return { reservation, booking: await findBooking(context, caller, reservation.id) };
}

const noSuchBooking = (uuid: string) => invalidId('uuid', uuid, 'BOOK-N-006', 'You have no such booking.');
const usedUuid = (uuid: string) =>
  invalidId('uuid', uuid, 'BOOK-N-002', 'This uuid is in use; choose another.');

async function findBooking(
  { sql, bookings }: ReservationContext,
  caller: Caller,
  id: string,
): Promise<BookingRecord | undefined> {
  const [record] = await bookings.listRecords(sql, caller, [id]);
  return record;
}

/** Whether it is the caller's or not, an id that a booking has cannot be reserved. */
async function assertUnused(bookings: Bookings, caller: Caller, id: string): Promise<void> {
  try {
    await bookings.getRecord(caller, id);
  } catch (error) {
    if (error instanceof Problem && error.code === 'BOOK-N-006') return;
    if (!(error instanceof Problem) || error.code !== 'PMAP-N-003') throw error;
  }
  throw usedUuid(id);
}

function assertNotCancelled(standing: Standing): Standing {
  const isCancelled = standing.booking
    ? standing.booking.status === 'cancelled'
    : standing.reservation.state === 'cancelled';
  if (isCancelled) throw unprocessable('BOOK-N-014', 'The booking is cancelled.');
  return standing;
}

function assertHeld({ clock }: ReservationContext, reservation: Reservation): Reservation {
  assertNotCancelled({ reservation, booking: undefined });
  if (!isExpired(reservation, nowOf(clock))) return reservation;
  throw invalidId(
    'uuid',
    reservation.id,
    'BOOK-N-014',
    'The reservation has expired, and the place is free for others.',
  );
}

async function save(
  { store }: ReservationContext,
  tx: Tx,
  lease: Lease,
  reservation: Reservation,
): Promise<Reservation> {
  if (!(await store.save(tx, lease, reservation))) throw othersAtWork();
  return reservation;
}
