/**
 * Dates and times as RFC 3339 writes them, nothing else of ISO 8601. Every pattern has fixed widths and a single
 * open-ended run of digits, so that none of them can be made to backtrack.
 */
import { MINUTES_PER_DAY } from './zone-time.ts';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const CLOCK_TIME = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;
const FRACTION_BEYOND_NANOSECONDS = /(\.\d{9})\d+/;

const DATE_LENGTH = 10;
const LAST_MINUTE_OF_DAY = MINUTES_PER_DAY - 1;

interface DayOfMonth {
  day: number;
  daysInMonth: number;
}

function readDate(text: string): DayOfMonth | undefined {
  const match = DATE.exec(text);
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12) return undefined;
  const daysInMonth = daysIn(year, month);
  return day >= 1 && day <= daysInMonth ? { day, daysInMonth } : undefined;
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

interface TimeOfDay {
  isLeapSecond: boolean;
  offsetMinutes: number;
}

function readTime(text: string): TimeOfDay | undefined {
  const match = TIME.exec(text);
  if (!match) return undefined;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [offsetHour, offsetMinute] = [Number(match[5] ?? 0), Number(match[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return undefined;
  const offsetMinutes = (match[4] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  const isLeapSecond = second === 60;
  if (isLeapSecond) {
    const utcMinute = (hour * 60 + minute - offsetMinutes + MINUTES_PER_DAY) % MINUTES_PER_DAY;
    if (utcMinute !== LAST_MINUTE_OF_DAY) return undefined;
  }
  return { isLeapSecond, offsetMinutes };
}

/** `full-date`: a day of the calendar, such as `2026-02-28`. */
export function isDate(text: string): boolean {
  return readDate(text) !== undefined;
}

/** `full-time`: a time with its offset, such as `19:30:00+01:00`. */
export function isTime(text: string): boolean {
  return readTime(text) !== undefined;
}

/** `date-time`: a date, `T` and a time with its offset. */
export function isDateTime(text: string): boolean {
  const separator = text[DATE_LENGTH];
  if (separator !== 'T' && separator !== 't') return false;
  const date = readDate(text.slice(0, DATE_LENGTH));
  const time = date && readTime(text.slice(DATE_LENGTH + 1));
  if (!time) return false;
  if (!time.isLeapSecond) return true;
  // A leap second ends a month in UTC; east of Greenwich the first day of the next month has begun by then.
  return time.offsetMinutes > 0 ? date.day === 1 : date.day === date.daysInMonth;
}

/** A local time on the clock, `HH:MM` or `HH:MM:SS`, without an offset. */
export function isClockTime(text: string): boolean {
  return CLOCK_TIME.test(text);
}

/** The instant of a valid `date-time`. What is finer than a nanosecond is cut off; a leap second counts as the one before it. */
export function instantOf(dateTime: string): Temporal.Instant {
  return Temporal.Instant.from(dateTime.replace(FRACTION_BEYOND_NANOSECONDS, '$1'));
}
