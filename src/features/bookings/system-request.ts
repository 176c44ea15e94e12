/** Maps between a booking and the requests and answers of its system. */

import type { BookingDetails, PlaceRequest, PreorderLine, SystemBooking } from '../../tms/contract.ts';
import type { Bookable } from '../venues/service.ts';
import type { BookingRecord, Placement, PreorderRecord, Stay } from './record.ts';

export function requestOf(
  bookingId: string,
  { venue, product }: Bookable,
  { start, adults, children, durationMinutes, spaceId }: DraftStay,
  { blockedSpaceIds, nowMs }: { blockedSpaceIds: readonly number[]; nowMs: number },
): PlaceRequest {
  return {
    bookingId,
    productId: product.id,
    venueId: venue.id,
    zone: venue.timeZone,
    ...start,
    adults,
    children,
    durationMinutes,
    spaceId,
    blockedSpaceIds,
    nowMs,
  };
}

/** The request that would make a booking again as it stands. */
export function currentRequest(record: BookingRecord, nowMs: number): PlaceRequest {
  return {
    bookingId: record.id,
    productId: record.productId,
    venueId: record.venueId,
    zone: record.venue.timeZone,
    date: record.date,
    minute: record.minute,
    startMs: record.startsAt.epochMilliseconds,
    adults: record.adults,
    children: record.children,
    durationMinutes: record.requestedDurationMinutes,
    spaceId: record.spaceId,
    nowMs,
    isConfirmedByOperator: true,
    overrides: ['notice'],
  };
}

type Described = Pick<
  BookingRecord,
  'guest' | 'preorders' | 'partnerId' | 'partnerSource' | 'partnerBookingId' | 'depositPence'
>;

/** What the venue is told besides the place. */
export function detailsOf(booking: Described): BookingDetails {
  const { guest, preorders, partnerId, partnerSource, partnerBookingId, depositPence } = booking;
  return {
    guest: guest && {
      firstName: guest.firstName,
      lastName: guest.lastName,
      email: guest.email,
      phone: guest.phone,
    },
    company: guest?.company ?? null,
    notes: guest?.comments ?? null,
    preorders: linesOf(preorders),
    partner: partnerId === null ? null : { name: partnerSource, bookingId: partnerBookingId },
    depositPence,
  };
}

const linesOf = ({ packages, menus }: PreorderRecord): PreorderLine[] => [
  ...packages.map(({ name, quantity, pricePence }) => ({ name, quantity, pricePence })),
  ...menus.flatMap((menu) =>
    menu.items.map(({ name, quantity, pricePence, options }) => ({
      name: [name, ...options.map((option) => option.value)].join(', '),
      quantity,
      pricePence,
    })),
  ),
];

/** Whether two stays are the same request to the system. */
export function isSameStay(a: AskedStay, b: AskedStay): boolean {
  return (
    a.productId === b.productId &&
    a.date === b.date &&
    a.startsAt.equals(b.startsAt) &&
    a.adults === b.adults &&
    a.children === b.children &&
    a.requestedDurationMinutes === b.requestedDurationMinutes &&
    a.spaceId === b.spaceId
  );
}

/** How long the party then stays, the system says. */
type AskedStay = Omit<Stay, 'durationMinutes'>;

/** As much of a requested place as a system reports. */
export type ReportedPlace = Pick<PlaceRequest, 'startMs' | 'adults' | 'children' | 'durationMinutes'>;

/**
 * Whether what the system holds is what was requested. It does not report space and product, so requests that differ
 * only in these cannot be distinguished.
 */
export function fits(held: SystemBooking, request: ReportedPlace): boolean {
  return (
    held.startMs === request.startMs &&
    held.guests === request.adults + request.children &&
    (request.durationMinutes === null || held.durationMinutes === request.durationMinutes)
  );
}

export function placementOf(
  held: SystemBooking,
  now: Temporal.Instant,
): Placement & { durationMinutes: number; wasPlaced: true } {
  const { reference, areaId, areaName, tables, durationMinutes, pricePerGuestPence } = held;
  return {
    operatorBookingId: reference,
    tmsCreatedAt: now,
    area: areaId === null ? null : { id: areaId, name: areaName ?? '' },
    tables,
    durationMinutes,
    pricePerGuestPence,
    wasPlaced: true,
  };
}

/**
 * The placement after a change; at the same start, also with fewer tickets, the price stays the one that was paid.
 */
export function movedPlacement(
  before: BookingRecord,
  { productId, startsAt }: Pick<Stay, 'productId' | 'startsAt'>,
  held: SystemBooking,
  now: Temporal.Instant,
): ReturnType<typeof placementOf> {
  const isSameTicket = before.productId === productId && before.startsAt.equals(startsAt);
  return {
    ...placementOf(held, before.tmsCreatedAt ?? now),
    ...(isSameTicket && { pricePerGuestPence: before.pricePerGuestPence }),
  };
}

export function stayOf({ start, adults, children, durationMinutes, spaceId }: DraftStay) {
  return {
    date: start.date,
    minute: start.minute,
    startsAt: Temporal.Instant.fromEpochMilliseconds(start.startMs),
    requestedDurationMinutes: durationMinutes,
    adults,
    children,
    spaceId,
  };
}

/** When, how many, how long and where: the part of a booking request that is sent to the system. */
export interface DraftStay {
  start: BookingStart;
  adults: number;
  children: number;
  durationMinutes: number | null;
  spaceId: number | null;
}

/** The start of a booking: trading day, minute of it, and the instant behind both. */
export interface BookingStart {
  date: string;
  minute: number;
  startMs: number;
}
