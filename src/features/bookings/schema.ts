import { type Static, Type } from 'typebox';
import {
  CLOCK_TIME,
  EMAIL,
  idempotencyKey,
  named,
  nullable,
  oneOf,
  pence,
  text,
  URI,
} from '../../http/validation/schema-helpers.ts';
import { timestampOf } from '../../kernel/clock.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import { Location, PRICE_UNITS, venueExample } from '../venues/service.ts';
import {
  BOOKING_SOURCES,
  BOOKING_STATUSES,
  PAYMENT_OPTIONS,
  PAYMENT_STATUSES,
  type PaymentRecord,
  statusOfPayment,
} from './record.ts';

export const Payment = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    status: oneOf(PAYMENT_STATUSES, {
      description:
        '`requires_action`: the guest has something to do; `processing`: the provider has yet to say how it went; `refunded`: all of it went back',
    }),
    amount: pence('Amount'),
    refunded: pence('How much of it is given back'),
    currency: Type.String(),
    option: oneOf(PAYMENT_OPTIONS),
    method: nullable(Type.String()),
    createdAt: Type.String({ format: 'date-time' }),
    nextActionUrl: nullable(text('Where the guest completes it, while it requires action', URI)),
    checkoutUrl: nullable(text('The same as `nextActionUrl`', URI)),
    clientSecret: nullable(
      text(
        'For the form of the provider on the page of the partner; only in the answer to the payment itself',
      ),
    ),
    publishableKey: nullable(text('The key that this form needs; only in the answer to the payment itself')),
    account: nullable(
      text('The account at the provider that this form needs; only in the answer to the payment itself'),
    ),
    failureReason: nullable(text('Why it failed')),
  },
  named('Payment', 'A payment for a booking'),
);

export type Payment = Static<typeof Payment>;

/** What the browser of the guest needs to complete a payment; it is not stored. */
export type PaymentForm = Pick<Payment, 'clientSecret' | 'publishableKey' | 'account'>;

const NO_FORM: PaymentForm = { clientSecret: null, publishableKey: null, account: null };

export function paymentView(payment: PaymentRecord, form = NO_FORM): Payment {
  const nextActionUrl = payment.status === 'requires_action' ? payment.nextActionUrl : null;
  return {
    id: payment.id,
    status: statusOfPayment(payment),
    amount: payment.amountPence,
    refunded: payment.refundedPence,
    currency: payment.currency,
    option: payment.option,
    method: payment.method,
    createdAt: timestampOf(payment.createdAt),
    nextActionUrl,
    checkoutUrl: nextActionUrl,
    ...(payment.status === 'requires_action' ? form : NO_FORM),
    failureReason: payment.status === 'failed' ? payment.failureReason : null,
  };
}

const BookedPackage = Type.Object(
  {
    id: Type.Integer(),
    slug: nullable(Type.String()),
    name: Type.String(),
    quantity: Type.Integer(),
    price: pence('Price of one'),
    pricePer: oneOf(PRICE_UNITS),
    total: pence('All of them'),
  },
  named('BookedPackage', 'A package that was ordered, at the price of that day'),
);

const BookedOption = Type.Object(
  { id: Type.String(), name: Type.String(), value: Type.String(), price: pence('Included in the item') },
  named('BookedOption', 'A choice that the guest made'),
);

const BookedItem = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    quantity: Type.Integer(),
    price: pence('Price of one, options included'),
    options: Type.Array(BookedOption),
    total: pence('All of them'),
  },
  named('BookedItem', 'A dish or drink that was ordered'),
);

const BookedMenu = Type.Object(
  {
    id: Type.Integer(),
    slug: nullable(Type.String()),
    name: Type.String(),
    submitted: oneOf(['pre', 'post'] as const, {
      description: '`pre`: with the booking, `post`: later',
    }),
    items: Type.Array(BookedItem),
    total: pence('All items'),
  },
  named('BookedMenu', 'What was ordered of a menu'),
);

const BookedPreorders = Type.Object(
  { packages: Type.Array(BookedPackage), menus: Type.Array(BookedMenu) },
  named('BookedPreorders', 'What was ordered ahead'),
);

export const PaymentDue = Type.Object(
  {
    option: oneOf(['deposit'] as const, { description: 'To be sent to `/payments`' }),
    amount: pence('What is to be paid'),
    currency: Type.String(),
    until: Type.String({ format: 'date-time', description: 'Until then the place is kept' }),
  },
  named('PaymentDue', 'The payment that confirms the booking; null: it waits for none'),
);
export type PaymentDue = Static<typeof PaymentDue>;

const instant = (description: string) => Type.String({ format: 'date-time', description });

const shared = {
  id: Type.String({ format: 'uuid' }),
  compositeId: text('The booked product'),
  type: oneOf(['book', 'request'] as const, {
    description: 'Confirmed at once, or requested from the operator',
  }),
  date: Type.String({ format: 'date', description: 'Trading day' }),
  time: text('Start, local time `HH:MM`', CLOCK_TIME),
  dateTime: instant('The true start, with UTC offset'),
  partySize: Type.Integer({ description: 'Adults' }),
  children: Type.Integer(),
  status: oneOf(BOOKING_STATUSES, {
    description:
      'An enquiry is `pending` until the operator answers, and a booking with `paymentDue` until it is paid; more values may come',
  }),
  firstName: nullable(text('Null once the guest was forgotten; so are the other things a guest told')),
  lastName: nullable(Type.String()),
  email: nullable(Type.String(EMAIL)),
  phone: nullable(Type.String()),
  company: nullable(Type.String()),
  venueGroupName: text('The operator'),
  venueName: Type.String(),
  location: Location,
  duration: Type.Integer({ description: 'Minutes' }),
  productName: Type.String(),
  spaceId: nullable(Type.Integer({ description: 'The requested space' })),
  notes: nullable(text('The requests of the guest')),
  labels: Type.Array(Type.String()),
  createdDate: instant('When it was made'),
  tmsCreatedDate: nullable(instant('When the system of the venue took it; null for an enquiry')),
  lastUpdate: instant('Later with every change'),
  preorders: BookedPreorders,
  partnerBookingId: nullable(text('Your id for it')),
  operatorBookingId: nullable(text('The number that the system of the venue gave it')),
  reference: nullable(Type.String({ deprecated: true, description: 'Use `operatorBookingId`' })),
  payments: Type.Array(Payment),
  depositAmount: nullable(Type.Number({ description: 'What the partner has taken, in pence' })),
  paymentDue: nullable(PaymentDue),
  actualGuests: nullable(Type.Integer({ description: 'How many came; null until the operator says so' })),
  actualSpend: nullable(pence('What they spent')),
  admin_notes: Type.Optional(nullable(text('Shown to the operator alone'))),
  flags: Type.Optional(
    Type.Array(Type.String(), {
      description: 'What booking rules have marked it with; shown to the operator alone',
    }),
  ),
  skipsPreorderEmail: Type.Optional(
    Type.Boolean({
      description:
        'A booking rule says that the guest gets no mail about pre-orders; shown to the operator alone',
    }),
  ),
};

export const Booking = Type.Object(shared, named('Booking', 'A booking or an enquiry'));
export type Booking = Static<typeof Booking>;

export const ListedBooking = Type.Object(
  {
    ...shared,
    area: nullable(
      Type.Object({ id: Type.Integer(), name: Type.String() }, named('BookedArea', 'Where they sit')),
    ),
    tmsTables: Type.Optional(Type.Array(Type.String(), { description: 'Shown to the operator alone' })),
    autoConfirmed: Type.Optional(
      Type.Boolean({
        description: 'Confirmed without a decision of the operator; shown to the operator alone',
      }),
    ),
  },
  named('ListedBooking', 'A booking as lists show it'),
);
export type ListedBooking = Static<typeof ListedBooking>;

/** What the OpenAPI document shows of a booking. */
export const bookingExample: Booking = {
  id: '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60',
  compositeId: '1|house|soho-grill|dinner',
  type: 'book',
  date: '2026-12-05',
  time: '19:30',
  dateTime: '2026-12-05T19:30:00+00:00',
  partySize: 2,
  children: 0,
  status: 'confirmed',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44 20 7946 0018',
  company: null,
  venueGroupName: venueExample.venueGroupName,
  venueName: venueExample.name,
  location: venueExample.location,
  duration: 90,
  productName: 'Dinner',
  spaceId: null,
  notes: 'A quiet table, please.',
  labels: [],
  createdDate: '2026-11-15T10:12:30.125Z',
  tmsCreatedDate: '2026-11-15T10:12:30.125Z',
  lastUpdate: '2026-11-15T10:12:30.125Z',
  preorders: { packages: [], menus: [] },
  partnerBookingId: 'order-4711',
  operatorBookingId: 'H-7K3M9Q',
  reference: 'H-7K3M9Q',
  payments: [],
  depositAmount: null,
  paymentDue: null,
  actualGuests: null,
  actualSpend: null,
};

export const listedBookingExample: ListedBooking = {
  ...bookingExample,
  area: { id: 1, name: 'Main room' },
};

const PaymentChoice = Type.Object(
  { id: oneOf(PAYMENT_OPTIONS), amount: pence('Amount'), label: text('A few words for guests') },
  named('PaymentOption', 'A way to pay now'),
);

export const PaymentOptions = Type.Object(
  {
    finalBalance: pence('What the booking costs in all'),
    currency: Type.String(),
    paid: pence('Paid so far, with what the partner has taken and with payments that are still open'),
    due: pence('What is left of the balance'),
    options: Type.Array(PaymentChoice),
  },
  named('PaymentOptions', 'What can be paid for a booking'),
);

export type PaymentOptions = Static<typeof PaymentOptions>;

export const BookingPath = Type.Object({
  bookingId: Type.String({ description: 'Id of the booking', examples: [bookingExample.id] }),
});

export const ProductPath = Type.Object({
  compositeId: Type.String({
    description: 'Product id; the pipes may be percent-encoded or sent as they are',
    examples: ['1|house|soho-grill|dinner'],
  }),
});

export const CreationHeaders = Type.Object({
  'x-booking-source': Type.Optional(
    oneOf(BOOKING_SOURCES, { description: 'The channel through which the booking came; `api` when absent' }),
  ),
  'idempotency-key': idempotencyKey,
});

/** The refusals that access to a booking can get. */
export const ACCESS: readonly ProblemCode[] = ['BOOK-N-006', 'PMAP-N-003', 'OPRTR-N-002'];

/** What can be wrong with a booking that is to be made or changed. */
export const PLACING: readonly ProblemCode[] = [
  ...(['AVAIL-N-003', 'AVAIL-N-004', 'AVAIL-N-005', 'AVAIL-N-006', 'AVAIL-N-007', 'AVAIL-N-008'] as const),
  ...(['BOOK-N-001', 'BOOK-N-002', 'BOOK-N-003', 'BOOK-N-004', 'BOOK-N-005', 'BOOK-N-007'] as const),
  ...(['BOOK-N-008', 'BOOK-N-009', 'BOOK-N-010', 'BOOK-N-011', 'BOOK-N-012', 'BOOK-N-015'] as const),
  ...(['BOOK-N-016', 'BOOK-N-017', 'BOOK-N-018', 'BOOK-N-019', 'BOOK-N-020'] as const),
  ...(['BOOK-R-001', 'BOOK-R-002', 'EVENT-N-001', 'EVENT-N-002'] as const),
  ...(['OPRUL-N-001', 'OPRUL-N-002', 'OPRUL-N-003', 'OPRUL-N-004', 'OPRUL-N-008', 'OPRUL-N-009'] as const),
  ...(['PMAP-N-001', 'PMAP-N-002', 'VENUE-N-001', 'VENUE-N-002', 'VENUE-N-009'] as const),
];

/** What the mandate of the client says to it. */
export const MANDATED: readonly ProblemCode[] = ['MANDT-N-001', 'MANDT-N-002'];

/** What rules of the operator can refuse. */
export const RULED: readonly ProblemCode[] = ['BKRUL-N-002', 'BKRUL-N-005', 'BKRUL-N-006', 'BKRUL-N-100'];
export const CREATING: readonly ProblemCode[] = [...PLACING, ...RULED, ...MANDATED, 'BKRUL-N-001'];
