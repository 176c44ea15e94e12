/** Which changes of a booking its guest is told of, and what then stands in the mail. */
import {
  awaitsPayment,
  type BookingRecord,
  guestNameOf,
  guestsOf,
  isOpenEnquiry,
  isPlaced,
  type ToldChange,
} from '../bookings/service.ts';
import type { GuestNotice } from './guest-letter.ts';
import type { GuestMailKind } from './guest-texts.ts';

/** One address and nothing else, as mail servers take them. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"]{1,64}@[^\s@<>()[\]\\,;:"]{1,253}$/u;

export const isAddress = (text: string) => ADDRESS.test(text);

/** Undefined: the guest is not told. */
export function guestMailKindOf({ before, after }: ToldChange): GuestMailKind | undefined {
  const { status } = after;
  if (status === 'confirmed') return confirmedKind(before, after);
  if (isOpenEnquiry(after))
    return before === null || isPlaced(before) || isVisiblyChanged(before, after) ? 'enquiry' : undefined;
  // The guest was never told of a booking that was not paid.
  if (before === null || before.status === status || awaitsPayment(before)) return undefined;
  if (status === 'cancelled') return 'cancellation';
  return status === 'rejected' ? 'rejection' : undefined;
}

function confirmedKind(before: BookingRecord | null, after: BookingRecord): GuestMailKind | undefined {
  // A visit that is taken back was confirmed all the while.
  const wasConfirmed = before !== null && ['confirmed', 'completed', 'no_show'].includes(before.status);
  if (!wasConfirmed) return 'confirmation';
  return isVisiblyChanged(before, after) ? 'change' : undefined;
}

/** Tables, notes and the visit are the venue's own affair. */
function isVisiblyChanged(before: BookingRecord, after: BookingRecord): boolean {
  return (
    !before.startsAt.equals(after.startsAt) ||
    before.durationMinutes !== after.durationMinutes ||
    before.adults !== after.adults ||
    before.children !== after.children ||
    before.spaceId !== after.spaceId ||
    before.productId !== after.productId ||
    before.guest?.email !== after.guest?.email
  );
}

/** The address that the mail goes to; undefined: there is none, or none that could be written to. */
export function addressOfGuest({ guest }: BookingRecord): string | undefined {
  const email = guest?.email ?? '';
  return isAddress(email) ? email : undefined;
}

export const hasEnded = ({ startsAt, durationMinutes }: BookingRecord, now: Temporal.Instant) =>
  Temporal.Instant.compare(startsAt.add({ minutes: durationMinutes }), now) <= 0;

export interface NoticeOptions {
  kind: GuestMailKind;
  to: string;
  sequence: number;
  message?: string | undefined;
}

export function guestNoticeOf(record: BookingRecord, options: NoticeOptions): GuestNotice {
  const { kind, to, sequence, message = null } = options;
  const { guest, venue } = record;
  const { address, area, city, postcode, countryCode } = venue.location;
  return {
    kind,
    bookingId: record.id,
    to,
    name: guestNameOf(guest) ?? '',
    venue: {
      id: record.venueId,
      name: venue.name,
      address: [address, address === null ? area : null, city, postcode].filter((part) => part).join(', '),
      countryCode,
      timeZone: venue.timeZone,
    },
    productName: venue.productName,
    // The guest has chosen a space, and is told where it is; other areas are the venue's own affair.
    area: record.spaceId === null ? null : (record.area?.name ?? null),
    reference: record.operatorBookingId,
    startsAt: record.startsAt.toString(),
    durationMinutes: record.durationMinutes,
    guests: guestsOf(record),
    children: record.children,
    message,
    calendar: calendarOf(record, kind, sequence),
    toldAt: record.lastUpdate.toString(),
  };
}

/** A booking that was never confirmed is in no calendar. */
function calendarOf(record: BookingRecord, kind: GuestMailKind, sequence: number): GuestNotice['calendar'] {
  if (isPlaced(record)) return { state: 'confirmed', sequence };
  if (!record.wasPlaced) return null;
  return { state: kind === 'enquiry' ? 'tentative' : 'cancelled', sequence };
}
