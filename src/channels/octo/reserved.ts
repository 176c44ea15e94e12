/** Reservations as they are: found, changed by one request at a time, and saved under its lease. */

import type { Config } from '../../config.ts';
import type { Tx } from '../../db/database.ts';
import { type BookingRecord, type Bookings, partnerOf } from '../../features/bookings/service.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { nowOf } from '../../kernel/clock.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { AvailabilityDeps } from './availability.ts';
import { invalidId, unprocessable } from './errors.ts';
import { type LeaseContext, othersAtWork, takeLease, underLease } from './leases.ts';
import type { Lease, Reservation } from './store.ts';
import { isExpired } from './view.ts';

export interface ReservationContext extends AvailabilityDeps, LeaseContext {
  bookings: Bookings;
  config: Pick<Config, 'environment'>;
}

/** A reservation with the booking that it has become. */
export interface ReservedBooking {
  reservation: Reservation;
  booking: BookingRecord | undefined;
}

/** What a person has confirmed, where the mandate of the client wants that. */
export type Confirmed = { confirmationToken: string | null };

/** The caller's reservation, with no other request at work on it. */
export async function change(
  context: ReservationContext,
  caller: Caller,
  uuid: string,
  work: (current: ReservedBooking, lease: Lease) => Promise<ReservedBooking>,
): Promise<ReservedBooking> {
  const { id } = (await getReserved(context, caller, uuid)).reservation;
  const taken = await takeLease(context, id);
  if (!taken) throw noSuchBooking(uuid);
  const { lease, reservation } = taken;
  return underLease(context, lease, async () =>
    work({ reservation, booking: await findBooking(context, caller, id) }, lease),
  );
}

export async function getReserved(
  context: ReservationContext,
  caller: Caller,
  uuid: string,
): Promise<ReservedBooking> {
  const reservation = isUuid(uuid) ? await context.store.find(context.sql, uuid.toLowerCase()) : undefined;
  if (!reservation || reservation.partnerId !== partnerOf(caller).id || reservation.state === 'holding')
    throw noSuchBooking(uuid);
  return { reservation, booking: await findBooking(context, caller, reservation.id) };
}

const noSuchBooking = (uuid: string) => invalidId('uuid', uuid, 'BOOK-N-006', 'You have no such booking.');
export const usedUuid = (uuid: string) =>
  invalidId('uuid', uuid, 'BOOK-N-002', 'This uuid is in use; choose another.');

export async function findBooking(
  { sql, bookings }: ReservationContext,
  caller: Caller,
  id: string,
): Promise<BookingRecord | undefined> {
  const [record] = await bookings.listRecords(sql, caller, [id]);
  return record;
}

export function assertNotCancelled(current: ReservedBooking): ReservedBooking {
  const isCancelled = current.booking
    ? current.booking.status === 'cancelled'
    : current.reservation.state === 'cancelled';
  if (isCancelled) throw unprocessable('BOOK-N-014', 'The booking is cancelled.');
  return current;
}

export function assertHeld({ clock }: ReservationContext, reservation: Reservation): Reservation {
  assertNotCancelled({ reservation, booking: undefined });
  if (!isExpired(reservation, nowOf(clock))) return reservation;
  throw invalidId(
    'uuid',
    reservation.id,
    'BOOK-N-014',
    'The reservation has expired, and the place is free for others.',
  );
}

export async function save(
  { store }: ReservationContext,
  tx: Tx,
  lease: Lease,
  reservation: Reservation,
): Promise<Reservation> {
  if (!(await store.save(tx, lease, reservation))) throw othersAtWork();
  return reservation;
}
