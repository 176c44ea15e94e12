import { inTransaction } from '../../db/database.ts';
import { type Bookings, partnerOf } from '../../features/bookings/service.ts';
import { fingerprintOf } from '../../features/idempotency/service.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { nowOf } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { Problem } from '../../kernel/problem.ts';
import { detailsFrom, expiryFrom, GUEST, newBookingOf, readPlace, unitsFrom } from './asked.ts';
import { NO_DETAILS } from './contact.ts';
import { unprocessable } from './errors.ts';
import { leaseEnd, newLease, othersAtWork, takeLease, underLease } from './leases.ts';
import type { ReservationBody } from './request-schema.ts';
import {
  type Confirmed,
  findBooking,
  type ReservationContext,
  type ReservedBooking,
  save,
  usedUuid,
} from './reserved.ts';
import { type Lease, type Reservation, removeUnheld } from './store.ts';

/** The same request again is answered with what has become of the first. */
export async function reserve(
  context: ReservationContext,
  caller: Caller,
  body: ReservationBody,
): Promise<ReservedBooking> {
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

async function repeat(
  context: ReservationContext,
  caller: Caller,
  known: Reservation,
  { partnerId, fingerprint, confirmationToken }: Pick<Reservation, 'partnerId' | 'fingerprint'> & Confirmed,
): Promise<ReservedBooking> {
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
): Promise<ReservedBooking> {
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
