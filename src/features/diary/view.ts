/** What the diary shows of the things in it. */
import { timestampOf } from '../../kernel/clock.ts';
import { clockTime, dateTimeOf, MS_PER_MINUTE } from '../../kernel/zone-time.ts';
import type { ListedBlock, TakenSeat } from '../../tms/desk.ts';
import type { Layout } from '../../tms/layout.ts';
import {
  type BookingRecord,
  guestsOf,
  isCalledOff,
  isOpenEnquiry,
  optionsOf,
  partnerView,
  paymentDueOf,
  visitView,
} from '../bookings/service.ts';
import { dayRange, type Sitting, touches } from './day.ts';
import type { Diary, DiaryBlock, DiaryBooking, DiaryClosure } from './schema.ts';
import type { Closure, DiaryVenue } from './store.ts';

/** What is needed to show a booking, besides the booking. */
export interface Surroundings {
  venue: DiaryVenue;
  layout: Layout | undefined;
  seats: ReadonlyMap<string, TakenSeat>;
  partnerNames: ReadonlyMap<number, string>;
}

/** Cancelled and rejected ones are not in it. */
export const isShown = (booking: BookingRecord) => !isCalledOff(booking);

export const isEnquiry = isOpenEnquiry;

export function areasOf(layout: Layout | undefined): Diary['areas'] {
  if (!layout) return [];
  const byArea = Map.groupBy(layout.tables, ({ areaId }) => areaId);
  return layout.areas.map(({ id, zoneId, name }) => ({
    id,
    zoneId,
    name,
    tables: (byArea.get(id) ?? []).map(({ areaId: _, ...table }) => table),
  }));
}

const endMsOf = (booking: BookingRecord, seat: TakenSeat | undefined) =>
  seat?.to.epochMilliseconds ?? booking.startsAt.epochMilliseconds + booking.durationMinutes * MS_PER_MINUTE;

/** A party that came, or is expected to. */
export function sittingOf(booking: BookingRecord, seats: Surroundings['seats']): Sitting | undefined {
  if (booking.status !== 'confirmed' && booking.status !== 'completed') return undefined;
  const startMs = booking.startsAt.epochMilliseconds;
  const endMs = Math.max(startMs, endMsOf(booking, seats.get(booking.id)));
  return { startMs, endMs, covers: guestsOf(booking) };
}

export function bookingEntry(booking: BookingRecord, surroundings: Surroundings): DiaryBooking {
  const { venue, layout, seats, partnerNames } = surroundings;
  const { guest, visit, spaceId } = booking;
  const seat = seats.get(booking.id);
  const zone = venue.timeZone;
  const space = spaceId === null ? undefined : venue.spaces.find(({ id }) => id === spaceId);
  return {
    id: booking.id,
    status: booking.status,
    type: booking.type,
    date: booking.date,
    time: clockTime(booking.minute),
    start: dateTimeOf(zone, booking.startsAt.epochMilliseconds),
    end: dateTimeOf(zone, endMsOf(booking, seat)),
    partySize: booking.adults,
    children: booking.children,
    tables: seat ? seatedAt(seat, layout) : booking.tables.map((name) => ({ id: null, name })),
    visit: visitView(visit),
    guest: guest && {
      firstName: guest.firstName,
      lastName: guest.lastName,
      email: guest.email,
      phone: guest.phone,
      company: guest.company,
    },
    notes: guest?.comments ?? null,
    adminNotes: guest?.adminNotes ?? null,
    labels: guest?.labels ?? [],
    flags: booking.flags,
    partner: partnerView(booking, partnerNames),
    origin: booking.origin,
    product: { id: booking.productId, name: booking.venue.productName },
    space: space ?? null,
    reference: booking.operatorBookingId,
    money: moneyOf(booking),
    paymentDue: paymentDueOf(booking),
    createdAt: timestampOf(booking.createdAt),
    lastUpdate: timestampOf(booking.lastUpdate),
  };
}

function seatedAt({ tableIds }: TakenSeat, layout: Layout | undefined): DiaryBooking['tables'] {
  return tableIds.map((id) => ({
    id,
    name: layout?.tables.find((table) => table.id === id)?.name ?? String(id),
  }));
}

function moneyOf(booking: BookingRecord): DiaryBooking['money'] {
  const paid = booking.payments.filter(({ status }) => status === 'succeeded');
  const { finalBalance, due } = optionsOf(booking);
  return {
    paidPence: paid.reduce((sum, { amountPence }) => sum + amountPence, 0),
    refundedPence: paid.reduce((sum, { refundedPence }) => sum + refundedPence, 0),
    depositPence: Math.round(booking.depositPence ?? 0),
    balancePence: finalBalance,
    duePence: due,
  };
}

export const blockView = ({ id, from, to, tableIds, reason }: ListedBlock, zone: string): DiaryBlock => ({
  id,
  from: dateTimeOf(zone, from.epochMilliseconds),
  to: dateTimeOf(zone, to.epochMilliseconds),
  tableIds,
  reason,
});

const IS_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** One that names dates belongs to those trading days; one that names times to every day that it touches. */
export function isClosedOn({ first, last, ...during }: Closure, zone: string, date: string): boolean {
  if (IS_DATE.test(first) && IS_DATE.test(last)) return first <= date && date <= last;
  return touches(during, dayRange(zone, date));
}

export const closureView = (closure: Closure): DiaryClosure => ({
  id: closure.id,
  from: closure.first,
  to: closure.last,
  productIds: closure.productIds,
  reason: closure.reason,
  bookings: closure.bookings,
  state: closure.state,
  affected: closure.affected,
  cancelled: closure.cancelled,
});
