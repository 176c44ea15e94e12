/**
 * A slow reading of what the papers say about days and times, which shares no code with what it checks: every
 * minute is looked at by itself, and Temporal alone knows about clocks.
 */

import type { Hours, Period } from '../../../src/features/venues/hours/hours.ts';
import type {
  AvailabilityRuleDocument,
  MinimumSpendBand,
} from '../../../src/features/venues/transfer/document.ts';

export const MINUTE_MS = 60_000;
const DAY = 1440;

export const minuteOfClock = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
export const dayAfter = (date: string, days: number) =>
  Temporal.PlainDate.from(date).add({ days }).toString();
export const weekdayOn = (date: string) => Temporal.PlainDate.from(date).dayOfWeek;

/** From the first minute to the last, the end excluded; one that ends where it begins lasts a day. */
function stretchOf(from: string, to: string): { from: number; to: number } {
  const [first, last] = [minuteOfClock(from), minuteOfClock(to)];
  return { from: first, to: last > first ? last : last + DAY };
}

export function periodsFor(hours: Hours, date: string): { from: number; to: number }[] {
  const exception = hours.exceptions?.find((entry) => entry.date === date);
  const weekday = weekdayOn(date);
  const weekly = hours.weekly.filter(({ weekdays }) => (weekdays as number[]).includes(weekday));
  const periods: Period[] = exception ? exception.periods : weekly.flatMap((entry) => entry.periods);
  return periods.map(({ opens, closes }) => stretchOf(opens, closes));
}

export const closingFor = (hours: Hours, date: string) =>
  Math.max(0, ...periodsFor(hours, date).map(({ to }) => to));

/** The first instant at which clocks show that minute of the trading day, if they ever do. */
export function instantAt(zone: string, date: string, minute: number): number | undefined {
  const wall = Temporal.PlainDate.from(date).toPlainDateTime().add({ minutes: minute });
  const readings = (['earlier', 'later'] as const).map((disambiguation) =>
    wall.toZonedDateTime(zone, { disambiguation }),
  );
  const shown = readings.filter((reading) => reading.toPlainDateTime().equals(wall));
  return shown.length === 0 ? undefined : Math.min(...shown.map((reading) => reading.epochMilliseconds));
}

/** When the house shuts: at that minute, or as soon as clocks that jumped over it go on. */
function shutsAt(zone: string, date: string, minute: number): number {
  return instantAt(zone, date, minute) ?? shutsAt(zone, date, minute + 1);
}

export interface NaiveStart {
  date: string;
  minute: number;
  startMs: number;
}

export function startsOn(
  { zone, hours, interval }: { zone: string; hours: Hours; interval: number },
  date: string,
  stayMinutes: number,
): NaiveStart[] {
  const periods = periodsFor(hours, date).map((period) => ({
    ...period,
    shuts: shutsAt(zone, date, period.to),
  }));
  const starts: NaiveStart[] = [];
  for (let minute = 0; minute < 2 * DAY; minute += 1) {
    const beats = periods.filter(
      ({ from, to }) => from <= minute && minute < to && (minute - from) % interval === 0,
    );
    if (beats.length === 0) continue;
    const startMs = instantAt(zone, date, minute);
    if (startMs === undefined) continue;
    const endMs = startMs + stayMinutes * MINUTE_MS;
    if (beats.some(({ shuts }) => endMs <= shuts)) starts.push({ date, minute, startMs });
  }
  return starts;
}

/** What clocks in the zone show. */
export function shownAt(zone: string, ms: number): { date: string; minute: number; text: string } {
  const shown = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  return {
    date: shown.toPlainDate().toString(),
    minute: shown.hour * 60 + shown.minute,
    text: shown.toString({ timeZoneName: 'never', smallestUnit: 'second' }),
  };
}

/** Whether a rule holds on a trading day at all. */
function isRuleDay({ definition }: AvailabilityRuleDocument, date: string): boolean {
  const { startDate, endDate, weekdays, dates } = definition;
  if (startDate !== undefined && date < startDate) return false;
  if (endDate !== undefined && date > endDate) return false;
  if (dates !== undefined && !dates.includes(date)) return false;
  return weekdays === undefined || (weekdays as number[]).includes(weekdayOn(date));
}

/**
 * Whether a rule covers a start: at that minute of its trading day, at that time on the clock in the night of its
 * trading day, or in what is left of a range that began the day before.
 */
export function ruleCovers(rule: AvailabilityRuleDocument, date: string, minute: number): boolean {
  const { startTime, endTime } = rule.definition;
  if (startTime === undefined || endTime === undefined) return isRuleDay(rule, date);
  const { from, to } = stretchOf(startTime, endTime);
  for (let covered = from; covered < to; covered += 1) {
    if ((covered === minute || covered + DAY === minute) && isRuleDay(rule, date)) return true;
    if (covered - DAY === minute && isRuleDay(rule, dayAfter(date, -1))) return true;
  }
  return false;
}

/** Amounts of the bands that a stay meets with at least one of its minutes, the earliest band first. */
export function bandsMet(
  bands: MinimumSpendBand[],
  date: string,
  minute: number,
  stayMinutes: number,
): number[] {
  const met: { amount: number; from: number }[] = [];
  for (const band of bands) {
    const stretch = stretchOf(band.startTime, band.endTime);
    for (const days of [-1, 0, 1, 2]) {
      if (!(band.weekdays as number[]).includes(weekdayOn(dayAfter(date, days)))) continue;
      const [from, to] = [stretch.from + days * DAY, stretch.to + days * DAY];
      let isMet = false;
      for (let at = minute; at < minute + stayMinutes; at += 1) isMet ||= from <= at && at < to;
      if (isMet) met.push({ amount: band.amount, from });
    }
  }
  return met.sort((a, b) => a.from - b.from).map(({ amount }) => amount);
}
