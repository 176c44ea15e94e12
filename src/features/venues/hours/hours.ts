import {
  clockTime,
  MINUTES_PER_DAY,
  minuteOfDay,
  type Weekday,
  weekdayOf,
} from '../../../kernel/zone-time.ts';

const DAY_NAMES = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** A stretch of a trading day in minutes from the midnight that begins it; above 1440 is the next morning. */
export interface MinutePeriod {
  opens: number;
  closes: number;
}

export interface WeeklyRow extends MinutePeriod {
  weekday: number;
}

export interface ExceptionRow {
  date: string;
  opens: number | null;
  closes: number | null;
  reason: string | null;
}

/** See `hoursDocument`; what an importer reads may leave members out. */
export interface HoursDocument {
  weekly: { weekdays: Weekday[]; periods: Period[] }[];
  /** No periods: closed on that date. */
  exceptions: { date: string; periods: Period[]; reason: string | null }[];
}

/** A period that closes at or before it opens runs into the next day. */
export function minutesOf(period: Period): MinutePeriod {
  const opens = minuteOfDay(period.opens);
  const closes = minuteOfDay(period.closes);
  return { opens, closes: closes > opens ? closes : closes + MINUTES_PER_DAY };
}

/** The weekly hours of a venue or product, and the dates on which others hold. */
export interface HoursRows {
  hours: readonly WeeklyRow[];
  exceptions: readonly ExceptionRow[];
}

/** Whether a minute of a trading day lies in its hours. */
export function isTradingAt(hours: HoursRows, date: string, minute: number): boolean {
  return stretchesOn(hours, date).some(({ opens, closes }) => opens <= minute && minute < closes);
}

function stretchesOn({ hours, exceptions }: HoursRows, date: string): MinutePeriod[] {
  const dated = exceptions.filter((row) => row.date === date);
  if (dated.length > 0) return stretchesIn(dated);
  const weekday = weekdayOf(date);
  return hours.filter((row) => row.weekday === weekday);
}

/** Whether a stay can begin then: on a grid from the opening. */
export function isStartAt(
  hours: HoursRows,
  { date, minute, stepMinutes }: { date: string; minute: number; stepMinutes: number },
): boolean {
  return stretchesOn(hours, date).some(
    ({ opens, closes }) => opens <= minute && minute < closes && (minute - opens) % stepMinutes === 0,
  );
}

/** All of them, ascending, however long the stay is. */
export function startMinutes(hours: HoursRows, date: string, stepMinutes: number): number[] {
  const minutes = new Set<number>();
  for (const { opens, closes } of stretchesOn(hours, date))
    for (let minute = opens; minute < closes; minute += stepMinutes) minutes.add(minute);
  return [...minutes].sort((a, b) => a - b);
}

/** None where it is closed on that date. */
function stretchesIn(rows: readonly ExceptionRow[]): MinutePeriod[] {
  return rows.flatMap(({ opens, closes }) => (opens === null || closes === null ? [] : [{ opens, closes }]));
}

/** The minute of a trading day at which it ends, 0 when closed; undefined where no hours are known at all. */
export function closingMinute(hours: HoursRows, date: string): number | undefined {
  if (hours.hours.length === 0 && hours.exceptions.length === 0) return undefined;
  return Math.max(0, ...stretchesOn(hours, date).map(({ closes }) => closes));
}

function periodOf({ opens, closes }: MinutePeriod): Period {
  return { opens: clockTime(opens), closes: clockTime(closes) };
}

/** Seven entries, Monday first, whatever rows there are. */
export function weeklyHours(rows: readonly WeeklyRow[]) {
  return DAY_NAMES.map((day, index) => ({
    weekday: index + 1,
    day,
    periods: rows.filter((row) => row.weekday === index + 1).map(periodOf),
  }));
}

/** One entry per date; rows come ordered by date and opening. */
export function datedHours(rows: readonly ExceptionRow[]) {
  return [...Map.groupBy(rows, (row) => row.date)].map(([date, ofDate]) => {
    const periods = stretchesIn(ofDate).map(periodOf);
    return { date, isClosed: periods.length === 0, periods, reason: ofDate[0]?.reason ?? null };
  });
}

/** The hours as operators write them: weekdays with the same periods are grouped. */
export function hoursDocument({ hours, exceptions }: HoursRows): HoursDocument {
  const days = Map.groupBy(hours, ({ weekday }) => weekday);
  const alike = Map.groupBy(days.entries(), ([, rows]) => JSON.stringify(rows.map(writtenPeriod)));
  return {
    weekly: [...alike.values()].map((entries) => ({
      weekdays: entries.map(([weekday]) => weekday as Weekday),
      periods: (entries[0]?.[1] ?? []).map(writtenPeriod),
    })),
    exceptions: [...Map.groupBy(exceptions, ({ date }) => date)].map(([date, rows]) => ({
      date,
      periods: stretchesIn(rows).map(writtenPeriod),
      reason: rows[0]?.reason ?? null,
    })),
  };
}

/** From midnight to midnight is written as 24:00, so that it differs from an empty period. */
export function writtenPeriod({ opens, closes }: MinutePeriod): Period {
  const isWholeDay = opens === 0 && closes === MINUTES_PER_DAY;
  return isWholeDay ? { opens: '00:00', closes: '24:00' } : periodOf({ opens, closes });
}

/** Clock times of the trading day; a period that closes at or before it opens ends on the next day. */
export interface Period {
  opens: string;
  closes: string;
}

export interface Hours {
  weekly: { weekdays: Weekday[]; periods: Period[] }[];
  /** No periods: closed on that date. */
  exceptions?: { date: string; periods: Period[]; reason?: string | null }[];
}
