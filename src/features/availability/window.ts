import { invalid, problem } from '../../kernel/problem.ts';
import { instantOf, isDateTime } from '../../kernel/rfc3339.ts';
import {
  addDays,
  FIRST_TRADING_DAY,
  isTradingDay,
  LAST_TRADING_DAY,
  localOf,
  MINUTES_PER_DAY,
  MS_PER_HOUR,
  minuteOfDay,
} from '../../kernel/zone-time.ts';
import type { AvailabilityQuery } from './query.ts';

/**
 * Which starts a query covers. Dates are trading days; a clock time before the day's first start that fits behind its
 * last one means after midnight.
 */
export interface Window {
  /** Trading days to look at, ascending. */
  dates: string[];
  /** Whether the query covers a start, given the day it belongs to. */
  includes(start: WindowStart, day: DayRange): boolean;
  /** The instants of a window given as such; `endMs` undefined: until the end of that trading day. */
  instants?: { startMs: number; endMs: number | undefined };
}

export interface WindowStart {
  minute: number;
  startMs: number;
}

/** The first and the last start of a trading day, and its end. */
export interface DayRange {
  firstMinute: number;
  lastMinute: number;
  closesMinute: number;
}

/** The minute at which the product's trading day ends; undefined when it is unknown. */
export type ClosesOn = (date: string) => number | undefined;

export const AROUND_MINUTES = 60;
const LONGEST_WINDOW_MS = 48 * MS_PER_HOUR;

export function windowOf(query: AvailabilityQuery, zone: string, closesOn: ClosesOn): Window {
  const window = readWindow(query, zone, closesOn);
  if (!window.dates.every(isTradingDay)) {
    const field = window.instants ? 'startDateTime' : 'date';
    throw invalid(field, `must lie between ${FIRST_TRADING_DAY} and ${LAST_TRADING_DAY}`);
  }
  return window;
}

function readWindow(query: AvailabilityQuery, zone: string, closesOn: ClosesOn): Window {
  if (query.startDateTime !== undefined) return windowOfInstants(query, query.startDateTime, zone, closesOn);
  if (query.endDateTime !== undefined) {
    throw problem('AVAIL-N-010', { detail: 'endDateTime needs startDateTime beside it.' });
  }
  if (query.date === undefined) {
    throw problem('VALID-N-001', {
      detail: 'Send date or startDateTime.',
      errors: { date: ['is required unless startDateTime is given'] },
    });
  }
  return { dates: [query.date], includes: (start, day) => fitsClockBounds(query, start.minute, day) };
}

function windowOfInstants(
  query: AvailabilityQuery,
  startDateTime: string,
  zone: string,
  closesOn: ClosesOn,
): Window {
  const startMs = momentOf('startDateTime', startDateTime);
  const endMs = query.endDateTime === undefined ? undefined : momentOf('endDateTime', query.endDateTime);
  if (endMs !== undefined && endMs < startMs) {
    throw problem('AVAIL-N-010', { detail: 'endDateTime lies before startDateTime.' });
  }
  if (endMs !== undefined && endMs - startMs > LONGEST_WINDOW_MS) {
    throw problem('AVAIL-N-010', { detail: 'The window is longer than 48 hours.' });
  }
  const start = localOf(zone, startMs);
  assertAgrees(query, zone, { start, endMs, closesOn });
  const first = start.date;
  const last = localOf(zone, endMs ?? startMs).date;
  const dates = [addDays(first, -1)];
  while (dates.at(-1) !== last) dates.push(addDays(dates.at(-1) ?? first, 1));
  return {
    dates,
    instants: { startMs, endMs },
    includes: (slot, day) =>
      slot.startMs >= startMs &&
      (endMs === undefined
        ? isBeforeClock(query.endTime, start, localOf(zone, slot.startMs))
        : slot.startMs <= endMs) &&
      fitsClockBounds({ time: query.time }, slot.minute, day),
  };
}

interface Local {
  date: string;
  minute: number;
}

/** Whether clocks have not gone past `endTime` since the window began; there it means the next time they show it. */
function isBeforeClock(endTime: string | undefined, from: Local, at: Local): boolean {
  if (endTime === undefined) return true;
  const minute = minuteOfDay(endTime);
  const date = minute < from.minute ? addDays(from.date, 1) : from.date;
  return at.date < date || (at.date === date && at.minute <= minute);
}

/** A plus sign that was not percent-encoded arrives as a space; a space is never valid there. */
const UNENCODED_PLUS = /^(.*T.*) (\d\d:\d\d)$/;
const WITHOUT_OFFSET = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;

function momentOf(field: string, text: string): number {
  const repaired = text.replace(UNENCODED_PLUS, '$1+$2');
  if (isDateTime(repaired)) return instantOf(repaired).epochMilliseconds;
  if (WITHOUT_OFFSET.test(text)) {
    throw problem('AVAIL-N-010', {
      detail: `${field} needs a UTC offset or Z, such as 2026-12-05T19:30:00+00:00.`,
    });
  }
  throw invalid(field, 'must be a date and time with a UTC offset, such as 2026-12-05T19:30:00+00:00');
}

/** Both forms may be sent as long as they say the same. */
function assertAgrees(
  query: AvailabilityQuery,
  zone: string,
  { start, endMs, closesOn }: { start: Local; endMs: number | undefined; closesOn: ClosesOn },
): void {
  const conflict = (name: string) =>
    problem('AVAIL-N-009', { detail: `startDateTime and ${name} do not say the same in ${zone}.` });
  if (query.date !== undefined && query.date !== start.date && !isNightOf(query.date, start, closesOn))
    throw conflict('date');
  if (query.startTime !== undefined && minuteOfDay(query.startTime) !== start.minute)
    throw conflict('startTime');
  if (query.endTime === undefined) return;
  if (endMs !== undefined && minuteOfDay(query.endTime) !== localOf(zone, endMs).minute)
    throw conflict('endTime');
}

/** Whether the trading day of that date was not over yet. */
function isNightOf(date: string, at: Local, closesOn: ClosesOn): boolean {
  if (date !== addDays(at.date, -1)) return false;
  const closes = closesOn(date);
  return closes === undefined || at.minute + MINUTES_PER_DAY <= closes;
}

interface ClockBounds {
  time?: string | undefined;
  startTime?: string | undefined;
  endTime?: string | undefined;
}

function fitsClockBounds({ time, startTime, endTime }: ClockBounds, minute: number, day: DayRange): boolean {
  if (time !== undefined && Math.abs(minute - onTradingDay(time, day)) > AROUND_MINUTES) return false;
  const earliest = startTime === undefined ? 0 : onTradingDay(startTime, day);
  if (minute < earliest) return false;
  if (endTime === undefined) return true;
  const latest = onTradingDay(endTime, day);
  return minute <= (latest < earliest ? latest + MINUTES_PER_DAY : latest);
}

/** The minute of the trading day that a clock time means. */
export function onTradingDay(clockTime: string, { firstMinute, lastMinute, closesMinute }: DayRange): number {
  const minute = minuteOfDay(clockTime);
  const latest = Math.max(lastMinute + AROUND_MINUTES, closesMinute);
  const isAfterMidnight = minute < firstMinute && minute + MINUTES_PER_DAY <= latest;
  return isAfterMidnight ? minute + MINUTES_PER_DAY : minute;
}
