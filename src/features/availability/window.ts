import { invalid, problem } from '../../kernel/problem.ts';
import { instantOf, isDateTime } from '../../kernel/rfc3339.ts';
import { addDays, localOf } from '../../kernel/zone-time.ts';
import type { AvailabilityQuery } from './query.ts';

/**
 * Which starts a query asks about. Dates are trading days; a clock time that lies before the day's first start
 * but fits behind its last one is meant after midnight.
 */
export interface Window {
  /** Trading days to look at, ascending. */
  dates: string[];
  /** Whether a start on `date` at `minute` is asked for, given the first and last start of that day. */
  includes(start: Start, day: DayRange): boolean;
  /** The instants of a window given as such; `endMs` undefined: until the end of that trading day. */
  instants?: { startMs: number; endMs: number | undefined };
}

export interface Start {
  minute: number;
  startMs: number;
}

export interface DayRange {
  firstMinute: number;
  lastMinute: number;
}

const MINUTES_PER_DAY = 1440;
const AROUND_MINUTES = 60;
const LONGEST_WINDOW_MS = 48 * 3_600_000;
const MS_PER_MINUTE = 60_000;

export function windowOf(query: AvailabilityQuery, zone: string): Window {
  if (query.startDateTime !== undefined) return windowOfInstants(query, query.startDateTime, zone);
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

function windowOfInstants(query: AvailabilityQuery, startDateTime: string, zone: string): Window {
  const startMs = momentOf('startDateTime', startDateTime);
  const endMs = query.endDateTime === undefined ? undefined : momentOf('endDateTime', query.endDateTime);
  if (endMs !== undefined && endMs < startMs) {
    throw problem('AVAIL-N-010', { detail: 'endDateTime lies before startDateTime.' });
  }
  if (endMs !== undefined && endMs - startMs > LONGEST_WINDOW_MS) {
    throw problem('AVAIL-N-010', { detail: 'The window is longer than 48 hours.' });
  }
  assertAgrees(query, zone, startMs, endMs);
  const first = localOf(zone, startMs).date;
  const last = localOf(zone, endMs ?? startMs).date;
  const dates = [addDays(first, -1)];
  while (dates.at(-1) !== last) dates.push(addDays(dates.at(-1) ?? first, 1));
  return {
    dates,
    instants: { startMs, endMs },
    includes: (start, day) =>
      start.startMs >= startMs &&
      (endMs === undefined || start.startMs <= endMs) &&
      fitsClockBounds(
        { time: query.time, endTime: endMs === undefined ? query.endTime : undefined },
        start.minute,
        day,
      ),
  };
}

/** A plus sign that was not percent-encoded arrives as a space; nobody means a space there. */
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
  startMs: number,
  endMs: number | undefined,
): void {
  const start = localOf(zone, startMs);
  const conflict = (name: string) =>
    problem('AVAIL-N-009', { detail: `startDateTime and ${name} do not say the same in ${zone}.` });
  if (query.date !== undefined && ![start.date, addDays(start.date, -1)].includes(query.date))
    throw conflict('date');
  if (query.startTime !== undefined && minuteOf(query.startTime) !== start.minute)
    throw conflict('startTime');
  if (query.endTime === undefined) return;
  if (endMs !== undefined && minuteOf(query.endTime) !== localOf(zone, endMs).minute)
    throw conflict('endTime');
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
export function onTradingDay(clockTime: string, { firstMinute, lastMinute }: DayRange): number {
  const minute = minuteOf(clockTime);
  const isAfterMidnight = minute < firstMinute && minute + MINUTES_PER_DAY <= lastMinute + AROUND_MINUTES;
  return isAfterMidnight ? minute + MINUTES_PER_DAY : minute;
}

function minuteOf(clockTime: string): number {
  const [hours, minutes] = clockTime.split(':').map(Number) as [number, number];
  return hours * 60 + minutes;
}

export const endMsOf = (startMs: number, minutes: number) => startMs + minutes * MS_PER_MINUTE;
