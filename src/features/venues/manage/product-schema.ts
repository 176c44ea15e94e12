import { type Static, Type } from 'typebox';
import { integerId } from '../../../http/manage-route.ts';
import { named, nullable, oneOf, optional } from '../../../http/validation/schema-helpers.ts';
import { CURRENCY } from '../../../kernel/money.ts';
import { MINUTES_PER_DAY } from '../../../kernel/zone-time.ts';
import { DEPOSIT_UNITS, PRE_ORDER_REQUIREMENTS } from '../transfer/document.ts';
import { newOccurrenceBodyExample, newProductBodyExample, productBodyExample } from './examples.ts';
import {
  closed,
  HoursBody,
  ids,
  label,
  MAX_SMALLINT,
  number,
  price,
  prose,
  segment,
  slug,
  weekdays,
  whole,
} from './schema-helpers.ts';

const TEN_YEARS_OF_MINUTES = 5_256_000;
const CENTURY_OF_DAYS = 36_500;

const guests = (description: string) => number(description, 1, MAX_SMALLINT);
const minutes = (description: string) => number(description, 1, MINUTES_PER_DAY);

const PaymentRuleBody = Type.Object(
  {
    amount: price('Deposit'),
    currency: oneOf([CURRENCY]),
    per: oneOf(DEPOSIT_UNITS),
    minPartySize: nullable(guests('Smallest party that pays it')),
    maxPartySize: nullable(guests('Largest party that pays it')),
    weekdays: nullable(weekdays),
  },
  { ...closed, description: 'A deposit that is due when every condition that is not null holds' },
);

const RefundTermBody = Type.Object(
  {
    hoursBefore: number('Up to so long before the start', 0, 87_600),
    percent: number('so much of what was paid is given back', 0, 100),
  },
  closed,
);

const house = {
  zoneIds: optional(ids('Where its guests sit, unless it has spaces; null: every zone that the venue has')),
  minGuests: optional(
    guests('Smallest party; null: the smallest that one of its tables or combinations is given to'),
  ),
  maxGuests: optional(
    guests('Largest party; null: the largest that one of its tables or combinations seats'),
  ),
  turnTimes: optional(
    Type.Array(Type.Object({ upTo: guests('For parties up to'), minutes: minutes('Their stay') }, closed), {
      minItems: 1,
      maxItems: 50,
      description: 'Ascending; the last entry also holds for larger parties',
    }),
  ),
  duration: optional(
    Type.Object(
      {
        minMinutes: minutes('Shortest stay'),
        maxMinutes: minutes('Longest stay'),
        stepMinutes: minutes('Stays last a multiple of it'),
      },
      closed,
    ),
  ),
  coversPerStart: optional(guests('Guests that may start at the same minute; null: as many as fit')),
  instantLimit: optional(number('Larger parties are confirmed by you; null: none', 0, MAX_SMALLINT)),
  isRequestOnly: optional(Type.Boolean({ description: 'Every booking is confirmed by you' })),
  takesEnquiries: optional(Type.Boolean({ description: 'Guests may enquire about what is fully booked' })),
  noticeMinutes: optional(number('Least time between booking and start', 0, TEN_YEARS_OF_MINUTES)),
  horizonDays: optional(number('Days ahead that can be booked; null: any', 0, CENTURY_OF_DAYS)),
  policy: optional(prose('What guests agree to')),
  cancellationPolicy: optional(prose('What holds when they cancel')),
};

const tickets = {
  pricePence: price('One ticket'),
  capacity: number('Tickets of this type for each occurrence', 0, 1_000_000),
  minPerBooking: optional(guests('Fewest in one booking; null: 1')),
  maxPerBooking: guests('Most in one booking'),
  salesOpenDaysBefore: optional(
    number('Days before it takes place that sales begin; null: at once', 0, CENTURY_OF_DAYS),
  ),
  salesCloseMinutesBefore: optional(
    number('Minutes before it starts that sales end', 0, TEN_YEARS_OF_MINUTES),
  ),
  policy: optional(prose('What guests agree to')),
  cancellationPolicy: optional(prose('What holds when they cancel')),
};

const fields = {
  name: label('Name'),
  slug: optional(slug('Names the product across venues; rules refer to it')),
  category: optional(slug('Slug of a category')),
  timeIntervalMinutes: minutes('Minutes between two slot times'),
  preOrderRequiredType: optional(oneOf(PRE_ORDER_REQUIREMENTS)),
  paymentRules: optional(Type.Array(PaymentRuleBody, { maxItems: 50 }), 'The first that fits holds'),
  refundTerms: optional(
    Type.Array(RefundTermBody, { maxItems: 20 }),
    'None: everything is given back until the start',
  ),
  spaceIds: optional(ids('Spaces that are booked with it')),
  packageIds: optional(ids('Packages that can be ordered with it')),
  menuIds: optional(ids('Menus that can be ordered from')),
};

const HouseBody = Type.Object(house, { ...closed, description: 'How it is seated' });
const TicketsBody = Type.Object(tickets, { ...closed, description: 'How tickets of this type are sold' });

const body = {
  ...fields,
  hours: HoursBody,
  house: optional(HouseBody, 'Of a venue whose system is `house`, and required there'),
  tickets: optional(TicketsBody, 'Of a venue whose system is `tickets`, and required there'),
};

const Effective = Type.Object(
  {
    zoneIds: ids('Where its guests sit'),
    minGuests: guests('Smallest party'),
    maxGuests: guests('Largest party'),
  },
  {
    description:
      'What `house` comes to with the layout as it is now: what it states, and what follows where it says null',
  },
);

const key = segment('Fourth segment of its composite id');

export const ProductBody = Type.Object(body, { ...closed, examples: [productBodyExample] });
export type ProductBody = Static<typeof ProductBody>;
export const NewProductBody = Type.Object({ key, ...body }, { ...closed, examples: [newProductBodyExample] });
export type NewProductBody = Static<typeof NewProductBody>;

/** What always has a value once it is stored. */
const HouseSettings = Type.Object({
  ...whole(house),
  turnTimes: Type.Array(Type.Object({ upTo: Type.Integer(), minutes: Type.Integer() })),
  duration: Type.Object({
    minMinutes: Type.Integer(),
    maxMinutes: Type.Integer(),
    stepMinutes: Type.Integer(),
  }),
  isRequestOnly: Type.Boolean(),
  takesEnquiries: Type.Boolean(),
  noticeMinutes: Type.Integer(),
});

const TicketSettings = Type.Object({
  ...whole(tickets),
  minPerBooking: guests('Fewest in one booking'),
  salesCloseMinutesBefore: Type.Integer(),
});

export const ManagedProduct = Type.Object(
  {
    compositeId: Type.String({ description: 'Venue id and key' }),
    key,
    ...whole(fields),
    preOrderRequiredType: oneOf(PRE_ORDER_REQUIREMENTS),
    paymentRules: Type.Array(PaymentRuleBody),
    refundTerms: Type.Array(RefundTermBody),
    hours: Type.Object(whole(HoursBody.properties)),
    spaceIds: ids('Spaces that are booked with it'),
    packageIds: ids('Packages that can be ordered with it'),
    menuIds: ids('Menus that can be ordered from'),
    isWithdrawn: Type.Boolean({
      description: 'No longer on sale, because the system behind the venue no longer has it; bookings stay',
    }),
    house: nullable(HouseSettings),
    effective: nullable(Effective),
    tickets: nullable(TicketSettings),
  },
  named('ManagedProduct', 'A product or ticket type, as its operator keeps it'),
);
export const ManagedProducts = Type.Object({ data: Type.Array(ManagedProduct) });
export type ManagedProduct = Static<typeof ManagedProduct>;

/** The members that a product has for systems, each null until the product's own system gives a value. */
export const NO_SYSTEM_PARTS: { [Member in 'house' | 'effective' | 'tickets']: ManagedProduct[Member] } = {
  house: null,
  effective: null,
  tickets: null,
};

const occurrence = {
  date: Type.String({ format: 'date', description: 'Trading day' }),
  startsMinute: number('Minute of the trading day; from 1440 on it is the next morning', 0, 2879),
  durationMinutes: minutes('How long it lasts'),
};

export const NewOccurrenceBody = Type.Object(occurrence, { ...closed, examples: [newOccurrenceBodyExample] });
export type NewOccurrenceBody = Static<typeof NewOccurrenceBody>;

export const OccurrenceBody = Type.Object(
  {
    ...occurrence,
    isWithdrawn: optional(Type.Boolean({ description: 'No longer sold' })),
  },
  { ...closed, examples: [newOccurrenceBodyExample] },
);
export type OccurrenceBody = Static<typeof OccurrenceBody>;

export const ManagedOccurrence = Type.Object(
  {
    id: integerId('Id of the occurrence', 12),
    ...occurrence,
    isWithdrawn: Type.Boolean({ description: 'No longer sold; those who have tickets keep them' }),
    hasTickets: Type.Boolean({ description: 'Tickets for it are sold' }),
  },
  named('ManagedOccurrence', 'One time that an event takes place'),
);
export type ManagedOccurrence = Static<typeof ManagedOccurrence>;
