import { bulkhead } from 'cockatiel';
import type { Sql } from '../../db/database.ts';
import { DEADLINES } from '../../kernel/deadlines.ts';
import { partsOfVenueId } from '../../kernel/ids.ts';
import { problem } from '../../kernel/problem.ts';
import { withinDeadline } from '../../kernel/request-scope.ts';
import { clockTime, dateTimeOf } from '../../kernel/zone-time.ts';
import type { AvailabilityQuery, Outcome, ProductAvailability } from '../../tms/contract.ts';
import type { Registry } from '../../tms/registry.ts';
import type { TimedCall } from '../../tms/remote.ts';
import { depositFor, type ProductRecord, spaceView, type VenueRecord } from '../venues/service.ts';
import { CLOSED, type Offer, type Party } from './offer.ts';
import type { Availability, AvailabilityTimeSlot } from './schema.ts';

interface Subject {
  venue: VenueRecord;
  product: ProductRecord;
  party: Party;
  /** The first day of the query. */
  date: string;
  includeUnavailable: boolean;
}

export function answerOf(system: ProductAvailability, offers: Offer[], subject: Subject): Availability {
  const { product, includeUnavailable } = subject;
  const shown = offers.filter(({ reasons }) => includeUnavailable || reasons.length === 0);
  const absence = shown.length > 0 ? undefined : absenceOf(system, offers, subject);
  return {
    name: product.name,
    deposit: depositFor(product, subject.party, subject.date),
    policy: system.policy,
    cancellationPolicy: system.cancellationPolicy,
    times: timesOf(shown, system, subject),
    noAvailabilityReason: absence?.sentence ?? null,
    noAvailabilityCode: absence?.code ?? null,
  };
}

function timesOf(offers: Offer[], { bounds }: ProductAvailability, subject: Subject): AvailabilityTimeSlot[] {
  const { venue, product, includeUnavailable } = subject;
  const views = new Map(venue.spaces.map((space) => [space.id, spaceView(space)]));
  return offers.map(({ slot, type, requestReason, spaces, reasons }) => {
    const view: AvailabilityTimeSlot = {
      time: clockTime(slot.minute),
      date: slot.date,
      dateTime: dateTimeOf(venue.timeZone, slot.startMs),
      duration: slot.durationMinutes,
      minDuration: bounds.minMinutes,
      maxDuration: bounds.maxMinutes,
      durationInterval: bounds.stepMinutes,
      type,
      product: {
        id: product.id,
        name: product.name,
        spaces: spaces.map(({ space, minimumSpend }) => ({
          ...(views.get(space.id) ?? spaceView(space)),
          policies: { ...space.policies, minimumSpend },
        })),
      },
      productId: product.id,
    };
    if (type === 'request' && requestReason !== undefined) view.requestReason = requestReason;
    if (includeUnavailable) view.unavailableReasons = reasons;
    return view;
  });
}

/** Why there is nothing: a code for programs and a sentence that can be shown to a guest. */
function absenceOf(system: ProductAvailability, offers: Offer[], { venue, party, date }: Subject) {
  const has = (reason: string) => offers.some(({ reasons }) => reasons.includes(reason));
  const all = (reason: string) =>
    offers.length > 0 && offers.every(({ reasons }) => reasons.includes(reason));
  const guests = party.adults + party.children;
  const people = guests === 1 ? 'one person' : `${guests} people`;
  if (all('PARTY_SIZE')) {
    return { code: 'NO_ELIGIBLE_PRODUCTS', sentence: `This cannot be booked for ${people}.` };
  }
  if (all('SPACE_POLICY')) {
    return {
      code: 'NO_ELIGIBLE_PRODUCTS',
      sentence: `No space at ${venue.name} has what you are looking for.`,
    };
  }
  if (all(CLOSED)) return { code: 'NO_AVAILABILITY', sentence: sentenceFor(system, has, venue, date) };
  if (offers.some(({ isTakenByRule }) => isTakenByRule)) {
    return {
      code: 'FILTERED_BY_OPERATOR_RULES',
      sentence: `${venue.name} takes no bookings here at that time.`,
    };
  }
  if (has('AVAIL-N-005')) {
    return { code: 'FILTERED_BY_CAPACITY', sentence: `${venue.name} is fully booked at that time.` };
  }
  return { code: 'NO_AVAILABILITY', sentence: sentenceFor(system, has, venue, date) };
}

function sentenceFor(
  { days }: ProductAvailability,
  has: (reason: string) => boolean,
  venue: VenueRecord,
  date: string,
): string {
  if (days.every(({ isClosed }) => isClosed)) return `${venue.name} is closed on ${inWords(date)}.`;
  if (has(CLOSED)) return `${venue.name} is closed at that time on ${inWords(date)}.`;
  if (has('AVAIL-N-007')) return `It is too late to book ${venue.name} for that time.`;
  if (has('AVAIL-N-008')) return `${venue.name} does not take bookings that far ahead yet.`;
  return `${venue.name} has no tables at that time on ${inWords(date)}.`;
}

function inWords(date: string): string {
  return Temporal.PlainDate.from(date).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
}

type Told = Promise<Outcome<ProductAvailability>>;
/** Puts a question to the system that it is about. */
export type Ask = (query: AvailabilityQuery) => Told;
/** The way to one remote system. */
type Lane = (send: (call: TimedCall) => Told) => Told;

interface Systems {
  sql: Sql;
  registry: Registry;
}

/**
 * A call that used its whole deadline counts against its system; a call cut short because earlier calls took the time
 * does not. So the wait for all calls ends a moment after the first deadline.
 */
const GRACE_MS = 50;
/**
 * To one remote system: few enough to leave room there for other callers, and enough for one that takes a tenth of
 * a second to answer the largest batch in time.
 */
const CALLS_AT_A_TIME = 8;

/** For a single question, which the system's own protection ends in time. */
export function askingAlone(systems: Systems): Ask {
  const { signal } = new AbortController();
  return (query) =>
    ask(systems, query, () => (send) => send({ signal, deadlineMs: withinDeadline(DEADLINES.remoteRead) }));
}

/** For the questions of one request: equal ones are sent once, and all to one remote system share a deadline. */
export function askingTogether(systems: Systems): Ask {
  const told = new Map<string, Told>();
  const lanes = new Map<string, Lane>();
  const laneTo = (tms: string) => lanes.getOrInsertComputed(tms, createLane);
  return (query) => told.getOrInsertComputed(questionIn(query), () => ask(systems, query, laneTo));
}

/** All that a system is sent apart from the time, which is the same for the questions of one request. */
function questionIn({ productId, dates, adults, children, durationMinutes, spaceId }: AvailabilityQuery) {
  return `${productId} ${dates.join()} ${adults} ${children} ${durationMinutes} ${spaceId}`;
}

async function ask(
  { sql, registry }: Systems,
  query: AvailabilityQuery,
  laneTo: (tms: string) => Lane,
): Told {
  const { operatorId, tms } = partsOfVenueId(query.venueId);
  const connector = registry.get(tms);
  if (!connector) throw problem('BOOK-N-003', { detail: `The system ${tms} is not connected.` });
  if (connector.flavour === 'local') return connector.availability(sql, query);
  return laneTo(tms)((call) => connector.availability({ ...call, operatorId }, query));
}

function createLane(): Lane {
  const deadlineMs = withinDeadline(DEADLINES.remoteRead);
  const endsAt = performance.now() + deadlineMs;
  const call = { signal: AbortSignal.timeout(deadlineMs + GRACE_MS), deadlineMs };
  const line = bulkhead(CALLS_AT_A_TIME, Number.POSITIVE_INFINITY);
  return (send) =>
    line.execute(async () => (performance.now() < endsAt - GRACE_MS ? send(call) : { kind: 'unavailable' }));
}
