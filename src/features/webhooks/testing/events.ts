/** What a test says: about the caller's own bookings and venues, or about made-up ones. */
import type { Caller } from '../../../http/auth/caller.ts';
import { type Clock, nowOf, timestampOf } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/crypto.ts';
import { parseVenueId } from '../../../kernel/ids.ts';
import { Problem, type ProblemCode, problem } from '../../../kernel/problem.ts';
import { type Bookings, notificationView } from '../../bookings/service.ts';
import type { Venues } from '../../venues/service.ts';
import { PING, type TestBody, type TestType } from './schema.ts';

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

type Tell = (deps: TestEventDeps, caller: Caller, body: TestBody) => Promise<TestEvent>;

const TELLERS: Record<TestType, Tell> = {
  [PING]: async ({ clock }) => ({ occurredAt: nowOf(clock), content: {} }),
  'booking.updated': tellOfBooking,
  'message.received': tellOfMessage,
  'venue.updated': tellOfVenue,
};

export function tell(
  deps: TestEventDeps,
  caller: Caller,
  type: TestType,
  body: TestBody,
): Promise<TestEvent> {
  return TELLERS[type](deps, caller, body);
}

/** Changes are carried out first, and the event has their result. */
async function tellOfBooking(
  { clock, bookings }: TestEventDeps,
  caller: Caller,
  { bookingId, changes }: TestBody,
): Promise<TestEvent> {
  const now = nowOf(clock);
  if (bookingId === undefined) return { occurredAt: now, content: { bookings: [exampleBooking(now)] } };
  if (!changes) {
    const booking = await own(bookings.getRecord(caller, bookingId));
    return { occurredAt: now, content: { bookings: [notificationView(booking)] } };
  }
  const booking = await own(bookings.simulate(caller, bookingId, changes));
  return { occurredAt: booking.lastUpdate, content: { bookings: [notificationView(booking)] } };
}

async function tellOfMessage(
  { clock, bookings }: TestEventDeps,
  caller: Caller,
  { bookingId, message }: TestBody,
): Promise<TestEvent> {
  if (bookingId !== undefined) await own(bookings.getRecord(caller, bookingId));
  const told = {
    id: newId(clock),
    bookingId: bookingId?.toLowerCase() ?? EXAMPLE_BOOKING_ID,
    text: 'Do you need a high chair?',
    replyTo: 'desk@venue.example',
    ...message,
  };
  return { occurredAt: nowOf(clock), content: { messages: [told] } };
}

async function tellOfVenue(
  { clock, venues }: TestEventDeps,
  caller: Caller,
  { venueId, venue }: TestBody,
): Promise<TestEvent> {
  if (venueId !== undefined) await distributed(venues.get(caller, parseVenueId(venueId)));
  const told = { compositeId: venueId ?? EXAMPLE_VENUE_ID, active: false, ...venue };
  return { occurredAt: nowOf(clock), content: { venues: [told] } };
}

const own = <Result>(found: Promise<Result>) =>
  found.catch(insteadOf('BOOK-N-006', 'PMAP-N-003', 'The booking is not yours.'));
const distributed = <Result>(found: Promise<Result>) =>
  found.catch(insteadOf('VENUE-N-001', 'PMAP-N-001', 'You do not distribute this venue.'));

/** A test may only use the caller's own objects; the answer does not reveal whether others exist. */
const insteadOf = (code: ProblemCode, told: ProblemCode, detail: string) => (error: unknown) => {
  throw error instanceof Problem && (error.code === code || error.code === told)
    ? problem(told, { detail })
    : error;
};

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
