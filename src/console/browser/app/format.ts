/** Times, dates and money as people write them, in the zone of the venue. */
import { keep } from './keep.ts';
import { locale } from './language.ts';

const dateFormats = keep((options) => new Intl.DateTimeFormat(locale, JSON.parse(options)));
const dateFormat = (options: Intl.DateTimeFormatOptions) => dateFormats(JSON.stringify(options));
const numberFormats = keep((options) => new Intl.NumberFormat(locale, JSON.parse(options)));
const numberFormat = (options: Intl.NumberFormatOptions) => numberFormats(JSON.stringify(options));
const days = keep((timeZone) => new Intl.DateTimeFormat('en-CA', timeZone === '' ? {} : { timeZone }));
const relatives = keep((tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: 'short' }));

const CLOCK = /T(\d\d:\d\d)/;

/** `19:30` of a local time with its offset, as the diary has them: no conversion is needed. */
export const clockOf = (local: string) => CLOCK.exec(local)?.[1] ?? '';

/** The time of an instant in a zone. */
export const timeIn = (instant: string, timeZone?: string) =>
  dateFormat({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...(timeZone && { timeZone }) }).format(
    new Date(instant),
  );

/** `Sat 21 Nov` of `2026-11-21`. */
export const shortDate = (date: string) =>
  dateFormat({ weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' }).format(noonOf(date));

/** With the year, for what may be long ago. */
export const longDate = (date: string) =>
  dateFormat({ weekday: 'short', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    noonOf(date),
  );

export const monthOf = (date: string) =>
  dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' }).format(noonOf(date));

/** Names of the days, Monday first. */
export const weekdays = (style: 'short' | 'long' = 'short') =>
  Array.from({ length: 7 }, (_, day) =>
    dateFormat({ weekday: style, timeZone: 'UTC' }).format(new Date(Date.UTC(2024, 0, 1 + day, 12))),
  );

/** Day and time of an instant, in the zone of the browser unless one is given. */
export const momentOf = (instant: string, timeZone?: string) =>
  dateFormat({
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(timeZone && { timeZone }),
  }).format(new Date(instant));

const noonOf = (date: string) => new Date(`${date}T12:00:00Z`);

/** Today in a zone, `YYYY-MM-DD`. */
export const todayIn = (timeZone = '', now = new Date()) => days(timeZone).format(now).slice(0, 10);

/** An evening goes on after midnight: until this hour it is still that of the day before. */
const EVENING_ENDS_HOUR = 4;

export const eveningIn = (timeZone?: string, now = new Date()) =>
  todayIn(timeZone, new Date(now.getTime() - EVENING_ENDS_HOUR * 3_600_000));

export function addDays(date: string, days: number): string {
  const moved = noonOf(date);
  moved.setUTCDate(moved.getUTCDate() + days);
  return moved.toISOString().slice(0, 10);
}

/** `in 12 min`, `2 hr ago`, `3 days ago`. */
export function ago(instant: string, now = Date.now()): string {
  const relative = relatives(locale);
  const minutes = Math.round((Date.parse(instant) - now) / 60_000);
  if (Math.abs(minutes) < 90) return relative.format(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return Math.abs(hours) < 36
    ? relative.format(hours, 'hour')
    : relative.format(Math.round(hours / 24), 'day');
}

/** Amounts are stored in hundredths of the currency. */
export const money = (pence: number, currency = 'GBP') =>
  numberFormat({ style: 'currency', currency }).format(pence / 100);

export const number = (value: number) => numberFormat({}).format(value);
export const percent = (share: number) =>
  numberFormat({ style: 'percent', maximumFractionDigits: 1 }).format(share);
