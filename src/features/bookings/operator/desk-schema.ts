/** What operators send to take, change and follow bookings at the desk. */
import { type Static, Type } from 'typebox';
import { MAX_INTEGER } from '../../../http/manage-route.ts';
import {
  CLOCK_TIME,
  DATE,
  named,
  nameText,
  nullable,
  oneOf,
  optional,
} from '../../../http/validation/schema-helpers.ts';
import { MOST_GUESTS } from '../../availability/service.ts';
import { phoneText, words } from '../create/body.ts';
import { ORIGINS, VISIT_STATES } from '../record.ts';
import { listedBookingExample } from '../schema.ts';
import { ManagedBooking, managedBookingExample } from './schema.ts';

const closed = { additionalProperties: false };
const MOST_TABLES = 20;

export const DESK_OVERRIDES = ['notice', 'pacing', 'rules', 'hours', 'covers'] as const;
export type DeskOverride = (typeof DESK_OVERRIDES)[number];

const overrides = Type.Optional(
  Type.Array(oneOf(DESK_OVERRIDES), {
    maxItems: DESK_OVERRIDES.length,
    uniqueItems: true,
    description:
      'Limits to set aside: `notice` (also how far ahead), `pacing`, `hours`, `covers` (sizes of party and tables), `rules`. Staff may set aside `notice` and `pacing`, managers all. A table that is taken stays taken.',
  }),
);

const tableIds = Type.Array(Type.Integer({ minimum: 1, maximum: MAX_INTEGER }), {
  minItems: 1,
  maxItems: MOST_TABLES,
  uniqueItems: true,
  description: 'Tables of the venue; several need not be a combination of the layout',
});

const HouseGuest = Type.Object(
  {
    firstName: optional(nameText('First name', 100)),
    lastName: nameText('Last name', 100),
    email: optional(Type.String({ format: 'email', maxLength: 254 })),
    phone: optional(phoneText),
  },
  { ...closed, ...named('HouseGuest', 'The guest, as far as the house knows') },
);
const GuestEdit = Type.Partial(HouseGuest, {
  ...closed,
  ...named('GuestEdit', 'What is to change about the guest of a booking of the house; null erases'),
});
export type HouseGuest = Partial<Static<typeof HouseGuest>>;

const stay = {
  date: Type.String({ description: 'Trading day `YYYY-MM-DD`', maxLength: 60, ...DATE }),
  time: Type.String({ description: 'Local time `HH:MM`', maxLength: 60, ...CLOCK_TIME }),
  partySize: Type.Integer({ minimum: 1, maximum: MOST_GUESTS, description: 'Adults' }),
  children: Type.Integer({ minimum: 0, maximum: MOST_GUESTS, description: 'Children, besides the adults' }),
  duration: Type.Integer({ minimum: 1, maximum: 1440, description: 'Minutes' }),
  spaceId: Type.Integer({ minimum: 1, maximum: MAX_INTEGER, description: 'A space of the product' }),
  notes: words('What the guest wishes', 2000),
};

export const HouseBookingBody = Type.Object(
  {
    productKey: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The last part of the composite id of the product',
    }),
    origin: oneOf(ORIGINS, {
      description: 'How it came in. A party that walks in needs no guest and no time.',
    }),
    date: optional(stay.date),
    time: optional(stay.time),
    partySize: stay.partySize,
    children: optional(stay.children),
    duration: optional(stay.duration),
    spaceId: optional(stay.spaceId),
    tableIds: Type.Optional(nullable(tableIds)),
    guest: optional(HouseGuest),
    notes: optional(stay.notes),
    overrides,
  },
  {
    ...closed,
    ...named('HouseBookingRequest', 'A booking that the house takes itself'),
    examples: [
      {
        productKey: 'dinner',
        origin: 'phone',
        date: '2026-12-05',
        time: '19:30',
        partySize: 4,
        guest: { lastName: 'Lovelace', phone: '+44 20 7946 0018' },
      },
    ],
  },
);
export type HouseBookingBody = Static<typeof HouseBookingBody>;

export const BookingEdit = Type.Object(
  {
    date: Type.Optional(stay.date),
    time: Type.Optional(stay.time),
    partySize: Type.Optional(stay.partySize),
    children: Type.Optional(stay.children),
    duration: optional(stay.duration),
    spaceId: optional(stay.spaceId),
    tableIds: Type.Optional(tableIds),
    notes: optional(stay.notes),
    guest: Type.Optional(GuestEdit),
    overrides,
  },
  {
    ...closed,
    ...named('BookingEdit', 'What is to change; what is left out stays as it is'),
    examples: [{ time: '20:00', partySize: 5 }],
  },
);
export type BookingEdit = Static<typeof BookingEdit>;

export const TablesBody = Type.Object(
  { tableIds, overrides },
  { ...closed, ...named('BookingTables', 'Where the party is to sit'), examples: [{ tableIds: [12] }] },
);

export const SwapBody = Type.Object(
  {
    bookingId: Type.String({ format: 'uuid', description: 'The booking to exchange tables with' }),
    overrides,
  },
  {
    ...closed,
    ...named('BookingSwap', 'With which booking'),
    examples: [{ bookingId: listedBookingExample.id }],
  },
);

export const VisitBody = Type.Object(
  {
    state: oneOf(VISIT_STATES, {
      description:
        '`left` makes the booking `completed`, `no_show` makes it `no_show`, all others `confirmed`. With `left` and `no_show` the tables are free from now on; taken back, the party gets its tables again if they are still free.',
    }),
    tableIds: Type.Optional(tableIds),
  },
  { ...closed, ...named('BookingVisitChange', 'How far the visit is'), examples: [{ state: 'arrived' }] },
);
export type VisitBody = Static<typeof VisitBody>;

const Settlement = Type.Object(
  {
    isDryRun: Type.Boolean({ description: 'True: nothing was changed' }),
    balanceBeforePence: Type.Integer({ description: 'What the booking cost before, in pence' }),
    balancePence: Type.Integer({ description: 'What it costs then' }),
    refundPence: Type.Integer({ description: 'What goes back to the guest' }),
    duePence: Type.Integer({ description: 'What is then still to be paid' }),
  },
  named('BookingSettlement', 'What a change costs or returns'),
);
export type Settlement = Static<typeof Settlement>;

export const ChangedBooking = Type.Object(
  { ...ManagedBooking.properties, change: Settlement },
  named('ChangedBooking', 'A booking after a change, or as it would be'),
);
export type ChangedBooking = Static<typeof ChangedBooking>;

export const changedBookingExample: ChangedBooking = {
  ...managedBookingExample,
  change: { isDryRun: true, balanceBeforePence: 12_000, balancePence: 9000, refundPence: 3000, duePence: 0 },
};

export const SwappedBookings = Type.Object(
  { data: Type.Array(ChangedBooking) },
  named('SwappedBookings', 'Both bookings, the one of the path first'),
);
