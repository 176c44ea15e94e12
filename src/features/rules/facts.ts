/** What rules can be about. What is not known of a booking is absent, and a rule that needs it is skipped. */
import type { Hook } from './rule.ts';

export interface Facts {
  booking: BookingFacts;
  partner: { id: number; categoryIds: readonly number[] };
  product: { id: string; name: string; slug?: string; category?: string };
  venue: { id: string; operatorId: number; name: string; area: string; city: string; timeZone: string };
  /** Of the space that was asked for. */
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
  /** Minutes, where some were asked for. */
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
