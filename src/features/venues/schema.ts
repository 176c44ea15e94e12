import { type Static, Type } from 'typebox';
import {
  CLOCK_TIME,
  named,
  nullable,
  oneOf,
  pence,
  text,
  URI,
} from '../../http/validation/schema-helpers.ts';
import { WeekdaySchema } from './manage/schema-helpers.ts';
import { Preorders } from './preorders/schema.ts';
import {
  AVAILABILITY_RULE_EFFECTS,
  AVAILABILITY_RULE_TYPES,
  COMPANY_MODES,
  DEPOSIT_UNITS,
  PRE_ORDER_REQUIREMENTS,
} from './transfer/document.ts';

const Capacity = Type.Object(
  { min: nullable(Type.Integer()), max: nullable(Type.Integer()) },
  named('Capacity', 'Guests in this layout; both null where the space is not laid out so'),
);

const MinimumSpend = Type.Object(
  {
    weekdays: Type.Array(WeekdaySchema),
    startTime: text('Local time, `HH:MM`', CLOCK_TIME),
    endTime: text('Local time, `HH:MM`; at or before `startTime` it is on the next day', CLOCK_TIME),
    amount: pence('Least spend for the band'),
  },
  named('MinimumSpend', 'What guests spend at least, within a band of the day'),
);

const SpacePolicies = Type.Object(
  {
    minimumSpend: Type.Array(MinimumSpend),
    occasionTypes: Type.Array(Type.String()),
    under18s: Type.Boolean({ description: 'Guests under 18 are welcome' }),
    promotedEvents: Type.Boolean({ description: 'Events that are advertised to the public are welcome' }),
    accessibility: Type.Boolean({ description: 'Step-free access' }),
    servesFood: Type.Boolean(),
  },
  named('SpacePolicies', 'What the space requires and allows'),
);

export const Space = Type.Object(
  {
    id: Type.Integer({ description: 'Send it as `spaceId` when booking' }),
    spaceName: Type.String(),
    description: nullable(Type.String()),
    floorLocation: nullable(Type.String()),
    facilities: Type.Array(Type.String()),
    capacityStanding: Capacity,
    capacitySeated: Capacity,
    capacityCabaret: Capacity,
    capacityTheatre: Capacity,
    capacityBoardroom: Capacity,
    capacityClassroom: Capacity,
    capacityUShape: Capacity,
    capacityBanquet: Capacity,
    capacityReception: Capacity,
    policies: SpacePolicies,
  },
  named('Space', 'A room or area that can be booked as such'),
);

export type Space = Static<typeof Space>;

const Period = Type.Object(
  {
    opens: text('Local time, `HH:MM`', CLOCK_TIME),
    closes: text('Local time, `HH:MM`; at or before `opens` it is on the next day', CLOCK_TIME),
  },
  named('Period', 'One stretch of a trading day'),
);

const WeeklyHours = Type.Object(
  {
    weekday: WeekdaySchema,
    day: text('English name of the weekday'),
    periods: Type.Array(Period, { description: 'Empty: closed' }),
  },
  named('WeeklyHours', 'Hours of one weekday'),
);

const DatedHours = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'Trading day' }),
    isClosed: Type.Boolean(),
    periods: Type.Array(Period),
    reason: nullable(Type.String()),
  },
  named('DatedHours', 'Hours of one date'),
);

const OpeningTimes = Type.Object(
  {
    weekly: Type.Array(WeeklyHours, { description: 'Seven entries, Monday first' }),
    exceptions: Type.Array(DatedHours, { description: 'Dates on which the weekly hours do not hold' }),
  },
  named('OpeningTimes', 'When the venue trades, in its own time zone'),
);

const AvailabilityRule = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    type: oneOf(AVAILABILITY_RULE_TYPES),
    effect: oneOf(AVAILABILITY_RULE_EFFECTS, {
      description: '`disable`: out of sale; `reserve`: kept for others than you',
    }),
    productId: nullable(text('The one product it concerns; null: the whole venue')),
    spaceId: nullable(Type.Integer({ description: 'The one space it takes away; null: the whole time' })),
    startDate: nullable(Type.String({ format: 'date' })),
    endDate: nullable(Type.String({ format: 'date' })),
    weekdays: nullable(Type.Array(WeekdaySchema)),
    dates: nullable(Type.Array(Type.String({ format: 'date' }))),
    startTime: nullable(Type.String(CLOCK_TIME)),
    endTime: nullable(Type.String(CLOCK_TIME)),
    reason: nullable(Type.String()),
  },
  named(
    'AvailabilityRule',
    'Times that the operator does not offer; which fields are set follows from `type`',
  ),
);

const Category = Type.Object(
  { id: Type.Integer(), name: Type.String(), slug: Type.String() },
  named('Category', 'Product category'),
);

export const CategoryList = Type.Object(
  { data: Type.Array(Category) },
  named('CategoryList', 'All categories'),
);

const PaymentRule = Type.Object(
  {
    amount: pence('Deposit'),
    currency: Type.String(),
    per: oneOf(DEPOSIT_UNITS),
    minPartySize: nullable(Type.Integer()),
    maxPartySize: nullable(Type.Integer()),
    weekdays: nullable(Type.Array(WeekdaySchema)),
  },
  named('PaymentRule', 'A deposit that is due when every condition that is not null holds'),
);

export const Product = Type.Object(
  {
    compositeId: text('Venue id and product, four segments'),
    productName: Type.String(),
    slug: nullable(text('Names the product across venues; rules refer to it')),
    timeInterval: Type.Integer({ description: 'Minutes between two slot times' }),
    preOrderRequired: Type.Boolean(),
    preOrderRequiredType: oneOf(PRE_ORDER_REQUIREMENTS),
    depositRequired: Type.Boolean({ description: 'Every booking owes a deposit' }),
    paymentRules: Type.Array(PaymentRule),
    availabilityRules: Type.Object({
      weekly: Type.Array(WeeklyHours, { description: 'Seven entries, Monday first' }),
      exceptions: Type.Array(DatedHours, { description: 'Imposed by the table management system' }),
      rules: Type.Array(AvailabilityRule, {
        description: 'Set by the operator, as far as they concern the caller',
      }),
    }),
    category: nullable(Category),
    preorders: Preorders,
    spaces: Type.Array(Space),
    feedUrl: nullable(text('Index of the availability feed; null until there is one', URI)),
  },
  named('Product', 'Something that a venue lets you book'),
);

const Photo = Type.Object(
  {
    url: Type.String(URI),
    caption: nullable(Type.String()),
    width: nullable(Type.Integer()),
    height: nullable(Type.Integer()),
  },
  named('Photo', 'A photo'),
);

const BookingRequirements = Type.Object(
  {
    requiredFields: Type.Array(Type.String(), {
      description: 'Members that a booking at this venue cannot do without',
    }),
    company: Type.Object({
      mode: oneOf(COMPANY_MODES),
      isRequired: Type.Boolean(),
      companyNames: Type.Array(Type.String(), {
        description: 'The names a booking may carry on your channel',
      }),
    }),
  },
  named('BookingRequirements', 'What your channel must send along with a booking'),
);

const VenueContent = Type.Object(
  {
    summary: nullable(Type.String()),
    description: nullable(Type.String()),
    highlights: Type.Array(Type.String()),
  },
  named('VenueContent', 'What the venue says about itself'),
);

export const Location = Type.Object(
  {
    lat: Type.Number(),
    lng: Type.Number(),
    address: nullable(Type.String()),
    area: Type.String(),
    city: Type.String(),
    postcode: nullable(Type.String()),
    countryCode: text('ISO 3166-1, two letters'),
  },
  named('Location', 'Where the venue is'),
);

const VenueType = Type.Object(
  { slug: Type.String(), name: Type.String() },
  named('VenueType', 'A kind of place'),
);

const venueFields = {
  id: text('Venue group, system and venue, three segments joined by `|`'),
  name: Type.String(),
  venueGroupName: text('The operator'),
  content: VenueContent,
  phone_number: nullable(Type.String()),
  website: nullable(Type.String(URI)),
  reservable: Type.Boolean({ description: 'You can book here now' }),
  timeZone: text('IANA zone of every local time of this venue'),
  location: Location,
  types: Type.Array(VenueType, {
    description: 'What kind of place it is; the `features` filter takes these slugs',
  }),
  photos: Type.Array(Photo),
  media: Type.Array(Photo, { description: 'Another name of `photos`' }),
  is_active: Type.Boolean({ deprecated: true, description: 'Use `reservable`' }),
  created_at: Type.String({ format: 'date-time', deprecated: true }),
  updated_at: Type.String({ format: 'date-time' }),
  products: Type.Array(Product),
  preorders: Preorders,
  opening_times: OpeningTimes,
  bookingOverrides: Type.Object(
    { maxPartySize: nullable(Type.Integer()), requestOnly: Type.Boolean() },
    { description: 'Where your channel is narrower than the venue’s own settings' },
  ),
  operatorAvailabilityRules: Type.Array(AvailabilityRule),
};

/** An entry of the list. Booking requirements come with it only when `fields` asks for them. */
export const ListedVenue = Type.Object(
  {
    ...venueFields,
    bookingRequirements: Type.Optional(BookingRequirements),
  },
  named('ListedVenue', 'A venue as it stands in a list'),
);

export const Venue = Type.Object(
  { ...venueFields, bookingRequirements: BookingRequirements },
  named('Venue', 'A venue'),
);

export type Venue = Static<typeof Venue>;
export type Product = Static<typeof Product>;
export type AvailabilityRule = Static<typeof AvailabilityRule>;
export type BookingRequirements = Static<typeof BookingRequirements>;
