/**
 * The bodies of OCTO (https://docs.octo.travel) as a supplier takes and gives them. What OCTO has besides is accepted
 * and ignored, because capabilities add members of their own.
 */
import { type Static, Type } from 'typebox';
import { BookingBody } from '../../features/bookings/service.ts';
import { named, nullable, oneOf, text } from '../../http/validation/schema-helpers.ts';

const LONGEST_ID = 500;
const MOST_UNITS = 1000;

export const OPTION_ID = 'DEFAULT';
const EXAMPLE_PRODUCT = '1|house|soho-grill|dinner';
const EXAMPLE_QUESTION = {
  productId: EXAMPLE_PRODUCT,
  optionId: OPTION_ID,
  localDateStart: '2026-12-05',
  localDateEnd: '2026-12-05',
  units: [{ id: 'guest', quantity: 2 }],
};
export const CAPABILITIES = ['octo/pricing'] as const;
export type CapabilityId = (typeof CAPABILITIES)[number];

const Id = Type.String({ maxLength: LONGEST_ID });
const instant = (description: string) => Type.String({ format: 'date-time', description });
const maybeText = nullable(Type.String());

/** What is sent. */

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

export const MOST_AVAILABILITY_IDS = 100;
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

/** What is answered. */

export const OctoError = Type.Object(
  {
    error: text('A code of OCTO'),
    errorMessage: text('One sentence for people'),
    code: text('Our own code, see `/problems/{code}`'),
    isRetryable: Type.Boolean(),
  },
  { additionalProperties: true, ...named('OctoError', 'A refusal in the form of OCTO') },
);

export const Pricing = Type.Object(
  {
    original: Type.Integer(),
    retail: Type.Integer(),
    net: nullable(Type.Integer()),
    currency: Type.String(),
    currencyPrecision: Type.Integer(),
    includedTaxes: Type.Array(Type.Unknown()),
  },
  named('OctoPricing', 'With `octo/pricing`: amounts in pence'),
);
export type Pricing = Static<typeof Pricing>;
const UnitPrice = Type.Object({ unitId: Type.String(), ...Pricing.properties });
export type UnitPrice = Static<typeof UnitPrice>;
const Prices = Type.Optional(Type.Array(Pricing));

export const Supplier = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    endpoint: Type.String(),
    contact: Type.Object({ website: maybeText, email: maybeText, telephone: maybeText, address: maybeText }),
  },
  named('OctoSupplier', 'We, as a supplier'),
);
export type Supplier = Static<typeof Supplier>;

export const Capability = Type.Object(
  {
    id: Type.String(),
    revision: Type.Integer(),
    required: Type.Boolean(),
    dependencies: Type.Array(Type.String()),
    docs: maybeText,
  },
  named('OctoCapability', 'Something that OCTO leaves to suppliers'),
);

const count = nullable(Type.Integer());

const Unit = Type.Object(
  {
    id: Type.String(),
    internalName: Type.String(),
    reference: maybeText,
    type: Type.String(),
    restrictions: Type.Object({
      minAge: Type.Integer(),
      maxAge: Type.Integer(),
      idRequired: Type.Boolean(),
      minQuantity: count,
      maxQuantity: count,
      paxCount: Type.Integer(),
      accompaniedBy: Type.Array(Type.String()),
    }),
    requiredContactFields: Type.Array(Type.String()),
    pricingFrom: Prices,
    pricing: Prices,
  },
  named('OctoUnit', 'A guest at a table, or a ticket'),
);

const Option = Type.Object(
  {
    id: Type.String(),
    default: Type.Boolean(),
    internalName: Type.String(),
    reference: maybeText,
    availabilityLocalStartTimes: Type.Array(Type.String()),
    cancellationCutoff: Type.String(),
    cancellationCutoffAmount: Type.Integer(),
    cancellationCutoffUnit: Type.String(),
    requiredContactFields: Type.Array(Type.String()),
    restrictions: Type.Object({ minUnits: count, maxUnits: count }),
    units: Type.Array(Unit),
  },
  named('OctoOption', 'The only way to buy the product'),
);

export const Product = Type.Object(
  {
    id: Type.String(),
    internalName: Type.String(),
    reference: maybeText,
    locale: Type.String(),
    timeZone: Type.String(),
    allowFreesale: Type.Boolean(),
    instantConfirmation: Type.Boolean(),
    instantDelivery: Type.Boolean(),
    availabilityRequired: Type.Boolean(),
    availabilityType: Type.String(),
    deliveryFormats: Type.Array(Type.String()),
    deliveryMethods: Type.Array(Type.String()),
    redemptionMethod: Type.String(),
    options: Type.Array(Option),
    defaultCurrency: Type.Optional(Type.String()),
    availableCurrencies: Type.Optional(Type.Array(Type.String())),
    pricingPer: Type.Optional(Type.String()),
  },
  named('OctoProduct', 'A product of a venue, or a ticket type of an event'),
);
export type Product = Static<typeof Product>;

const OpeningHours = Type.Object({ from: Type.String(), to: Type.String() });
export const AVAILABILITY_STATUSES = ['AVAILABLE', 'SOLD_OUT', 'LIMITED', 'CLOSED'] as const;
export type AvailabilityStatus = (typeof AVAILABILITY_STATUSES)[number];

const vacant = {
  available: Type.Boolean(),
  status: oneOf(AVAILABILITY_STATUSES),
  vacancies: count,
  capacity: count,
  openingHours: Type.Array(OpeningHours),
};

export const Availability = Type.Object(
  {
    id: text('The local start with its offset'),
    localDateTimeStart: Type.String(),
    localDateTimeEnd: Type.String(),
    utcCutoffAt: instant('When it begins'),
    allDay: Type.Boolean(),
    ...vacant,
    maxUnits: count,
    unitPricing: Type.Optional(Type.Array(UnitPrice)),
  },
  named('OctoAvailability', 'A start'),
);
export type Availability = Static<typeof Availability>;

export const CalendarDay = Type.Object(
  {
    localDate: Type.String({ format: 'date' }),
    ...vacant,
    unitPricingFrom: Type.Optional(Type.Array(UnitPrice)),
  },
  named('OctoCalendarDay', 'A day'),
);
export type CalendarDay = Static<typeof CalendarDay>;

export const Contact = Type.Object(
  {
    fullName: maybeText,
    firstName: maybeText,
    lastName: maybeText,
    emailAddress: maybeText,
    phoneNumber: maybeText,
    locales: Type.Array(Type.String()),
    postalCode: maybeText,
    country: maybeText,
    notes: maybeText,
  },
  named('OctoContact', 'Who comes; all null once the guest was forgotten'),
);
export type Contact = Static<typeof Contact>;

export const STATUSES = [
  'ON_HOLD',
  'EXPIRED',
  'CONFIRMED',
  'REDEEMED',
  'CANCELLED',
  'PENDING',
  'REJECTED',
] as const;
export type OctoStatus = (typeof STATUSES)[number];
export const REFUNDS = ['FULL', 'PARTIAL', 'NONE'] as const;
export type Refund = (typeof REFUNDS)[number];

const UnitItem = Type.Object(
  {
    uuid: Type.String(),
    resellerReference: maybeText,
    supplierReference: maybeText,
    unitId: Type.String(),
    status: oneOf(STATUSES),
    utcRedeemedAt: nullable(Type.String()),
    contact: Contact,
    ticket: Type.Null(),
    pricing: Type.Optional(Pricing),
  },
  named('OctoUnitItem', 'A guest or a ticket of a booking'),
);

const Voucher = Type.Object(
  {
    redemptionMethod: Type.String(),
    utcRedeemedAt: maybeText,
    deliveryOptions: Type.Array(Type.Object({ deliveryFormat: Type.String(), deliveryValue: Type.String() })),
  },
  named('OctoVoucher', 'What the guest shows: the number of the booking'),
);

const maybeInstant = nullable(instant('When'), {});

export const OctoBooking = Type.Object(
  {
    id: Type.String(),
    uuid: Type.String({ format: 'uuid' }),
    testMode: Type.Boolean(),
    resellerReference: maybeText,
    supplierReference: maybeText,
    status: oneOf(STATUSES),
    utcCreatedAt: instant('When it was held'),
    utcUpdatedAt: instant('Later with every change'),
    utcExpiresAt: maybeInstant,
    utcRedeemedAt: maybeInstant,
    utcConfirmedAt: maybeInstant,
    productId: Type.String(),
    optionId: Type.String(),
    cancellable: Type.Boolean(),
    cancellation: nullable(
      Type.Object({ refund: oneOf(REFUNDS), reason: maybeText, utcCancelledAt: instant('When') }),
    ),
    freesale: Type.Boolean(),
    availabilityId: Type.String(),
    availability: Availability,
    contact: Contact,
    notes: maybeText,
    deliveryMethods: Type.Array(Type.String()),
    voucher: Voucher,
    unitItems: Type.Array(UnitItem),
    pricing: Type.Optional(Pricing),
  },
  named('OctoBooking', 'A reservation or a booking'),
);
export type OctoBooking = Static<typeof OctoBooking>;
