/** The types of events: what is posted of each, and what a test of it says. */

import { type Static, type TObject, Type } from 'typebox';
import type { Caller } from '../../http/auth/caller.ts';
import {
  CLOCK_TIME,
  EMAIL,
  named,
  nullable,
  oneOf,
  pence,
  text,
} from '../../http/validation/schema-helpers.ts';
import { type Clock, nowOf, timestampOf } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { parseVenueId } from '../../kernel/ids.ts';
import { Problem, type ProblemCode, problem } from '../../kernel/problem.ts';
import { type Bookings, notificationView, SimulatedChanges } from '../bookings/service.ts';
import { EVENT_TYPES, OPERATOR_EVENT_TYPES } from '../events/service.ts';
import type { Venues } from '../venues/service.ts';

export const PING = 'webhook.ping';

/** What a test can send: every event there is, and one that says nothing. */
export const TEST_TYPES = [...EVENT_TYPES, PING] as const;

export type TestType = (typeof TEST_TYPES)[number];

/** The same for operators. */
export const OPERATOR_TEST_TYPES = [...OPERATOR_EVENT_TYPES, PING] as const;

const closed = { additionalProperties: false };

const words = (description: string, maxLength: number) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }));

const TestVenue = Type.Object(
  {
    compositeId: words('In place of the id of the venue', 400),
    active: Type.Optional(Type.Boolean({ description: 'False unless it is given' })),
  },
  { ...closed, ...named('WebhookTestVenue', 'What the event says of the venue; nothing of it is stored') },
);

const TestMessage = Type.Object(
  {
    id: words('Id of the message', 100),
    text: words('What the operator says', 5000),
    replyTo: Type.Optional(
      nullable(Type.String({ format: 'email', maxLength: 254, description: 'Where an answer should go' })),
    ),
  },
  {
    ...closed,
    ...named('WebhookTestMessage', 'What the event says of the message; nothing of it is stored'),
  },
);

const instant = (description: string) => Type.String({ format: 'date-time', description });

const id = (description: string) => Type.String({ format: 'uuid', description });

const orNull = (description: string) => nullable(text(description));

const BookingEntry = Type.Object(
  {
    id: id('Id of the booking; with `lastUpdate` it tells whether you have seen this before'),
    venueId: text('Composite id of the venue'),
    date: Type.String({ format: 'date', description: 'Trading day' }),
    time: text('Local time of the start, `HH:MM`', CLOCK_TIME),
    partySize: Type.Integer({ description: 'Adults' }),
    status: oneOf(['pending', 'confirmed', 'cancelled', 'completed', 'no_show'] as const),
    reference: orNull("The booking's number in the system of the venue"),
    firstName: orNull('Of the guest'),
    lastName: orNull('Of the guest'),
    email: nullable(text('Of the guest', EMAIL)),
    phone: orNull('Of the guest'),
    actualGuests: nullable(Type.Integer({ description: 'How many came; null until the operator says so' })),
    actualSpend: nullable(pence('What they spent')),
    duration: Type.Integer({ description: 'Minutes' }),
    notes: orNull('What the guest has said'),
    createdDate: instant('When it was made'),
    lastUpdate: instant('When it was last changed; always later than before'),
  },
  named('NotifiedBooking', 'A booking as it is after the change'),
);

const MessageEntry = Type.Object(
  {
    id: id('Id of the message'),
    bookingId: id('The booking that it is about'),
    text: text('What the operator says'),
    replyTo: nullable(text('Where an answer goes', EMAIL)),
  },
  named('NotifiedMessage', 'Something that the operator says about a booking'),
);

const VenueEntry = Type.Object(
  { compositeId: text('Id of the venue'), active: Type.Boolean({ description: 'False: it has closed' }) },
  named('NotifiedVenue', 'A venue that has closed'),
);

const OfferEntry = Type.Object(
  {
    holdId: id('Sent as `holdId` with a booking of this slot, it makes the booking'),
    expiresAt: instant('Until when the place is kept'),
    slot: Type.Object(
      {
        date: Type.String({ format: 'date', description: 'Trading day' }),
        time: text('Local time of the start, `HH:MM`', CLOCK_TIME),
        dateTime: instant('The start, local time with its offset'),
        duration: Type.Integer({ description: 'Minutes' }),
      },
      named('NotifiedSlot', 'The start that is kept'),
    ),
  },
  named('NotifiedOffer', 'A place that is kept for a party'),
);

const WaitlistEntry = Type.Object(
  {
    id: id('Id of the entry'),
    compositeId: text('Id of the product'),
    date: Type.String({ format: 'date', description: 'Trading day' }),
    from: text('The first start that would do', CLOCK_TIME),
    to: text('The last start that would do', CLOCK_TIME),
    partySize: Type.Integer({ description: 'Adults' }),
    children: Type.Integer(),
    spaceId: nullable(Type.Integer()),
    status: oneOf(['waiting', 'offered', 'booked', 'expired', 'removed'] as const),
    offer: nullable(OfferEntry),
    bookingId: nullable(id('Of the booking that it has become')),
    partnerBookingId: orNull('The id that the partner gave'),
  },
  named('NotifiedWaitlistEntry', 'An entry of a waiting list, without its guest'),
);

const HoldEntry = Type.Object(
  {
    id: id('Id of the hold'),
    compositeId: text('The product'),
    date: Type.String({ format: 'date', description: 'Trading day' }),
    time: text('Local time of the start, `HH:MM`', CLOCK_TIME),
    partySize: Type.Integer({ description: 'Adults' }),
    children: Type.Integer(),
    expiresAt: instant('When it ended'),
  },
  named('NotifiedHold', 'A hold that has ended without a booking'),
);

export const Notification = Type.Object(
  {
    eventType: oneOf(EVENT_TYPES),
    timestamp: instant('When it happened'),
    bookings: Type.Optional(Type.Array(BookingEntry, { description: 'Of `booking.updated`' })),
    messages: Type.Optional(Type.Array(MessageEntry, { description: 'Of `message.received`' })),
    venues: Type.Optional(Type.Array(VenueEntry, { description: 'Of `venue.updated`' })),
    waitlist: Type.Optional(Type.Array(WaitlistEntry, { description: 'Of `waitlist.offered`' })),
    holds: Type.Optional(Type.Array(HoldEntry, { description: 'Of `hold.expired`' })),
  },
  named('WebhookNotification', 'What is posted'),
);

export interface TestEventDeps {
  clock: Clock;
  bookings: Pick<Bookings, 'getRecord' | 'simulate'>;
  venues: Pick<Venues, 'get'>;
}

export interface TestEvent {
  occurredAt: Temporal.Instant;
  /** Besides the type and the moment, at most one list of what it is about. */
  content: Record<string, unknown>;
}

const EXAMPLE_BOOKING_ID = '00000000-0000-7000-8000-000000000000';
const EXAMPLE_VENUE_ID = '1|house|example';

/** What the body of a test may say of the event. */
export const TEST_FIELDS = {
  bookingId: words(
    'A booking of yours, for `booking.updated` and `message.received`; one is made up without it',
    100,
  ),
  venueId: words('A venue that you distribute, for `venue.updated`; one is made up without it', 400),
  changes: Type.Optional(SimulatedChanges),
  venue: Type.Optional(TestVenue),
  message: Type.Optional(TestMessage),
};
type TestFields = Static<TObject<typeof TEST_FIELDS>>;

interface EventDefinition {
  /** The fields of a test that mean something for this type. */
  fields: readonly (keyof TestFields)[];
  makeTest: (deps: TestEventDeps, caller: Caller, fields: TestFields) => Promise<TestEvent>;
}

/** All that is particular to a type of event besides its entry in `Notification` and the code that appends it. */
export const EVENT_DEFINITIONS: Record<TestType, EventDefinition> = {
  'booking.updated': { fields: ['bookingId', 'changes'], makeTest: testBooking },
  'message.received': { fields: ['bookingId', 'message'], makeTest: testMessage },
  'venue.updated': { fields: ['venueId', 'venue'], makeTest: testVenue },
  'waitlist.offered': { fields: [], makeTest: testOffer },
  'hold.expired': {
    fields: [],
    makeTest: async ({ clock }) => {
      const now = nowOf(clock);
      return { occurredAt: now, content: { holds: [exampleHold(now)] } };
    },
  },
  [PING]: {
    fields: [],
    makeTest: async ({ clock }) => ({ occurredAt: nowOf(clock), content: {} }),
  },
};

/** Changes are carried out first, and the event has their result. */
async function testBooking(
  { clock, bookings }: TestEventDeps,
  caller: Caller,
  { bookingId, changes }: TestFields,
): Promise<TestEvent> {
  const now = nowOf(clock);
  if (bookingId === undefined) return { occurredAt: now, content: { bookings: [exampleBooking(now)] } };
  if (!changes) {
    const booking = await own(caller, bookings.getRecord(caller, bookingId));
    return { occurredAt: now, content: { bookings: [notificationView(booking)] } };
  }
  const booking = await own(caller, bookings.simulate(caller, bookingId, changes));
  return { occurredAt: booking.lastUpdate, content: { bookings: [notificationView(booking)] } };
}

async function testMessage(
  { clock, bookings }: TestEventDeps,
  caller: Caller,
  { bookingId, message }: TestFields,
): Promise<TestEvent> {
  if (bookingId !== undefined) await own(caller, bookings.getRecord(caller, bookingId));
  const told = {
    id: newId(clock),
    bookingId: bookingId?.toLowerCase() ?? EXAMPLE_BOOKING_ID,
    text: 'Do you need a high chair?',
    replyTo: 'desk@venue.example',
    ...message,
  };
  return { occurredAt: nowOf(clock), content: { messages: [told] } };
}

async function testVenue(
  { clock, venues }: TestEventDeps,
  caller: Caller,
  { venueId, venue }: TestFields,
): Promise<TestEvent> {
  if (venueId !== undefined) await distributed(caller, venues.get(caller, parseVenueId(venueId)));
  const told = { compositeId: venueId ?? EXAMPLE_VENUE_ID, active: false, ...venue };
  return { occurredAt: nowOf(clock), content: { venues: [told] } };
}

/** Made up: a test keeps no place. */
async function testOffer({ clock }: TestEventDeps): Promise<TestEvent> {
  const now = nowOf(clock);
  const date = now.toString().slice(0, 10);
  const told: Static<typeof WaitlistEntry> = {
    id: EXAMPLE_BOOKING_ID,
    compositeId: `${EXAMPLE_VENUE_ID}|dinner`,
    ...{ date, from: '19:00', to: '21:00', partySize: 2, children: 0, spaceId: null, status: 'offered' },
    offer: {
      holdId: EXAMPLE_BOOKING_ID,
      expiresAt: timestampOf(now.add({ minutes: 15 })),
      slot: { date, time: '19:30', dateTime: `${date}T19:30:00+00:00`, duration: 90 },
    },
    bookingId: null,
    partnerBookingId: 'order-4711',
  };
  return { occurredAt: now, content: { waitlist: [told] } };
}

const own = <Result>(caller: Caller, found: Promise<Result>) =>
  found.catch(insteadOf(caller, 'BOOK-N-006', 'PMAP-N-003', 'The booking is not yours.'));
const distributed = <Result>(caller: Caller, found: Promise<Result>) =>
  found.catch(insteadOf(caller, 'VENUE-N-001', 'PMAP-N-001', 'You do not distribute this venue.'));

/**
 * A test may only use the caller's own objects. The answer does not tell a partner whether others exist; operators get
 * the answer of every other route.
 */
function insteadOf(caller: Caller, code: ProblemCode, told: ProblemCode, detail: string) {
  return (error: unknown) => {
    const isHidden = error instanceof Problem && (error.code === code || error.code === told);
    throw isHidden && 'partner' in caller ? problem(told, { detail }) : error;
  };
}

function exampleHold(now: Temporal.Instant): Static<typeof HoldEntry> {
  const { date, time, partySize } = exampleBooking(now);
  return {
    id: EXAMPLE_BOOKING_ID,
    compositeId: `${EXAMPLE_VENUE_ID}|dinner`,
    date,
    time,
    partySize,
    children: 0,
    expiresAt: timestampOf(now),
  };
}

function exampleBooking(now: Temporal.Instant): ReturnType<typeof notificationView> {
  return {
    id: EXAMPLE_BOOKING_ID,
    venueId: EXAMPLE_VENUE_ID as ReturnType<typeof notificationView>['venueId'],
    date: now
      .add({ hours: 7 * 24 })
      .toString()
      .slice(0, 10),
    time: '19:30',
    partySize: 2,
    status: 'confirmed',
    reference: 'EXAMPLE',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    phone: '+44 20 7946 0018',
    actualGuests: null,
    actualSpend: null,
    duration: 90,
    notes: 'A quiet table, please.',
    createdDate: timestampOf(now),
    lastUpdate: timestampOf(now),
  };
}
