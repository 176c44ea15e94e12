/**
 * Reads what systems answer. Nothing is believed before it has been checked: an answer that contradicts the request or
 * itself is a `Fault`, never a value.
 */
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { isUuid } from '../../kernel/ids.ts';
import { instantOf, isDate, isDateTime } from '../../kernel/rfc3339.ts';
import {
  addDays,
  clockTime,
  dayClock,
  isTimeZone,
  localOf,
  MINUTES_PER_DAY,
  MS_PER_MINUTE,
  minuteOfDay,
} from '../../kernel/zone-time.ts';
import type {
  AvailabilityQuery,
  DayAvailability,
  PlaceRequest,
  ProductAvailability,
  Slot,
  SystemBooking,
  SystemHold,
} from '../contract.ts';
import type { CataloguePage, ChangesPage, SystemHours, SystemVenue } from '../remote.ts';
import {
  Availability,
  type AvailabilityValue,
  Booking,
  type BookingValue,
  ChangesPageBody,
  Hold,
  type HoldValue,
  type HoursValue,
  VenuesPage,
  type VenueValue,
} from './schema.ts';

/** What is wrong with an answer, in one sentence. */
export class Fault extends Error {
  override readonly name = 'Fault';
}

const fault = (sentence: string): never => {
  throw new Fault(sentence);
};

/** The answer in its type, or a fault that says where it differs and repeats nothing of it: it may name guests. */
function reader<Given extends TSchema>(schema: Given, what: string): (body: unknown) => Static<Given> {
  const validator = Compile(schema);
  return (body) => {
    if (validator.Check(body)) return body as Static<Given>;
    const [isValid, errors] = validator.Errors(body);
    const [first] = isValid ? [] : errors;
    const place = first?.instancePath.slice(0, 100);
    return fault(`The answer is not ${what}${place ? `: ${place} ${first?.message}` : ''}.`);
  };
}

const bookingIn = reader(Booking, 'a booking');
const holdIn = reader(Hold, 'a hold');
const availabilityIn = reader(Availability, 'an availability');
const venuesIn = reader(VenuesPage, 'a page of venues');
const changesIn = reader(ChangesPageBody, 'a page of changes');

function msOf(dateTime: string, what: string): number {
  if (!isDateTime(dateTime)) return fault(`${what} is not a date and time with an offset.`);
  return instantOf(dateTime).epochMilliseconds;
}

/** What the system calls the spaces of the venue, by our ids. */
type Spaces = ReadonlyMap<number, string>;

export function readAvailability(
  body: unknown,
  query: AvailabilityQuery,
  spaces: Spaces,
): ProductAvailability {
  const { durations, partySizes, policy, cancellationPolicy, days } = availabilityIn(body);
  if (durations.minMinutes > durations.maxMinutes) fault('The shortest duration is longer than the longest.');
  const dates = days.map(({ date }) => date);
  if (dates.join() !== query.dates.join())
    fault('The days are not those that were asked for, in that order.');
  const numbers = new Map([...spaces].map(([spaceId, id]) => [id, spaceId]));
  return {
    bounds: durations,
    // Of single spaces nothing is known.
    ...(partySizes && {
      partySizes: (spaceId: number | null) => (spaceId === null ? partySizes : undefined),
    }),
    policy: policy ?? null,
    cancellationPolicy: cancellationPolicy ?? null,
    days: days.map((day) => dayIn(day, query, durations, numbers)),
  };
}

type WireDay = AvailabilityValue['days'][number];
type WireSlot = WireDay['slots'][number];

function dayIn(
  { date, closed, slots }: WireDay,
  query: AvailabilityQuery,
  { minMinutes, maxMinutes }: AvailabilityValue['durations'],
  spaceNumbers: ReadonlyMap<string, number>,
): DayAvailability {
  if (closed && slots.length > 0) fault(`${date} is closed and has starts.`);
  const clock = dayClock(query.zone, date);
  const read = slots.flatMap((slot): Slot[] => {
    const startMs = msOf(slot.start, `A start on ${date}`);
    const minute = minuteOn(date, query.zone, startMs, slot.time);
    if (slot.durationMinutes < minMinutes || slot.durationMinutes > maxMinutes)
      fault(`The stay at ${slot.time} on ${date} is shorter or longer than the durations allow.`);
    if (query.durationMinutes !== undefined && slot.durationMinutes !== query.durationMinutes)
      fault(`The stay at ${slot.time} on ${date} is not as long as was asked for.`);
    // Where clocks show a time twice, only the first can be named.
    if (clock.epochMsOf(minute) !== startMs) return [];
    const spaces = (slot.spaces ?? []).flatMap(({ id, free }) => {
      const spaceId = spaceNumbers.get(id);
      return spaceId === undefined ? [] : [{ spaceId, isFree: free }];
    });
    const { durationMinutes } = slot;
    return [{ date, minute, startMs, durationMinutes, ...offerIn(slot, startMs <= query.nowMs), spaces }];
  });
  read.sort((a, b) => a.startMs - b.startMs);
  if (read.some(({ startMs }, index) => read[index + 1]?.startMs === startMs))
    fault(`A start on ${date} is there twice.`);
  return { date, isClosed: closed, slots: read };
}

/** The minute of the trading day, if the instant and the local time mean the same there. */
function minuteOn(date: string, zone: string, startMs: number, time: string): number {
  const local = localOf(zone, startMs);
  const isNextDay = local.date === addDays(date, 1);
  const isSame =
    (local.date === date || isNextDay) && clockTime(local.minute) === time && startMs % MS_PER_MINUTE === 0;
  if (!isSame) fault(`The start at ${time} on ${date} is another time in ${zone}.`);
  return local.minute + (isNextDay ? MINUTES_PER_DAY : 0);
}

function offerIn(
  { state, requestReason }: WireSlot,
  isPast: boolean,
): Pick<Slot, 'type' | 'requestReason' | 'obstacle'> {
  switch (state) {
    case 'free':
      return isPast ? { type: 'book', obstacle: 'too-soon' } : { type: 'book' };
    case 'on-request':
      return {
        type: 'request',
        requestReason: requestReason ?? 'request_only',
        ...(isPast && { obstacle: 'too-soon' }),
      };
    default:
      return { type: 'book', obstacle: state };
  }
}

/** A booking with this id, however it is. */
export function readBooking(body: unknown, bookingId: string): SystemBooking {
  return systemBooking(bookingIn(body), bookingId);
}

/** The booking that was asked for: anything else than this start and party may not be taken for it. */
export function readAskedBooking(body: unknown, request: PlaceRequest): SystemBooking {
  const answer = bookingIn(body);
  const booking = systemBooking(answer, request.bookingId);
  assertSameTime(answer, request);
  if (booking.guests !== request.adults + request.children) fault('The booking is for another party.');
  return booking;
}

function systemBooking(answer: BookingValue, bookingId: string): SystemBooking {
  if (answer.id !== bookingId) fault('The answer is about another booking.');
  const { reference, tables = [], space, durationMinutes, party, pricePerGuestPence, visit } = answer;
  return {
    bookingId,
    reference,
    tables,
    areaId: null,
    areaName: space?.name ?? null,
    startMs: msOf(answer.start, 'The start of the booking'),
    durationMinutes,
    guests: party.adults + party.children,
    pricePerGuestPence: pricePerGuestPence ?? null,
    ...(visit && { visit }),
  };
}

function assertSameTime(answer: BookingValue | HoldValue, request: PlaceRequest): void {
  if (msOf(answer.start, 'The start') !== request.startMs)
    fault('The start is not the one that was asked for.');
  if (answer.date !== request.date || answer.time !== clockTime(request.minute))
    fault('The local date and time are not those that were asked for.');
  if (request.durationMinutes !== null && answer.durationMinutes !== request.durationMinutes)
    fault('The stay is not as long as was asked for.');
}

export function readAskedHold(body: unknown, request: PlaceRequest): SystemHold {
  const answer = holdIn(body);
  assertSameTime(answer, request);
  const hold = systemHold(answer, request.bookingId);
  if (hold.expiresMs <= request.nowMs) fault('The hold has ended before it began.');
  return hold;
}

export function readHold(body: unknown, bookingId: string): SystemHold {
  return systemHold(holdIn(body), bookingId);
}

function systemHold(answer: HoldValue, bookingId: string): SystemHold {
  if (answer.id !== bookingId) fault('The answer is about another hold.');
  return {
    bookingId,
    startMs: msOf(answer.start, 'The start of the hold'),
    durationMinutes: answer.durationMinutes,
    expiresMs: msOf(answer.expiresAt, 'The end of the hold'),
  };
}

export function readChanges(body: unknown, after: string | null): ChangesPage {
  const { bookingIds, cursor, hasMore } = changesIn(body);
  if (hasMore && cursor === after) fault('There are more changes, but the cursor stays where it is.');
  return { bookingIds: [...new Set(bookingIds)].filter(isUuid), cursor, hasMore };
}

export function readVenues(body: unknown, cursor: string | null): CataloguePage {
  const { venues, next, total } = venuesIn(body);
  if (next !== null && next === cursor) fault('The next page is the same page.');
  const ids = venues.map(({ id }) => id);
  if (new Set(ids).size < ids.length) fault('A venue is there twice.');
  return { venues: venues.map(systemVenue), next, ...(total !== undefined && { total }) };
}

function systemVenue({ id, hours, products, timeZone, ...rest }: VenueValue): SystemVenue {
  const keys = products.map((product) => product.id);
  if (new Set(keys).size < keys.length) fault(`A product of ${id} is there twice.`);
  if (!isTimeZone(timeZone)) fault(`The time zone of ${id} is not in the IANA database.`);
  const { name, currency, summary, description, address, position, phone, website, spaces } = rest;
  return given({
    resourceId: id,
    name,
    timeZone,
    currency,
    summary,
    description,
    address: address && given(address),
    position: position && { lat: position.lat, lng: position.lng },
    phone,
    website,
    hours: hours && systemHours(hours),
    spaces: spaces?.map((space) => given({ id: space.id, name: space.name, description: space.description })),
    products: products.map((product) =>
      given({
        key: product.id,
        name: product.name,
        description: product.description,
        timeIntervalMinutes: product.intervalMinutes,
        hours: product.hours && systemHours(product.hours),
        minGuests: product.minGuests,
        maxGuests: product.maxGuests,
        pricePence: product.pricePence,
      }),
    ),
  }) as SystemVenue;
}

/** Without what is undefined: absent stays as it is with us. */
const given = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value;

function systemHours({ weekly, exceptions }: HoursValue): SystemHours {
  const wrong = exceptions?.find(({ date }) => !isDate(date));
  if (wrong) fault('An exception of the hours is on a day that does not exist.');
  return {
    weekly: weekly.map(({ weekday, ...period }) => ({ weekday, ...periodOf(period) })),
    ...(exceptions && {
      exceptions: exceptions.map(({ date, periods }) => ({ date, periods: periods.map(periodOf) })),
    }),
  };
}

function periodOf({ opens, closes }: { opens: string; closes: string }) {
  const [from, to] = [minuteOfDay(opens), minuteOfDay(closes)];
  return { opens: from, closes: to > from ? to : to + MINUTES_PER_DAY };
}
