import { invalid, problem } from '../../../kernel/problem.ts';
import { instantOf, isClockTime, isDate, isDateTime } from '../../../kernel/rfc3339.ts';
import {
  addDays,
  clockTime,
  dayClock,
  FIRST_TRADING_DAY,
  isTradingDay,
  LAST_TRADING_DAY,
  localOf,
  MINUTES_PER_DAY,
  MS_PER_MINUTE,
  minuteOfDay,
} from '../../../kernel/zone-time.ts';
import type { Connector } from '../../../tms/remote.ts';
import { type Bookable, type HoursRows, isTradingAt } from '../../venues/service.ts';
import { preorderOf } from '../preorder.ts';
import { type BookingRecord, type Guest, guestsOf, isPlaced, type PreorderRecord } from '../record.ts';
import { type BookingStart, type DraftStay, isSameStay, stayOf } from '../system-request.ts';
import { type BookingBody, notesOf } from './body.ts';

/** A booking request, read against the venue and the product; no live data is known yet. */
export interface BookingDraft extends DraftStay {
  type: 'book' | 'request';
  preorders: PreorderRecord;
  guest: Guest;
  depositPence: number | null;
  partnerBookingId: string | null;
}

/** The part of a request that says when, how many, for how long and where. */
export interface StayBody extends Moment {
  partySize: number;
  children?: number | null | undefined;
  duration?: number | null | undefined;
  spaceId?: number | null | undefined;
}

export function readStay(body: StayBody, { venue, product }: Bookable): DraftStay {
  return {
    start: startOf(body, venue.timeZone, product),
    adults: body.partySize,
    children: body.children ?? 0,
    durationMinutes: body.duration ?? null,
    spaceId: body.spaceId ?? null,
  };
}

/** Throws the first thing that is wrong apart from the stay, in the order: space, pre-order, company. */
export function readBookingDraft(
  body: BookingBody,
  bookable: Bookable,
  asked: DraftStay,
  before?: BookingRecord,
): BookingDraft {
  const { venue, product } = bookable;
  // An amendment that does not move the stay keeps a space that is no longer offered.
  const isStaying =
    before !== undefined &&
    isSameStay(before, { productId: product.id, ...stayOf(asked) }) &&
    (isPlaced(before) || body.type === 'request');
  if (asked.spaceId !== null && !isStaying) assertSpace(asked.spaceId, bookable);
  const preorders = preorderOf(body.preorders, {
    venue,
    product,
    guests: guestsOf(asked),
    submitted: before ? 'post' : 'pre',
    ...(before?.productId === product.id && { before: before.preorders }),
  });
  assertDeclaredDeposit(body, bookable, before);
  const company = body.company ?? null;
  if (company !== before?.guest?.company) assertCompany(company, bookable);
  return {
    ...asked,
    type: body.type,
    preorders,
    guest: guestOf(body),
    depositPence: body.depositAmount ?? null,
    partnerBookingId: body.partnerBookingId ?? null,
  };
}

export function guestOf(body: BookingBody): Guest {
  return {
    firstName: body.firstName,
    lastName: body.lastName,
    email: body.email ?? null,
    phone: body.phone ?? null,
    company: body.company ?? null,
    labels: body.labels ?? [],
    comments: notesOf(body),
    adminNotes: body.admin_notes ?? null,
  };
}

export function assertSpace(spaceId: number, { venue, product }: Bookable): void {
  if (product.spaceIds.includes(spaceId)) return;
  if (!venue.spaces.some(({ id }) => id === spaceId))
    throw problem('BOOK-N-010', { detail: `${venue.name} has no space ${spaceId}.` });
  throw problem('BOOK-N-017', { detail: `${product.name} does not offer space ${spaceId}.` });
}

/** What guests pay here is not declared. */
function assertDeclaredDeposit(
  { depositAmount }: BookingBody,
  { venue }: Bookable,
  before: BookingRecord | undefined,
): void {
  if (depositAmount == null || depositAmount === before?.depositPence) return;
  if (venue.channel?.deposit === 'before_confirmation')
    throw invalid('depositAmount', 'must be left out: guests pay the deposit here');
}

function assertCompany(company: string | null, { venue }: Bookable): void {
  const { companyMode = 'none', companyNames = [] } = venue.channel ?? {};
  if (companyMode === 'none') return;
  if (company === null) throw problem('BOOK-N-016', { detail: `${venue.name} requires the company.` });
  if (!companyNames.includes(company))
    throw problem('BOOK-N-015', { detail: `${venue.name} takes no bookings for ${company}.` });
}

/** As sent: an instant, or a trading day and a local time, or both as long as they say the same. */
interface Moment {
  dateTime?: string | null | undefined;
  date?: string | null | undefined;
  time?: string | null | undefined;
}

/** Checks of a moment that do not depend on the place. */
export function assertReadable({ dateTime, date, time }: Moment): void {
  if (dateTime != null) assertDateTime(dateTime);
  if (date != null) assertDate(date);
  if (time != null) assertTime(time);
}

/** The same for a moment that must be complete. */
export function assertWhole(moment: Moment): void {
  if (moment.dateTime == null) assertComplete(moment);
  assertReadable(moment);
}

export function startOf({ dateTime, date, time }: Moment, zone: string, hours: HoursRows): BookingStart {
  const start =
    dateTime != null ? startAt({ dateTime, date, time }, zone, hours) : startOn({ date, time }, zone, hours);
  if (isTradingDay(start.date)) return start;
  throw impossible(`The date must lie between ${FIRST_TRADING_DAY} and ${LAST_TRADING_DAY}.`);
}

/** Whether a day and a time are those that a known start is shown as, which may be the second of two alike. */
export function isShownAs({ date, minute }: Omit<BookingStart, 'startMs'>, moment: Moment): boolean {
  const shown = clockTime(minute);
  return moment.date === date && (moment.time === shown || moment.time === `${shown}:00`);
}

/** Whether a moment, in whichever form, is a known start. */
export function isStart(
  known: Omit<BookingStart, 'startMs'> & { startsAt: Temporal.Instant },
  moment: Moment,
): boolean {
  const { dateTime, date, time } = moment;
  if (dateTime == null) return isShownAs(known, moment);
  const shown = { date: date ?? known.date, time: time ?? clockTime(known.minute) };
  return isDateTime(dateTime) && instantOf(dateTime).equals(known.startsAt) && isShownAs(known, shown);
}

/** Of a time that the clocks show twice the first is meant. */
function startOn(moment: Moment, zone: string, hours: HoursRows): BookingStart {
  assertComplete(moment);
  const { date, time } = moment;
  assertDate(date);
  assertTime(time);
  const shown = minuteOfDay(time);
  const minute =
    !isTradingAt(hours, date, shown) && isTradingAt(hours, date, shown + MINUTES_PER_DAY)
      ? shown + MINUTES_PER_DAY
      : shown;
  const minuteMs = dayClock(zone, date).epochMsOf(minute);
  if (minuteMs === undefined) throw impossible(`Clocks in ${zone} skip ${time} on that day.`);
  return { date, minute, startMs: minuteMs + secondsOf(time) * 1000 };
}

/** The instant decides; which trading day it belongs to, the hours of the product say. */
function startAt(moment: Moment & { dateTime: string }, zone: string, hours: HoursRows): BookingStart {
  const { dateTime, date, time } = moment;
  assertDateTime(dateTime);
  const startMs = instantOf(dateTime).epochMilliseconds;
  const shown = localOf(zone, startMs);
  const night = { date: addDays(shown.date, -1), minute: shown.minute + MINUTES_PER_DAY };
  if (time != null) {
    assertTime(time);
    const isSameSecond = (startMs - secondsOf(time) * 1000) % MS_PER_MINUTE === 0;
    if (minuteOfDay(time) !== shown.minute || !isSameSecond) throw contradiction('time', zone);
  }
  if (date != null) {
    assertDate(date);
    if (date === night.date && mayTradeAt(hours, night)) return { ...night, startMs };
    if (date !== shown.date) throw contradiction('date', zone);
  }
  const isNight =
    !isTradingAt(hours, shown.date, shown.minute) && isTradingAt(hours, night.date, night.minute);
  return { ...(isNight ? night : shown), startMs };
}

/** Where no hours are stored, the caller's trading day is accepted. */
const mayTradeAt = (hours: HoursRows, { date, minute }: { date: string; minute: number }) =>
  isTradingAt(hours, date, minute) || (hours.hours.length === 0 && hours.exceptions.length === 0);

function assertComplete(moment: Moment): asserts moment is Moment & { date: string; time: string } {
  const { date, time } = moment;
  if (date != null && time != null) return;
  throw problem('BOOK-N-019', {
    detail:
      date == null && time == null
        ? 'Send dateTime, or both date and time.'
        : `Send ${date == null ? 'date' : 'time'} as well, or dateTime instead.`,
  });
}

function assertDateTime(dateTime: string): void {
  if (isDateTime(dateTime)) return;
  throw impossible(
    'dateTime must be RFC 3339 with an offset or Z, such as 2026-12-05T19:30:00+00:00, and is not.',
  );
}

function assertDate(date: string): void {
  if (!isDate(date)) throw impossible('date must be a day of the calendar such as 2026-12-05, and is not.');
}

function assertTime(time: string): void {
  if (!isClockTime(time)) throw impossible('time must be a local time such as 19:30, and is not.');
}

const secondsOf = (time: string) => Number(time.split(':')[2] ?? 0);

const impossible = (detail: string) => problem('BOOK-N-020', { detail });

const contradiction = (field: string, zone: string) =>
  problem('BOOK-N-018', { detail: `dateTime and ${field} do not say the same in ${zone}.` });

/** A product with its venue and the system behind it. */
export interface BookableProduct extends Bookable {
  connector: Connector;
}
