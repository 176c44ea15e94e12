/**
 * What a supplier of OCTO (https://docs.octo.travel) answers.
 */
import { type Static, Type } from 'typebox';
import { named, nullable, oneOf, text } from '../../http/validation/schema-helpers.ts';

export const OPTION_ID = 'DEFAULT';
export const EXAMPLE_PRODUCT = '1|house|soho-grill|dinner';
export const CAPABILITIES = ['octo/pricing'] as const;
export type CapabilityId = (typeof CAPABILITIES)[number];
const instant = (description: string) => Type.String({ format: 'date-time', description });
const maybeText = nullable(Type.String());

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
const AVAILABILITY_STATUSES = ['AVAILABLE', 'SOLD_OUT', 'LIMITED', 'CLOSED'] as const;
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

const STATUSES = ['ON_HOLD', 'EXPIRED', 'CONFIRMED', 'REDEEMED', 'CANCELLED', 'PENDING', 'REJECTED'] as const;
export type OctoStatus = (typeof STATUSES)[number];
const REFUNDS = ['FULL', 'PARTIAL', 'NONE'] as const;
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
