/**
 * The bodies of OCTO, the interface of ticket and tour suppliers (https://docs.octo.travel), as far as they are read or
 * sent here. What OCTO has besides is allowed and ignored: suppliers add fields, and capabilities add many.
 */
import { type Static, Type } from 'typebox';

/** No answer needs more, and a list that is longer is a fault of the supplier. */
const MOST_ITEMS = 10_000;

/** PostgreSQL cannot store the character 0. */
const STORABLE = '^[^\\u0000]*$';
const Id = Type.String({ minLength: 1, maxLength: 500, pattern: STORABLE });
const Text = Type.String({ maxLength: 20_000, pattern: STORABLE });
const Reference = Type.String({ maxLength: 500, pattern: STORABLE });
const Instant = Type.String({ format: 'date-time', maxLength: 64 });
const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });

const AVAILABILITY_STATUSES = ['AVAILABLE', 'FREESALE', 'SOLD_OUT', 'LIMITED', 'CLOSED'] as const;
const BOOKING_STATUSES = [
  'ON_HOLD',
  'CONFIRMED',
  'EXPIRED',
  'CANCELLED',
  'REDEEMED',
  'PENDING',
  'REJECTED',
] as const;
const UNIT_TYPES = [
  'ADULT',
  'YOUTH',
  'CHILD',
  'INFANT',
  'FAMILY',
  'SENIOR',
  'STUDENT',
  'MILITARY',
  'OTHER',
] as const;

/** With the capability `octo/pricing`. Amounts are in the smallest unit of the currency. */
export const Pricing = Type.Object({
  original: Type.Integer(),
  retail: Type.Integer(),
  net: nullable(Type.Integer()),
  currency: Type.String({ maxLength: 10 }),
  currencyPrecision: Type.Integer({ minimum: 0, maximum: 6 }),
});
export type Pricing = Static<typeof Pricing>;

export const Supplier = Type.Object({
  id: Id,
  name: Text,
  endpoint: Type.String({ maxLength: 2000 }),
  contact: Type.Object({
    website: nullable(Text),
    email: nullable(Text),
    telephone: nullable(Text),
    address: nullable(Text),
  }),
  shortDescription: Type.Optional(nullable(Text)),
});
export type Supplier = Static<typeof Supplier>;

export const Unit = Type.Object({
  id: Id,
  internalName: Text,
  type: Type.Enum([...UNIT_TYPES]),
  restrictions: Type.Object({
    minQuantity: nullable(Count),
    maxQuantity: nullable(Count),
    paxCount: Count,
    accompaniedBy: Type.Array(Type.String(), { maxItems: 1000 }),
  }),
  pricingFrom: Type.Optional(Type.Array(Pricing, { maxItems: 1000 })),
  title: Type.Optional(nullable(Text)),
});
export type Unit = Static<typeof Unit>;

export const Option = Type.Object({
  id: Id,
  default: Type.Boolean(),
  internalName: Text,
  restrictions: Type.Object({ minUnits: nullable(Count), maxUnits: nullable(Count) }),
  units: Type.Array(Unit, { maxItems: 1000 }),
  title: Type.Optional(nullable(Text)),
});
export type Option = Static<typeof Option>;

export const Product = Type.Object({
  id: Id,
  internalName: Text,
  timeZone: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
  instantConfirmation: Type.Boolean(),
  options: Type.Array(Option, { maxItems: 1000 }),
  defaultCurrency: Type.Optional(Type.String({ maxLength: 10 })),
  title: Type.Optional(nullable(Text)),
  shortDescription: Type.Optional(nullable(Text)),
  description: Type.Optional(nullable(Text)),
});
export type Product = Static<typeof Product>;
export const Products = Type.Array(Product, { maxItems: MOST_ITEMS });

/** A start, or an open day, of one option. */
export const Availability = Type.Object({
  id: Id,
  localDateTimeStart: Instant,
  localDateTimeEnd: Instant,
  allDay: Type.Boolean(),
  available: Type.Boolean(),
  status: Type.Enum([...AVAILABILITY_STATUSES]),
  // Suppliers leave these out as often as they send null.
  utcCutoffAt: Type.Optional(nullable(Instant)),
  vacancies: Type.Optional(nullable(Count)),
  capacity: Type.Optional(nullable(Count)),
  maxUnits: Type.Optional(nullable(Count)),
});
export type Availability = Static<typeof Availability>;
export const Availabilities = Type.Array(Availability, { maxItems: MOST_ITEMS });

const CalendarDay = Type.Object({
  localDate: Type.String({ format: 'date' }),
  available: Type.Boolean(),
  status: Type.Enum([...AVAILABILITY_STATUSES]),
  vacancies: Type.Optional(nullable(Count)),
  capacity: Type.Optional(nullable(Count)),
});
export type CalendarDay = Static<typeof CalendarDay>;

export const UnitItem = Type.Object({
  uuid: Id,
  resellerReference: Type.Optional(nullable(Text)),
  supplierReference: Type.Optional(nullable(Text)),
  unitId: Id,
  status: Type.Enum([...BOOKING_STATUSES]),
  pricing: Type.Optional(Pricing),
});
export type UnitItem = Static<typeof UnitItem>;

export const Booking = Type.Object({
  id: Id,
  uuid: Id,
  resellerReference: nullable(Reference),
  supplierReference: nullable(Reference),
  status: Type.Enum([...BOOKING_STATUSES]),
  utcExpiresAt: nullable(Instant),
  productId: Id,
  optionId: Id,
  availabilityId: nullable(Id),
  availability: nullable(
    Type.Object({ id: Id, localDateTimeStart: Instant, localDateTimeEnd: Instant, allDay: Type.Boolean() }),
  ),
  unitItems: Type.Array(UnitItem, { maxItems: 1000 }),
  pricing: Type.Optional(Pricing),
});
export type Booking = Static<typeof Booking>;
export const Bookings = Type.Array(Booking, { maxItems: MOST_ITEMS });

export const OctoError = Type.Object({
  error: Type.String({ minLength: 1, maxLength: 100 }),
  errorMessage: Type.Optional(Type.String()),
});
export type OctoError = Static<typeof OctoError>;

export const ContactBody = Type.Partial(
  Type.Object({
    fullName: nullable(Text),
    firstName: nullable(Text),
    lastName: nullable(Text),
    emailAddress: nullable(Type.String({ format: 'email' })),
    phoneNumber: nullable(Text),
    locales: Type.Array(Type.String()),
    postalCode: nullable(Text),
    country: nullable(Text),
    notes: nullable(Text),
  }),
);
export type ContactBody = Static<typeof ContactBody>;

export const UnitItemBody = Type.Object({
  uuid: Type.Optional(Type.String({ format: 'uuid' })),
  unitId: Id,
  resellerReference: Type.Optional(Text),
  contact: Type.Optional(ContactBody),
});
export type UnitItemBody = Static<typeof UnitItemBody>;

const AvailabilityBody = Type.Object({
  productId: Id,
  optionId: Id,
  localDateStart: Type.Optional(Type.String({ format: 'date' })),
  localDateEnd: Type.Optional(Type.String({ format: 'date' })),
  availabilityIds: Type.Optional(Type.Array(Id)),
  units: Type.Optional(Type.Array(Type.Object({ id: Id, quantity: Count }))),
});
export type AvailabilityBody = Static<typeof AvailabilityBody>;

const Reservation = {
  notes: Type.Optional(nullable(Text)),
  expirationMinutes: Type.Optional(Type.Integer({ minimum: 1 })),
  resellerReference: Type.Optional(Text),
  contact: Type.Optional(ContactBody),
};

export const ReservationBody = Type.Object({
  ...Reservation,
  uuid: Type.Optional(Type.String({ format: 'uuid' })),
  productId: Id,
  optionId: Id,
  availabilityId: Type.Optional(Id),
  unitItems: Type.Array(UnitItemBody),
});
export type ReservationBody = Static<typeof ReservationBody>;

export const UpdateBody = Type.Object({
  ...Reservation,
  productId: Type.Optional(Id),
  optionId: Type.Optional(Id),
  availabilityId: Type.Optional(Id),
  unitItems: Type.Optional(Type.Array(UnitItemBody)),
});
export type UpdateBody = Static<typeof UpdateBody>;

const ConfirmationBody = Type.Object({
  emailReceipt: Type.Optional(Type.Boolean()),
  resellerReference: Type.Optional(Text),
  contact: ContactBody,
  unitItems: Type.Optional(Type.Array(UnitItemBody)),
});
export type ConfirmationBody = Static<typeof ConfirmationBody>;

const ExtensionBody = Type.Object({ expirationMinutes: Type.Optional(Type.Integer({ minimum: 1 })) });
export type ExtensionBody = Static<typeof ExtensionBody>;

const CancellationBody = Type.Object({ reason: Type.Optional(nullable(Text)) });
export type CancellationBody = Static<typeof CancellationBody>;
