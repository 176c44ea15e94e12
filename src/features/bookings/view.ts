import type { Caller } from '../../http/auth/caller.ts';
import { timestampOf } from '../../kernel/clock.ts';
import { CURRENCY } from '../../kernel/money.ts';
import { clockTime, dateTimeOf } from '../../kernel/zone-time.ts';
import type { AmendmentBody } from './create/body.ts';
import { paidOf } from './money/ledger.ts';
import type { BookingVisit } from './operator/schema.ts';
import { choiceOf } from './preorder.ts';
import {
  awaitsPayment,
  type BookingRecord,
  type BookingStatus,
  guestsOf,
  isPlaced,
  type OrderedItem,
  type PreorderRecord,
  type Visit,
} from './record.ts';
import { type Booking, type ListedBooking, type PaymentDue, paymentView } from './schema.ts';

/** Operators, and the platform that helps them, see what is not for partners. */
export const seesOperatorFields = (caller: Caller) =>
  caller.kind === 'operator' || caller.kind === 'platform';

export function bookingView(record: BookingRecord, caller: Caller): Booking {
  const { guest, venue } = record;
  return {
    id: record.id,
    compositeId: record.productId,
    type: record.type,
    date: record.date,
    time: clockTime(record.minute),
    dateTime: dateTimeOf(venue.timeZone, record.startsAt.epochMilliseconds),
    partySize: record.adults,
    children: record.children,
    status: record.status,
    firstName: guest?.firstName ?? null,
    lastName: guest?.lastName ?? null,
    email: guest?.email ?? null,
    phone: guest?.phone ?? null,
    company: guest?.company ?? null,
    venueGroupName: venue.operatorName,
    venueName: venue.name,
    location: venue.location,
    duration: record.durationMinutes,
    productName: venue.productName,
    spaceId: record.spaceId,
    notes: guest?.comments ?? null,
    labels: guest?.labels ?? [],
    createdDate: timestampOf(record.createdAt),
    tmsCreatedDate: record.tmsCreatedAt && timestampOf(record.tmsCreatedAt),
    lastUpdate: timestampOf(record.lastUpdate),
    preorders: preordersView(record.preorders),
    partnerBookingId: record.partnerBookingId,
    operatorBookingId: record.operatorBookingId,
    reference: record.operatorBookingId,
    payments: record.payments.map((payment) => paymentView(payment)),
    depositAmount: record.depositPence,
    paymentDue: paymentDueOf(record),
    actualGuests: record.actualGuests,
    actualSpend: record.actualSpendPence,
    ...(seesOperatorFields(caller) && {
      admin_notes: guest?.adminNotes ?? null,
      flags: record.flags,
      skipsPreorderEmail: record.skipsPreorderEmail,
    }),
  };
}

/** What confirms the booking, and until when; null: it waits for no payment. */
export function paymentDueOf(record: BookingRecord): PaymentDue | null {
  if (!awaitsPayment(record)) return null;
  const due = (record.depositDuePence ?? 0) - paidOf(record);
  const until = timestampOf(record.paymentUntil);
  return { option: 'deposit', amount: Math.max(0, due), currency: CURRENCY, until };
}

/** `tellsTables`: the system behind the venue says where it seats people. */
export function listedView(record: BookingRecord, caller: Caller, tellsTables: boolean): ListedBooking {
  return {
    ...bookingView(record, caller),
    area: record.area,
    ...(tellsTables &&
      seesOperatorFields(caller) && { tmsTables: record.tables, autoConfirmed: record.isAutoConfirmed }),
  };
}

function preordersView({ packages, menus }: PreorderRecord): Booking['preorders'] {
  return {
    packages: packages.map(({ id, slug, name, quantity, pricePence, pricePer }) => ({
      id,
      slug,
      name,
      quantity,
      price: pricePence,
      pricePer,
      total: pricePence * quantity,
    })),
    menus: menus.map(({ id, slug, name, submitted, items }) => ({
      id,
      slug,
      name,
      submitted,
      items: items.map(itemView),
      total: items.reduce((sum, { pricePence, quantity }) => sum + pricePence * quantity, 0),
    })),
  };
}

function itemView({ id, name, quantity, pricePence, options }: OrderedItem) {
  return {
    id,
    name,
    quantity,
    price: pricePence,
    options: options.map((option) => ({
      id: option.id,
      name: option.name,
      value: option.value,
      price: option.pricePence,
    })),
    total: pricePence * quantity,
  };
}

/** All that PUT takes. What a booking has lost since, such as its guest, is null here and refused there. */
export type BookingDocument = {
  [Field in Exclude<keyof AmendmentBody, 'comments'>]-?: AmendmentBody[Field] | null;
};

/** The document that PUT takes and a patch is applied to, with every field there is. */
export function documentOf(record: BookingRecord): BookingDocument {
  const { guest } = record;
  return {
    compositeId: record.productId,
    // A confirmed booking becomes an enquiry again only at the caller's request.
    type: isPlaced(record) ? 'book' : record.type,
    partySize: record.adults,
    children: record.children,
    date: record.date,
    time: clockTime(record.minute),
    dateTime: null,
    duration: record.requestedDurationMinutes,
    spaceId: record.spaceId,
    firstName: guest?.firstName ?? null,
    lastName: guest?.lastName ?? null,
    email: guest?.email ?? null,
    phone: guest?.phone ?? null,
    company: guest?.company ?? null,
    partnerBookingId: record.partnerBookingId,
    notes: guest?.comments ?? null,
    admin_notes: guest?.adminNotes ?? null,
    labels: guest?.labels ?? [],
    depositAmount: record.depositPence,
    preorders: choiceOf(record.preorders),
    confirmationToken: null,
  };
}

/** Notifications know five statuses. */
const NOTIFIED: Record<BookingStatus, string> = {
  pending: 'pending',
  in_progress: 'pending',
  confirmed: 'confirmed',
  rejected: 'cancelled',
  cancelled: 'cancelled',
  completed: 'completed',
  no_show: 'no_show',
};

export function notificationView(record: BookingRecord) {
  const { guest } = record;
  return {
    id: record.id,
    venueId: record.venueId,
    date: record.date,
    time: clockTime(record.minute),
    partySize: record.adults,
    status: NOTIFIED[record.status],
    reference: record.operatorBookingId,
    firstName: guest?.firstName ?? null,
    lastName: guest?.lastName ?? null,
    email: guest?.email ?? null,
    phone: guest?.phone ?? null,
    actualGuests: record.actualGuests,
    actualSpend: record.actualSpendPence,
    duration: record.durationMinutes,
    notes: guest?.comments ?? null,
    createdDate: timestampOf(record.createdAt),
    lastUpdate: timestampOf(record.lastUpdate),
  };
}

/** What the audit log stores of a booking: no data of the guest. */
export function recordedView(record: BookingRecord) {
  return {
    id: record.id,
    venueId: record.venueId,
    type: record.type,
    status: record.status,
    date: record.date,
    time: clockTime(record.minute),
    guests: guestsOf(record),
    durationMinutes: record.durationMinutes,
    spaceId: record.spaceId,
    tables: record.tables,
    visit: record.visit.state,
    actualGuests: record.actualGuests,
    actualSpend: record.actualSpendPence,
    isGuestKnown: record.guest !== null,
    lastUpdate: timestampOf(record.lastUpdate),
  };
}

/** The partner that made a booking; null: the house took it itself. */
export const partnerView = (
  { partnerId, partnerSource }: Pick<BookingRecord, 'partnerId' | 'partnerSource'>,
  names: ReadonlyMap<number, string>,
) => (partnerId === null ? null : { id: partnerId, name: names.get(partnerId) ?? partnerSource });

export const visitView = ({ state, arrivedAt, seatedAt, leftAt }: Visit): BookingVisit => ({
  state,
  arrivedAt: arrivedAt && timestampOf(arrivedAt),
  seatedAt: seatedAt && timestampOf(seatedAt),
  leftAt: leftAt && timestampOf(leftAt),
});
