/** What rules can be about. What is not known of a booking is absent, and a rule that needs it is skipped. */

import { partsOfVenueId, type VenueId } from '../../../kernel/ids.ts';
import { clockTime, weekdayOf } from '../../../kernel/zone-time.ts';
import type { Hook } from './rule.ts';

export interface Facts {
  booking: BookingFacts;
  /** Without an id: a booking of the house. */
  partner: { id: number | null; categoryIds: readonly number[] };
  product: { id: string; name: string; slug?: string; category?: string };
  venue: { id: string; operatorId: number; name: string; area: string; city: string; timeZone: string };
  /** The requested space. */
  space?: { id: number; name: string };
  /** Whole calendar days from today in London to the trading day. */
  daysAhead: number;
  /** Only where something is to be paid. */
  payment?: PaymentFacts;
}

export interface BookingFacts {
  /** Adults alone. */
  partySize: number;
  children: number;
  /** Both. */
  guests: number;
  type: 'book' | 'request';
  /** The trading day, its weekday (1 is Monday), and the local time, `HH:MM`. */
  date: string;
  weekday: number;
  time: string;
  /** Minutes, if requested. */
  duration?: number;
  source: string;
  /** Pence that the partner has taken. */
  depositAmount: number;
  /** Slugs of what was ordered ahead, or ids as text where something has none. */
  packages: readonly string[];
  menus: readonly string[];
}

export interface PaymentFacts {
  /** The minimum-spend bands of the booked space that the stay overlaps; absent without a space. */
  bands?: readonly { startTime: string; endTime: string; amount: number }[];
  /** Pence. */
  finalBalance: number;
}

/** What an action may write, and where. */
export const WRITABLE: Record<Hook, string> = {
  'booking.create': 'booking.type',
  'booking.amend': 'booking.type',
  payment: 'payment.finalBalance',
};

/** What a balance can be. */
export const isPence = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Facts of the things that rules are about. What is null there is absent here. */

interface Ordered {
  slug: string | null;
  id: number;
}

interface BookingLike {
  adults: number;
  children: number;
  type: 'book' | 'request';
  /** Trading day and minute of it. */
  date: string;
  minute: number;
  source: string;
  depositPence: number | null;
  /** Null: no duration was requested. */
  durationMinutes: number | null;
  preorders: { packages: readonly Ordered[]; menus: readonly Ordered[] };
}

export function bookingFacts(booking: BookingLike): BookingFacts {
  const { adults, children, type, date, minute, source, depositPence, durationMinutes, preorders } = booking;
  return {
    partySize: adults,
    children,
    guests: adults + children,
    type,
    date,
    weekday: weekdayOf(date),
    time: clockTime(minute),
    ...(durationMinutes !== null && { duration: durationMinutes }),
    source,
    depositAmount: depositPence ?? 0,
    packages: preorders.packages.map(nameOf),
    menus: preorders.menus.map(nameOf),
  };
}

const nameOf = ({ slug, id }: Ordered) => slug ?? String(id);

interface ProductLike {
  id: string;
  name: string;
  slug: string | null;
  /** The slug of its category. */
  category: string | null;
}

export function productFacts({ id, name, slug, category }: ProductLike): Facts['product'] {
  return { id, name, ...(slug !== null && { slug }), ...(category !== null && { category }) };
}

type VenueLike = Omit<Facts['venue'], 'id' | 'operatorId'> & { id: VenueId };

export function venueFacts({ id, name, area, city, timeZone }: VenueLike): Facts['venue'] {
  return { id, operatorId: partsOfVenueId(id).operatorId, name, area, city, timeZone };
}
