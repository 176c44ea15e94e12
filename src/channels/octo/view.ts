/** A reservation as OCTO shows it: of the hold, or of the booking that it has become. */
import { createHash } from 'node:crypto';
import { type BookingRecord, guestsOf } from '../../features/bookings/service.ts';
import { timestampOf } from '../../kernel/clock.ts';
import { startView } from './availability.ts';
import { bookedContact, bookedNotes, contactView } from './contact.ts';
import { pricingOf } from './products.ts';
import { type OctoBooking, type OctoStatus, OPTION_ID } from './schema.ts';
import type { Reservation, UnitRecord } from './store.ts';

export interface ViewContext {
  now: Temporal.Instant;
  isTest: boolean;
  /** What a unit costs now; undefined: the caller does not want prices. */
  pricePence: number | null | undefined;
}

export const isExpired = ({ expiresAt }: Reservation, now: Temporal.Instant) =>
  Temporal.Instant.compare(expiresAt, now) <= 0;

export function statusOf(
  reservation: Reservation,
  booking: BookingRecord | undefined,
  now: Temporal.Instant,
): OctoStatus {
  if (!booking) {
    if (reservation.state === 'cancelled') return 'CANCELLED';
    return isExpired(reservation, now) ? 'EXPIRED' : 'ON_HOLD';
  }
  switch (booking.status) {
    case 'cancelled':
      return 'CANCELLED';
    case 'rejected':
      return 'REJECTED';
    case 'pending':
    case 'in_progress':
      return 'PENDING';
    case 'completed':
      return 'REDEEMED';
    case 'confirmed':
    case 'no_show':
      return 'CONFIRMED';
  }
}

export function bookingView(
  reservation: Reservation,
  booking: BookingRecord | undefined,
  context: ViewContext,
): OctoBooking {
  const { id, details, timeZone, createdAt, expiresAt } = reservation;
  const { now, pricePence } = context;
  const status = statusOf(reservation, booking, now);
  const startMs = (booking ?? reservation).startsAt.epochMilliseconds;
  const start = startView(timeZone, startMs, (booking ?? reservation).durationMinutes);
  const redeemedAt = status === 'REDEEMED' && booking ? timestampOf(redeemedOf(booking)) : null;
  const supplierReference = booking?.operatorBookingId ?? null;
  const units = booking ? unitsOf(reservation, guestsOf(booking)) : reservation.units;
  const price = { pricePence: booking?.pricePerGuestPence ?? pricePence ?? null };
  const isPriced = pricePence !== undefined;
  return {
    id,
    uuid: id,
    testMode: context.isTest,
    resellerReference: booking ? booking.partnerBookingId : reservation.resellerReference,
    supplierReference,
    status,
    utcCreatedAt: timestampOf(createdAt),
    utcUpdatedAt: timestampOf(updatedOf(reservation, booking)),
    utcExpiresAt: status === 'ON_HOLD' || status === 'EXPIRED' ? timestampOf(expiresAt) : null,
    utcRedeemedAt: redeemedAt,
    utcConfirmedAt: booking ? timestampOf(booking.createdAt) : null,
    productId: (booking ?? reservation).productId,
    optionId: OPTION_ID,
    cancellable: status === 'ON_HOLD' || (status === 'CONFIRMED' && startMs > now.epochMilliseconds),
    cancellation: status === 'CANCELLED' ? cancellationOf(reservation, booking) : null,
    freesale: false,
    availabilityId: start.id,
    availability: {
      ...start,
      available: true,
      status: 'AVAILABLE',
      vacancies: null,
      capacity: null,
      maxUnits: null,
      openingHours: [],
    },
    contact: booking ? bookedContact(booking, details) : contactView(details?.contact),
    notes: booking ? bookedNotes(booking, details) : (details?.notes ?? null),
    deliveryMethods: ['VOUCHER'],
    voucher: {
      redemptionMethod: 'MANIFEST',
      utcRedeemedAt: redeemedAt,
      deliveryOptions:
        supplierReference === null ? [] : [{ deliveryFormat: 'QRCODE', deliveryValue: supplierReference }],
    },
    unitItems: units.map(({ uuid, unitId, resellerReference }) => ({
      uuid,
      resellerReference,
      supplierReference: null,
      unitId,
      status,
      utcRedeemedAt: redeemedAt,
      contact: contactView(details?.unitContacts[uuid]),
      ticket: null,
      ...(isPriced && { pricing: pricingOf(price, 1) }),
    })),
    ...(isPriced && { pricing: pricingOf(price, units.length) }),
  };
}

const redeemedOf = ({ visit, lastUpdate }: BookingRecord) => visit.arrivedAt ?? visit.seatedAt ?? lastUpdate;

function updatedOf({ updatedAt }: Reservation, booking: BookingRecord | undefined): Temporal.Instant {
  if (!booking) return updatedAt;
  return Temporal.Instant.compare(booking.lastUpdate, updatedAt) > 0 ? booking.lastUpdate : updatedAt;
}

/** What the venue itself has cancelled is refunded as a whole. */
const cancellationOf = (
  { refund, details, cancelledAt, updatedAt }: Reservation,
  booking: BookingRecord | undefined,
) => ({
  refund: refund ?? 'FULL',
  reason: details?.reason ?? null,
  utcCancelledAt: timestampOf(cancelledAt ?? booking?.lastUpdate ?? updatedAt),
});

/** As many units as there are guests, also when their number was changed elsewhere. */
function unitsOf({ id, units }: Reservation, guests: number): UnitRecord[] {
  const unitId = units[0]?.unitId ?? '';
  return Array.from(
    { length: guests },
    (_, index) => units[index] ?? { uuid: derivedUuid(`${id} ${index}`), unitId, resellerReference: null },
  );
}

/** The same every time, so that callers can name the unit. */
function derivedUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
