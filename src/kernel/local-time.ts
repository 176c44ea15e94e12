/** Local dates and times of a venue as operators write them: `2026-12-05`, or `2026-12-05T19:30` for part of a day. */
import { invalid } from './problem.ts';
import {
  addDays,
  clockTime,
  dayClock,
  FIRST_TRADING_DAY,
  instantOfLocal,
  isTradingDay,
  LAST_TRADING_DAY,
  localOf,
  msFrom,
} from './zone-time.ts';

export const LOCAL_DATE = '\\d{4}-\\d\\d-\\d\\d';
export const LOCAL_DATE_TIME = `${LOCAL_DATE}T([01]\\d|2[0-3]):[0-5]\\d`;

/** Throws a `VALID-N-001` for a date that is none, or that we cannot reckon with. */
export function assertLocalDate(field: string, date: string): void {
  if (!isCalendarDate(date)) throw invalid(field, 'must be a date that there is');
  if (!isTradingDay(date))
    throw invalid(field, `must lie between ${FIRST_TRADING_DAY} and ${LAST_TRADING_DAY}`);
}

function isCalendarDate(date: string): boolean {
  const ms = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

/** The instant of a local date-time; throws a `VALID-N-001` where there is none. Of two it is the earlier. */
export function localInstant(field: string, zone: string, text: string): Temporal.Instant {
  assertLocalDate(field, text.slice(0, 10));
  const instant = instantOfLocal(zone, Temporal.PlainDateTime.from(text));
  if (!instant) throw invalid(field, `must be a time that clocks in ${zone} show; they skip it on that day`);
  return instant;
}

/** What `localInstant` reads. */
export function localText(zone: string, instant: Temporal.Instant): string {
  const { date, minute } = localOf(zone, instant.epochMilliseconds);
  return `${date}T${clockTime(minute)}`;
}

/** When a calendar day begins. */
export function startOfDay(zone: string, date: string): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(msFrom(dayClock(zone, date), 0));
}

/** The calendar days from one to another, both included, as instants; absent bounds stay absent. */
export function daysAsInstants(
  zone: string,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): { from?: Temporal.Instant; to?: Temporal.Instant } {
  if (from !== undefined) assertLocalDate('from', from);
  if (to !== undefined) assertLocalDate('to', to);
  if (from !== undefined && to !== undefined && to < from) throw invalid('to', 'must not be before from');
  return {
    ...(from !== undefined && { from: startOfDay(zone, from) }),
    ...(to !== undefined && { to: startOfDay(zone, addDays(to, 1)) }),
  };
}
