/** A booking as stored, with what its readers need to know of its venue. */
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import type { Spends } from '../availability/service.ts';
import type { Rule } from '../booking-rules/service.ts';
import type { PaymentRule, PriceUnit, RefundTerm } from '../venues/service.ts';

export const BOOKING_SOURCES = [
  'email',
  'phone',
  'api',
  'webhook',
  'js-tag',
  'chatbot',
  'puller',
  'portal',
] as const;
export type BookingSource = (typeof BOOKING_SOURCES)[number];

export const BOOKING_STATUSES = [
  'pending',
  'in_progress',
  'confirmed',
  'rejected',
  'cancelled',
  'completed',
  'no_show',
] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

/**
 * What people say about themselves and each other; the part that is sealed, and one day forgotten. A party that walked
 * in may have no names.
 */
export interface Guest {
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  company: string | null;
  labels: string[];
  comments: string | null;
  adminNotes: string | null;
}

/** What was ordered ahead, with names and prices as they were then. */
export interface PreorderRecord {
  packages: OrderedPackage[];
  menus: OrderedMenu[];
}

export interface OrderedPackage {
  id: number;
  slug: string | null;
  name: string;
  quantity: number;
  pricePence: number;
  pricePer: PriceUnit;
}

export interface OrderedMenu {
  id: number;
  slug: string | null;
  name: string;
  /** With the booking, or later. */
  submitted: 'pre' | 'post';
  items: OrderedItem[];
}

export interface OrderedItem {
  id: number;
  name: string;
  quantity: number;
  /** Of one, options included. */
  pricePence: number;
  options: { id: string; name: string; value: string; pricePence: number }[];
}

/** What the venue's system must hold. */
export interface Stay {
  productId: ProductId;
  /** Trading day and minute of it. */
  date: string;
  minute: number;
  startsAt: Temporal.Instant;
  durationMinutes: number;
  /** Null: as long as the system gives such a party. */
  requestedDurationMinutes: number | null;
  adults: number;
  children: number;
  spaceId: number | null;
}

/** What the system has reported about the place it holds; an enquiry has none. */
export interface Placement {
  operatorBookingId: string | null;
  tmsCreatedAt: Temporal.Instant | null;
  area: { id: number; name: string } | null;
  tables: string[];
  pricePerGuestPence: number | null;
}

/** How a booking of the house came in. */
export const ORIGINS = ['phone', 'walk_in', 'email', 'website', 'other'] as const;
export type Origin = (typeof ORIGINS)[number];

export const VISIT_STATES = ['expected', 'arrived', 'seated', 'left', 'no_show'] as const;
export type VisitState = (typeof VISIT_STATES)[number];

/** How far the visit is. A time is null while its state is not reached, or was taken back. */
export interface Visit {
  state: VisitState;
  arrivedAt: Temporal.Instant | null;
  seatedAt: Temporal.Instant | null;
  leftAt: Temporal.Instant | null;
}

export const NOT_VISITED: Visit = { state: 'expected', arrivedAt: null, seatedAt: null, leftAt: null };

/** What was offered with a hold and binds the payments of its booking, whatever changes later. */
export interface HeldTerms {
  paymentRules: PaymentRule[];
  balanceRules: Rule[];
  /** Of the held space; null without one. */
  spends: (Spends & { spaceId: number }) | null;
  /** When it was held: rules see the booking as it was then. */
  heldAtMs: number;
}

export interface BookingRecord extends Stay, Placement {
  id: string;
  /** Null: a booking of the house, which no partner sees. */
  partnerId: number | null;
  /** Of a booking of the house. */
  origin: Origin | null;
  visit: Visit;
  clientId: string;
  operatorId: number;
  venueId: VenueId;
  partnerBookingId: string | null;
  source: BookingSource;
  partnerSource: string;
  type: 'book' | 'request';
  status: BookingStatus;
  preorders: PreorderRecord;
  depositPence: number | null;
  /** What is due ahead, as agreed when it was made; null: what the product asks for. */
  depositDuePence: number | null;
  /** Until when its place is kept for the payment that confirms it; null: it waits for none. */
  paymentUntil: Temporal.Instant | null;
  /** Null once forgotten. */
  guest: Guest | null;
  isAutoConfirmed: boolean;
  /** Whether a place was ever taken for it, also when it was given up again. */
  wasPlaced: boolean;
  /** The terms of the product on the day it was booked. */
  refundTerms: RefundTerm[];
  /** Of the hold that it was made from, for its payments; null: those of today hold. */
  heldTerms: HeldTerms | null;
  /** Flags that rules have set for the operator. */
  flags: string[];
  skipsPreorderEmail: boolean;
  /** Its price by rules, as of the last time a payment was begun; null: the price of what was ordered. */
  ruledBalancePence: number | null;
  actualGuests: number | null;
  actualSpendPence: number | null;
  createdAt: Temporal.Instant;
  /** Strictly increasing. */
  lastUpdate: Temporal.Instant;
  venue: BookedVenue;
  payments: PaymentRecord[];
}

/** What a booking needs of its venue and product; it is read with the booking and changes with them. */
export interface BookedVenue {
  name: string;
  operatorName: string;
  productName: string;
  timeZone: string;
  isClosed: boolean;
  paymentRules: PaymentRule[];
  location: {
    lat: number;
    lng: number;
    address: string | null;
    area: string;
    city: string;
    postcode: string | null;
    countryCode: string;
  };
}

/** As far as it is known; null: the guest was forgotten, or gave no name. */
export const guestNameOf = (guest: Guest | null): string | null =>
  [guest?.firstName, guest?.lastName].filter((part) => part).join(' ') || null;

export const guestsOf = ({ adults, children }: { adults: number; children: number }) => adults + children;

/** The visit that goes with a status, where only that is known; times stay unknown. */
export function visitFor(status: BookingStatus, { state, ...times }: Visit): Visit {
  if (status === 'completed') return { ...times, state: 'left' };
  if (status === 'no_show') return { ...NOT_VISITED, state: 'no_show' };
  return state === 'left' || state === 'no_show' ? NOT_VISITED : { ...times, state };
}

/** Whether a table or tickets are set aside for it. */
export const isPlaced = ({ status }: Pick<BookingRecord, 'status'>) => status === 'confirmed';
/** The same, or it was until the visit: then the system still has it in its book. */
export const isHeld = (booking: Pick<BookingRecord, 'status'>) =>
  isPlaced(booking) || booking.status === 'completed' || booking.status === 'no_show';
/** Whether its place is only kept until its deposit is paid. */
export const awaitsPayment = <Any extends Pick<BookingRecord, 'paymentUntil' | 'status'>>(
  booking: Any,
): booking is Any & { paymentUntil: Temporal.Instant } =>
  booking.paymentUntil !== null && booking.status === 'pending';
/** Whether the operator has yet to answer. */
export const isOpenEnquiry = (booking: Pick<BookingRecord, 'status' | 'paymentUntil'>) =>
  (booking.status === 'pending' || booking.status === 'in_progress') && !awaitsPayment(booking);

export const NOT_PLACED: Placement = {
  operatorBookingId: null,
  tmsCreatedAt: null,
  area: null,
  tables: [],
  pricePerGuestPence: null,
};

export function hasBegun({ startsAt }: Pick<BookingRecord, 'startsAt'>, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(startsAt, now) <= 0;
}

export const PAYMENT_OPTIONS = ['full', 'deposit_25', 'deposit'] as const;

export type PaymentOption = (typeof PAYMENT_OPTIONS)[number];

export const PAYMENT_STATUSES = ['requires_action', 'processing', 'succeeded', 'failed', 'refunded'] as const;

/** How far a payment is, as callers are told. */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** The same as it is stored: `authorised` money is set aside and not taken yet, and refunds are rows of their own. */
export type PaymentState = Exclude<PaymentStatus, 'refunded'> | 'authorised';

export interface PaymentRecord {
  id: string;
  option: PaymentOption;
  status: PaymentState;
  amountPence: number;
  currency: string;
  method: string | null;
  /** Where the guest completes it. */
  nextActionUrl: string | null;
  failureReason: string | null;
  createdAt: Temporal.Instant;
  /** Given back, or owed to be. */
  refundedPence: number;
  /** Given back. */
  returnedPence: number;
}

/** Whether it may still take money. */
export const isOpenPayment = ({ status }: Pick<PaymentRecord, 'status'>) =>
  status === 'requires_action' || status === 'processing' || status === 'authorised';

export function statusOfPayment({ status, amountPence, returnedPence }: PaymentRecord): PaymentStatus {
  if (status === 'authorised') return 'processing';
  return status === 'succeeded' && returnedPence >= amountPence ? 'refunded' : status;
}
