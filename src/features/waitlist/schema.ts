import { type Static, Type } from 'typebox';
import { MAX_INTEGER, venueId } from '../../http/manage-route.ts';
import { pageQuery } from '../../http/validation/paging.ts';
import { CommaList } from '../../http/validation/query-schema.ts';
import {
  CLOCK_TIME,
  DATE,
  named,
  nameText,
  nullable,
  oneOf,
  optional,
  text,
} from '../../http/validation/schema-helpers.ts';
import { OPTIONAL_BODY } from '../../http/validation/validation.ts';
import { MOST_GUESTS } from '../availability/service.ts';
import { ORIGINS, phoneText } from '../bookings/service.ts';
import { ENTRY_STATUSES } from './store.ts';

const closed = { additionalProperties: false };

/** What is wanted. Dates and times are read by hand, because each way in which they can be wrong has a code. */
const wanted = {
  date: Type.String({ maxLength: 60, description: 'Trading day `YYYY-MM-DD`', ...DATE }),
  from: Type.String({
    maxLength: 60,
    description: 'The first start that would do, local time `HH:MM`',
    ...CLOCK_TIME,
  }),
  to: Type.String({
    maxLength: 60,
    description: 'The last start that would do, local time `HH:MM`, on the same trading day',
    ...CLOCK_TIME,
  }),
  partySize: Type.Integer({ minimum: 1, maximum: MOST_GUESTS, description: 'Adults' }),
  children: optional(
    Type.Integer({ minimum: 0, maximum: MOST_GUESTS, description: 'Children, besides the adults' }),
  ),
  spaceId: optional(
    Type.Integer({ minimum: 1, maximum: MAX_INTEGER, description: 'A space of the product' }),
  ),
};

const lastName = nameText('Last name of the guest', 100);
const contact = {
  email: optional(Type.String({ format: 'email', maxLength: 254 })),
  phone: optional(phoneText),
};

const example = { date: '2026-12-05', from: '19:00', to: '21:00', partySize: 2 };

export const EntryBody = Type.Object(
  {
    ...wanted,
    firstName: nameText('First name of the guest', 100),
    lastName,
    ...contact,
    partnerBookingId: optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Your own id for the booking it may become' }),
    ),
  },
  {
    ...closed,
    ...named('NewWaitlistEntry', 'A party that is to wait for a place'),
    examples: [{ ...example, firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }],
  },
);
export type EntryBody = Static<typeof EntryBody>;

export const HouseEntryBody = Type.Object(
  {
    productKey: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The last part of the composite id of the product',
    }),
    origin: Type.Optional(oneOf(ORIGINS, { description: 'How the party came in; `phone` when absent' })),
    ...wanted,
    firstName: optional(nameText('First name of the guest', 100)),
    lastName,
    ...contact,
  },
  {
    ...closed,
    ...named('NewHouseWaitlistEntry', 'A party that the house puts on its waiting list'),
    examples: [{ productKey: 'dinner', ...example, lastName: 'Lovelace', phone: '+44 20 7946 0018' }],
  },
);
export type HouseEntryBody = Static<typeof HouseEntryBody>;

const instant = (description: string) => Type.String({ format: 'date-time', description });

const Slot = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'Trading day' }),
    time: text('Local time of the start, `HH:MM`', CLOCK_TIME),
    dateTime: instant('The start, local time with its offset'),
    duration: Type.Integer({ description: 'Minutes' }),
  },
  named('WaitlistSlot', 'The start that is kept'),
);

export const EntryOffer = Type.Object(
  {
    holdId: Type.String({
      format: 'uuid',
      description: 'Sent as `holdId` with a booking of this slot, it makes the booking',
    }),
    expiresAt: instant('Until when the place is kept'),
    slot: Slot,
  },
  named('WaitlistOffer', 'A place that is kept for the party'),
);
export type EntryOffer = Static<typeof EntryOffer>;

const entryFields = {
  id: Type.String({ format: 'uuid' }),
  compositeId: text('Id of the product'),
  date: Type.String({ format: 'date', description: 'Trading day' }),
  from: text('The first start that would do', CLOCK_TIME),
  to: text('The last start that would do', CLOCK_TIME),
  partySize: Type.Integer({ description: 'Adults' }),
  children: Type.Integer(),
  spaceId: nullable(Type.Integer()),
  status: oneOf(ENTRY_STATUSES, {
    description:
      '`waiting`; `offered`: a place is kept until `offer.expiresAt`; `booked`: it was taken; `expired`: the offer was not used, or the last start is over; `removed`',
  }),
  offer: nullable(EntryOffer, { description: 'While the status is `offered`' }),
  bookingId: nullable(Type.String({ format: 'uuid', description: 'Of the booking that it has become' })),
};

const guestFields = {
  firstName: nullable(text('Null: the guest was forgotten, or gave none')),
  lastName: nullable(text('Null: the guest was forgotten')),
  email: nullable(text('Of the guest')),
  phone: nullable(text('Of the guest')),
};

export const Entry = Type.Object(
  {
    ...entryFields,
    position: nullable(
      Type.Integer({ description: 'The place on the list of the venue and day, from 1; null: not waiting' }),
    ),
    partnerBookingId: nullable(text('Your own id for the booking it may become')),
    ...guestFields,
    createdAt: instant('When it was put on the list'),
  },
  named('WaitlistEntry', 'A party on the waiting list of a venue'),
);
export type Entry = Static<typeof Entry>;

export const ManagedEntry = Type.Object(
  {
    ...entryFields,
    partner: nullable(
      Type.Object(
        { id: Type.Integer(), name: Type.String() },
        named('WaitlistPartner', 'The partner that put it on the list; null: the house did'),
      ),
    ),
    origin: nullable(oneOf(ORIGINS, { description: 'How it came in; null: from a partner' })),
    ...guestFields,
    createdAt: instant('When it was put on the list'),
  },
  named('ManagedWaitlistEntry', 'A party on the waiting list as the operator sees it'),
);
export type ManagedEntry = Static<typeof ManagedEntry>;

export const entryExample: Entry = {
  id: '019a8b20-11c4-7d3e-8a52-6f0c1d2e3b4a',
  compositeId: '1|house|soho-grill|dinner',
  date: '2026-12-05',
  from: '19:00',
  to: '21:00',
  partySize: 2,
  children: 0,
  spaceId: null,
  status: 'offered',
  offer: {
    holdId: '019a8b31-77aa-7f10-9c1d-0a1b2c3d4e5f',
    expiresAt: '2026-12-05T17:27:31.250Z',
    slot: { date: '2026-12-05', time: '19:30', dateTime: '2026-12-05T19:30:00+00:00', duration: 90 },
  },
  bookingId: null,
  position: null,
  partnerBookingId: null,
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: null,
  createdAt: '2026-12-04T10:03:00.120Z',
};

const { position: _, partnerBookingId: __, createdAt, ...shared } = entryExample;
export const managedEntryExample: ManagedEntry = {
  ...shared,
  partner: { id: 1, name: 'Demo Partner' },
  origin: null,
  createdAt,
};

export const EntryPath = Type.Object({
  entryId: Type.String({ description: 'Id of the entry', examples: [entryExample.id] }),
});

export const EntryQuery = Type.Object({
  ...pageQuery,
  date: Type.Optional(Type.String({ format: 'date', description: 'Only this trading day' })),
  status: CommaList(oneOf(ENTRY_STATUSES), {
    minItems: 1,
    maxItems: ENTRY_STATUSES.length,
    description: 'Any of these',
  }),
});
export type EntryQuery = Static<typeof EntryQuery>;

export const ManagedEntryPath = Type.Object({
  venueId,
  entryId: Type.String({ description: 'Id of the entry', examples: [entryExample.id] }),
});

export const OrderBody = Type.Object(
  {
    before: nullable(
      Type.String({
        format: 'uuid',
        description: 'The entry of the same day that it is put before; null: the end of the list',
      }),
    ),
  },
  {
    ...closed,
    ...named('WaitlistOrder', 'Where on the list of its day the entry is to stand'),
    examples: [{ before: null }],
  },
);
export type OrderBody = Static<typeof OrderBody>;

export const OfferBody = Type.Object(
  { time: optional(wanted.to, 'The start to offer, local time `HH:MM`; the first that is free when absent') },
  {
    ...closed,
    [OPTIONAL_BODY]: true,
    ...named('WaitlistOfferRequest', 'What to offer'),
    examples: [{ time: '19:30' }],
  },
);
export type OfferBody = Static<typeof OfferBody>;
