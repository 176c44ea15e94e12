import { type Static, Type } from 'typebox';
import {
  CLOCK_TIME,
  EMAIL,
  named,
  nullable,
  oneOf,
  pence,
  text,
} from '../../http/validation/schema-helpers.ts';
import { TABLE_SHAPES } from '../../tms/layout.ts';
import { BOOKING_STATUSES, BookingVisit, ORIGINS, PaymentDue } from '../bookings/service.ts';

/** The diary of a venue: one trading day as staff see it. */

const moment = (description: string) => Type.String({ format: 'date-time', description });
const local = (description: string) => moment(`${description}, in local time with its offset`);
const integer = (description: string) => Type.Integer({ description });

const DiaryTable = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    minCovers: Type.Integer(),
    maxCovers: Type.Integer(),
    isActive: Type.Boolean(),
    x: nullable(Type.Integer()),
    y: nullable(Type.Integer()),
    width: nullable(Type.Integer()),
    height: nullable(Type.Integer()),
    shape: nullable(oneOf(TABLE_SHAPES)),
    rotation: nullable(Type.Integer()),
  },
  named('DiaryTable', 'A table, whom it seats and where it stands on the floor plan'),
);

const DiaryArea = Type.Object(
  { id: Type.Integer(), zoneId: Type.Integer(), name: Type.String(), tables: Type.Array(DiaryTable) },
  named('DiaryArea', 'A room or corner with its tables'),
);

export const DiaryBooking = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    status: oneOf(BOOKING_STATUSES),
    type: oneOf(['book', 'request'] as const),
    date: Type.String({ format: 'date', description: 'Trading day' }),
    time: text('Start, local time `HH:MM`', CLOCK_TIME),
    start: local('When it begins'),
    end: local('When its tables are free again'),
    partySize: integer('Adults'),
    children: Type.Integer(),
    tables: Type.Array(
      Type.Object({
        id: nullable(integer('Null: the system of the venue gave a name alone')),
        name: Type.String(),
      }),
      { description: 'Empty while it has no table' },
    ),
    visit: BookingVisit,
    guest: nullable(
      Type.Object(
        {
          firstName: nullable(Type.String()),
          lastName: nullable(Type.String()),
          email: nullable(Type.String(EMAIL)),
          phone: nullable(Type.String()),
          company: nullable(Type.String()),
        },
        named('DiaryGuest', 'Who comes; null: forgotten'),
      ),
    ),
    notes: nullable(text('What the guest wishes')),
    adminNotes: nullable(text('What is for the house alone')),
    labels: Type.Array(Type.String()),
    flags: Type.Array(Type.String()),
    partner: nullable(Type.Object({ id: Type.Integer(), name: Type.String() })),
    origin: nullable(oneOf(ORIGINS, { description: 'How a booking of the house came in' })),
    product: Type.Object({ id: Type.String(), name: Type.String() }),
    space: nullable(Type.Object({ id: Type.Integer(), name: Type.String() })),
    reference: nullable(text('The number that the system of the venue gave it')),
    money: Type.Object(
      {
        paidPence: pence('What was paid here'),
        refundedPence: pence('What of it was given back'),
        depositPence: pence('What the partner says it has taken'),
        balancePence: pence('What it costs'),
        duePence: pence('What is still to be paid'),
      },
      named('DiaryMoney', 'What a booking costs and what was paid'),
    ),
    paymentDue: nullable(PaymentDue),
    createdAt: moment('When it was made'),
    lastUpdate: moment('Later with every change; also part of the ETag of the booking'),
  },
  named('DiaryBooking', 'A booking as the diary shows it'),
);
export type DiaryBooking = Static<typeof DiaryBooking>;

export const DiaryBlock = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    from: local('When it begins'),
    to: local('When it ends'),
    tableIds: Type.Array(Type.Integer()),
    reason: nullable(Type.String()),
  },
  named('DiaryBlock', 'Tables that take no new bookings for a time'),
);
export type DiaryBlock = Static<typeof DiaryBlock>;

export const DiaryClosure = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    from: text('As it was requested: a date, or a local time'),
    to: text('The same; a date is included'),
    productIds: nullable(Type.Array(Type.String(), { description: 'Null: all products' })),
    reason: nullable(Type.String()),
    bookings: oneOf(['keep', 'cancel'] as const),
    state: oneOf(['running', 'done'] as const),
    affected: Type.Integer(),
    cancelled: Type.Integer(),
  },
  named('DiaryClosure', 'A time in which the venue, or some of its products, take no bookings'),
);
export type DiaryClosure = Static<typeof DiaryClosure>;

const DiaryQuarter = Type.Object(
  {
    at: local('When it begins'),
    present: integer('Guests who are there during some of it'),
    starting: integer('Guests whose visit begins in it'),
    maxStarting: nullable(
      integer(
        'How many may begin in it by the pacing of all products; null: no limit, or nothing starts then',
      ),
    ),
  },
  named('DiaryQuarter', 'A quarter of an hour'),
);

export const Diary = Type.Object(
  {
    position: text('Where the stream of changes goes on from here: its `lastEventId`'),
    venueId: Type.String(),
    date: Type.String({ format: 'date', description: 'Trading day' }),
    timeZone: Type.String(),
    range: Type.Object(
      { from: local('The beginning'), to: local('The end') },
      { description: 'From midnight to the next one, or until the last party leaves' },
    ),
    areas: Type.Array(DiaryArea, {
      description: 'Empty where the system of the venue has no tables with us',
    }),
    bookings: Type.Array(DiaryBooking, { description: 'Without cancelled ones, the earliest first' }),
    enquiries: Type.Array(DiaryBooking, { description: 'Those that wait for an answer' }),
    blocks: Type.Array(DiaryBlock),
    closures: Type.Array(DiaryClosure),
    quarters: Type.Array(DiaryQuarter, {
      description: 'From the first arrival to the last departure; no-shows and enquiries are not counted',
    }),
  },
  named('Diary', 'One trading day of a venue'),
);
export type Diary = Static<typeof Diary>;

export const DiaryQuery = Type.Object({
  date: Type.String({ format: 'date', description: 'Trading day' }),
});

export const StreamQuery = Type.Object({
  ...DiaryQuery.properties,
  lastEventId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 8192,
      description:
        'The `position` of the diary, or the id of the last event; the header `Last-Event-ID` comes first',
    }),
  ),
});

export const diaryBookingExample: DiaryBooking = {
  id: '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60',
  status: 'confirmed',
  type: 'book',
  date: '2026-12-05',
  time: '19:00',
  start: '2026-12-05T19:00:00+00:00',
  end: '2026-12-05T20:30:00+00:00',
  partySize: 2,
  children: 0,
  tables: [{ id: 101101, name: 'W1' }],
  visit: { state: 'expected', arrivedAt: null, seatedAt: null, leftAt: null },
  guest: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    phone: '+442079460018',
    company: null,
  },
  notes: 'A quiet table, please',
  adminNotes: null,
  labels: [],
  flags: [],
  partner: { id: 1, name: 'Demo Partner' },
  origin: null,
  product: { id: '1|house|soho-grill|dinner', name: 'Dinner' },
  space: null,
  reference: 'H7K2M9',
  money: { paidPence: 0, refundedPence: 0, depositPence: 0, balancePence: 0, duePence: 0 },
  paymentDue: null,
  createdAt: '2026-11-15T10:30:00.000Z',
  lastUpdate: '2026-11-15T10:30:00.000Z',
};

const POSITION = '7709219276091266977-00000001.8123:8123:';

export const diaryExample: Diary = {
  position: POSITION,
  venueId: '1|house|soho-grill',
  date: '2026-12-05',
  timeZone: 'Europe/London',
  range: { from: '2026-12-05T00:00:00+00:00', to: '2026-12-06T00:00:00+00:00' },
  areas: [
    {
      id: 10111,
      zoneId: 1011,
      name: 'Window booths',
      tables: [
        {
          id: 101101,
          name: 'W1',
          minCovers: 1,
          maxCovers: 4,
          isActive: true,
          x: 0,
          y: 0,
          width: 80,
          height: 80,
          shape: 'round',
          rotation: 0,
        },
      ],
    },
  ],
  bookings: [diaryBookingExample],
  enquiries: [],
  blocks: [
    {
      id: '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a61',
      from: '2026-12-05T18:00:00+00:00',
      to: '2026-12-05T22:00:00+00:00',
      tableIds: [101102],
      reason: 'Broken leg',
    },
  ],
  closures: [],
  quarters: [{ at: '2026-12-05T19:00:00+00:00', present: 2, starting: 2, maxStarting: 24 }],
};

export const streamExample = `retry: 2000
id: ${POSITION}

event: booking
id: 7709219276091266977-00000001.8130:8130:
data: {"id":"${diaryBookingExample.id}","status":"confirmed","…":"…"}

event: booking.removed
id: 7709219276091266977-00000001.8141:8141:
data: {"id":"${diaryBookingExample.id}"}

: heartbeat
id: 7709219276091266977-00000001.8155:8155:

`;
