/**
 * What resellers send. What OCTO (https://docs.octo.travel) has besides is accepted and ignored, because capabilities
 * add members of their own.
 */

import { type Static, Type } from 'typebox';
import { BookingBody } from '../../features/bookings/service.ts';
import { named, nullable } from '../../http/validation/schema-helpers.ts';
import { EXAMPLE_PRODUCT, OPTION_ID } from './schema.ts';

const LONGEST_ID = 500;
const MOST_UNITS = 1000;
const EXAMPLE_QUESTION = {
  productId: EXAMPLE_PRODUCT,
  optionId: OPTION_ID,
  localDateStart: '2026-12-05',
  localDateEnd: '2026-12-05',
  units: [{ id: 'guest', quantity: 2 }],
};

const Id = Type.String({ maxLength: LONGEST_ID });

const { email, phone, notes, partnerBookingId, confirmationToken } = BookingBody.properties;
const name = nullable(Type.String({ maxLength: 100, format: 'name' }));
/** Null and an empty text both mean that there is none. */
const maybe = <T extends typeof email | typeof phone | typeof notes | typeof partnerBookingId>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Literal('')]));

export const SentContact = Type.Object(
  {
    fullName: Type.Optional(nullable(Type.String({ maxLength: 200, format: 'name' }))),
    firstName: Type.Optional(name),
    lastName: Type.Optional(name),
    emailAddress: maybe(email),
    phoneNumber: maybe(phone),
    locales: Type.Optional(nullable(Type.Array(Type.String({ maxLength: 35 }), { maxItems: 20 }))),
    postalCode: Type.Optional(nullable(Type.String({ maxLength: 50 }))),
    country: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
    notes: Type.Optional(nullable(Type.String({ maxLength: 1000 }))),
  },
  named('OctoSentContact', 'Who comes; a booking is confirmed with a name'),
);
export type SentContact = Static<typeof SentContact>;

const SentUnitItem = Type.Object(
  {
    uuid: Type.Optional(nullable(Type.String({ format: 'uuid' }))),
    unitId: Id,
    resellerReference: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
    contact: Type.Optional(nullable(SentContact)),
  },
  named('OctoSentUnitItem', 'A guest or a ticket'),
);
export type SentUnitItem = Static<typeof SentUnitItem>;
const SentUnitItems = Type.Array(SentUnitItem, { maxItems: MOST_UNITS });

const SentNotes = Type.Optional(nullable(Type.String({ maxLength: 900 })));
const Minutes = Type.Optional(
  nullable(Type.Integer({ minimum: 1, maximum: 100_000, description: 'At most 60 are given at a time' })),
);

export const ReservationBody = Type.Object(
  {
    uuid: Type.Optional(
      nullable(
        Type.String({
          format: 'uuid',
          description: 'The id of the booking; sent again, nothing is done twice',
        }),
      ),
    ),
    productId: Id,
    optionId: Id,
    availabilityId: Type.Optional(nullable(Id)),
    expirationMinutes: Minutes,
    notes: SentNotes,
    unitItems: Type.Optional(nullable(SentUnitItems)),
    resellerReference: maybe(partnerBookingId),
    contact: Type.Optional(nullable(SentContact)),
    confirmationToken,
  },
  {
    ...named('OctoReservation', 'A place to be held'),
    examples: [
      {
        uuid: '0b9f0c3e-7d5a-4c53-9c0e-9a6f1f6f2b11',
        productId: EXAMPLE_PRODUCT,
        optionId: OPTION_ID,
        availabilityId: '2026-12-05T19:30:00+00:00',
        unitItems: [{ unitId: 'guest' }, { unitId: 'guest' }],
      },
    ],
  },
);
export type ReservationBody = Static<typeof ReservationBody>;

export const UpdateBody = Type.Object(
  {
    resellerReference: maybe(partnerBookingId),
    productId: Type.Optional(nullable(Id)),
    optionId: Type.Optional(nullable(Id)),
    availabilityId: Type.Optional(nullable(Id)),
    expirationMinutes: Minutes,
    notes: SentNotes,
    unitItems: Type.Optional(nullable(SentUnitItems)),
    contact: Type.Optional(nullable(SentContact)),
    confirmationToken,
  },
  {
    ...named('OctoUpdate', 'What is to change; what is left out stays'),
    examples: [{ unitItems: [{ unitId: 'guest' }, { unitId: 'guest' }, { unitId: 'guest' }] }],
  },
);
export type UpdateBody = Static<typeof UpdateBody>;

export const ConfirmationBody = Type.Object(
  {
    resellerReference: maybe(partnerBookingId),
    contact: Type.Optional(nullable(SentContact)),
    unitItems: Type.Optional(nullable(SentUnitItems)),
    emailReceipt: Type.Optional(
      nullable(Type.Boolean({ description: 'Whether we write to guests is agreed per partner' })),
    ),
    confirmationToken,
  },
  {
    ...named('OctoConfirmation', 'Who comes'),
    examples: [
      {
        contact: { firstName: 'Ada', lastName: 'Lovelace', emailAddress: 'ada@example.com' },
        resellerReference: 'order-4711',
      },
    ],
  },
);
export type ConfirmationBody = Static<typeof ConfirmationBody>;

export const ExtensionBody = Type.Object(
  { expirationMinutes: Minutes },
  {
    ...named('OctoExtension', 'How much longer the place is held, from now on'),
    examples: [{ expirationMinutes: 30 }],
  },
);

export const CancellationBody = Type.Object(
  {
    reason: Type.Optional(nullable(Type.String({ maxLength: 1000 }))),
    force: Type.Optional(nullable(Type.Boolean({ description: 'Has no effect' }))),
  },
  { ...named('OctoCancellationRequest', 'Why it is cancelled'), examples: [{ reason: 'Plans changed' }] },
);

const SentUnits = Type.Optional(
  nullable(
    Type.Array(Type.Object({ id: Id, quantity: Type.Integer({ minimum: 0, maximum: MOST_UNITS }) }), {
      maxItems: 100,
      description: 'For how many; the smallest party when absent',
    }),
  ),
);

const Day = Type.Optional(nullable(Type.String({ format: 'date' })));
const question = { productId: Id, optionId: Id, localDateStart: Day, localDateEnd: Day, units: SentUnits };

const MOST_AVAILABILITY_IDS = 100;
export const AvailabilityBody = Type.Object(
  {
    ...question,
    availabilityIds: Type.Optional(nullable(Type.Array(Id, { maxItems: MOST_AVAILABILITY_IDS }))),
  },
  { ...named('OctoAvailabilityCheck', 'Two days, or ids of starts'), examples: [EXAMPLE_QUESTION] },
);
export type AvailabilityBody = Static<typeof AvailabilityBody>;

export const CalendarBody = Type.Object(question, {
  ...named('OctoCalendarCheck', 'Two days'),
  examples: [EXAMPLE_QUESTION],
});
export type CalendarBody = Static<typeof CalendarBody>;

const reference = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }));
const day = (description: string) => Type.Optional(Type.String({ format: 'date', description }));

export const BookingsQuery = Type.Object({
  resellerReference: reference('Your reference'),
  supplierReference: reference('The number that the system of the venue gave'),
  localDate: day('The day on which it begins'),
  localDateStart: day('Begins on this day or later'),
  localDateEnd: day('Begins on this day or before'),
  productId: Type.Optional(
    Type.String({ minLength: 1, maxLength: LONGEST_ID, description: 'Of this product' }),
  ),
});
export type BookingsQuery = Static<typeof BookingsQuery>;

export const RequestHeaders = Type.Object({
  'octo-capabilities': Type.Optional(
    Type.String({ maxLength: 1000, description: 'Capabilities separated by commas; we know `octo/pricing`' }),
  ),
});
