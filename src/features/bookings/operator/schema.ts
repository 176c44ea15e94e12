import { type Static, Type } from 'typebox';
import { integerId, MAX_INTEGER, operatorId, venueId } from '../../../http/manage-route.ts';
import { pageQuery } from '../../../http/validation/paging.ts';
import { CommaList, Defaulted } from '../../../http/validation/query-schema.ts';
import { EMAIL, named, nullable, oneOf, text } from '../../../http/validation/schema-helpers.ts';
import { OPTIONAL_BODY } from '../../../http/validation/validation.ts';
import { BOOKING_SOURCES, BOOKING_STATUSES, ORIGINS, VISIT_STATES } from '../record.ts';
import { ListedBooking, listedBookingExample } from '../schema.ts';
import { MANAGED_SORTS } from './store.ts';

const MAX_SMALLINT = 32_767;
const MAX_TEXT = 4000;
const MAX_ADDRESS = 254;
const closed = { additionalProperties: false };

const visitTime = (description: string) => nullable(Type.String({ format: 'date-time', description }));

export const BookingVisit = Type.Object(
  {
    state: oneOf(VISIT_STATES),
    arrivedAt: visitTime('When they came; null: not yet, or the house has not said so'),
    seatedAt: visitTime('When they sat down'),
    leftAt: visitTime('When they left'),
  },
  named('BookingVisit', 'How far the visit is'),
);
export type BookingVisit = Static<typeof BookingVisit>;

export const ManagedBooking = Type.Object(
  {
    ...ListedBooking.properties,
    partner: nullable(
      Type.Object(
        { id: Type.Integer(), name: Type.String() },
        named('BookingPartner', 'The partner that made the booking; null: the house took it itself'),
      ),
    ),
    source: oneOf(BOOKING_SOURCES, { description: 'By which way it reached the partner' }),
    origin: nullable(
      oneOf(ORIGINS, { description: 'How a booking of the house came in; null: from a partner' }),
    ),
    visit: BookingVisit,
  },
  named('ManagedBooking', 'A booking as its operator sees it'),
);
export type ManagedBooking = Static<typeof ManagedBooking>;

export const managedBookingExample: ManagedBooking = {
  ...listedBookingExample,
  admin_notes: null,
  flags: [],
  skipsPreorderEmail: false,
  tmsTables: ['12'],
  autoConfirmed: true,
  partner: { id: 1, name: 'Demo Partner' },
  source: 'api',
  origin: null,
  visit: { state: 'expected', arrivedAt: null, seatedAt: null, leftAt: null },
};

export const ManagedBookingQuery = Type.Object({
  ...pageQuery,
  venueId: Type.Optional(venueId),
  from: Type.Optional(Type.String({ format: 'date', description: 'Trading day; from this one on' })),
  to: Type.Optional(Type.String({ format: 'date', description: 'Trading day; up to and with this one' })),
  status: CommaList(oneOf(BOOKING_STATUSES), {
    minItems: 1,
    maxItems: BOOKING_STATUSES.length,
    description: 'Any of these; `pending,in_progress` are the enquiries that wait for an answer',
  }),
  type: Type.Optional(
    oneOf(['book', 'request'] as const, { description: 'Confirmed at once, or requested' }),
  ),
  partnerId: Type.Optional(integerId('Only bookings of this partner', 1)),
  origin: CommaList(oneOf(ORIGINS), {
    minItems: 1,
    maxItems: ORIGINS.length,
    description: 'Only bookings of the house that came in by one of these ways',
  }),
  reference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The whole reference, the `partnerBookingId` or the id of a booking',
      examples: ['H-7K3M9Q'],
    }),
  ),
  guest: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 254,
      description:
        'The beginning of the last name (two letters or more), the whole e-mail address, or four or more last digits of the phone',
      examples: ['Lovel'],
    }),
  ),
  sortBy: Defaulted(
    oneOf(MANAGED_SORTS, {
      default: 'start',
      description: '`start`: by the time of the visit; `created`: by when it was made',
    }),
  ),
  sortDirection: Type.Optional(
    Type.Enum(['ASC', 'DESC'], {
      description: 'Without it, the earliest visit and the latest booking come first',
    }),
  ),
});

export const ManagedBookingPath = Type.Object({
  operatorId,
  bookingId: Type.String({ description: 'Id of the booking', examples: [listedBookingExample.id] }),
});

const guests = Type.Integer({ minimum: 0, maximum: MAX_SMALLINT, description: 'How many came' });
const spendPence = Type.Integer({
  minimum: 0,
  maximum: MAX_INTEGER,
  description: 'What they spent, in pence',
});

export const ActualsBody = Type.Object(
  { guests: nullable(guests), spendPence: nullable(spendPence) },
  {
    ...closed,
    ...named('BookingActuals', 'How many guests came and what they spent; null: not known'),
    examples: [{ guests: 3, spendPence: 14_250 }],
  },
);

const message = {
  text: Type.String({ minLength: 1, maxLength: MAX_TEXT }),
  replyTo: nullable(
    Type.String({ format: 'email', maxLength: MAX_ADDRESS, description: 'Where an answer should go' }),
  ),
};
const aMessage = {
  ...closed,
  ...named('NewBookingMessage', 'What the partner is to be told about a booking'),
};

export const MessageBody = Type.Object(message, {
  ...aMessage,
  examples: [{ text: 'We can seat you on the terrace at eight.', replyTo: 'desk@soho-grill.example' }],
});

export const RejectionBody = Type.Object(
  { message: Type.Optional(nullable(Type.Object(message, aMessage))) },
  {
    ...closed,
    ...named('Rejection', 'How an enquiry is rejected'),
    examples: [{ message: { text: 'We are full that night.', replyTo: null } }],
    [OPTIONAL_BODY]: true,
  },
);

export const BookingMessage = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    createdAt: Type.String({ format: 'date-time' }),
    text: nullable(text('Null once the guest was forgotten')),
    replyTo: nullable(Type.String(EMAIL)),
  },
  named('BookingMessage', 'What the operator told the partner about a booking'),
);
export type BookingMessage = Static<typeof BookingMessage>;

export const bookingMessageExample: BookingMessage = {
  id: '019a8a11-2f6c-7c1e-9d1a-3b52f0c4a7e2',
  createdAt: '2026-11-15T10:40:02.511Z',
  text: 'We can seat you on the terrace at eight.',
  replyTo: 'desk@soho-grill.example',
};
