/** The time that the diary of a trading day is about. */
import {
  addDays,
  dateTimeOf,
  dayClock,
  MINUTES_PER_DAY,
  MS_PER_MINUTE,
  msFrom,
} from '../../kernel/zone-time.ts';
import type { Pace } from '../../tms/desk.ts';

/** Of a trading day that runs into the next morning, so much belongs to it as far as blocks and closures go. */
const NIGHT_MINUTES = 6 * 60;
const QUARTER_MS = 15 * MS_PER_MINUTE;

export interface Range {
  from: Temporal.Instant;
  to: Temporal.Instant;
}

const instant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms);

/** From midnight to six in the morning of the next day: what touches it is shown. */
export function dayRange(zone: string, date: string): Range {
  const clock = dayClock(zone, date);
  return { from: instant(msFrom(clock, 0)), to: instant(msFrom(clock, MINUTES_PER_DAY + NIGHT_MINUTES)) };
}

export const touches = (a: Range, b: Range) =>
  Temporal.Instant.compare(a.from, b.to) < 0 && Temporal.Instant.compare(b.from, a.to) < 0;

/** A party that is there, or will be. */
export interface Sitting {
  startMs: number;
  endMs: number;
  covers: number;
}

export interface Quarter {
  /** When it begins, in local time. */
  at: string;
  /** Guests who are there during some of it. */
  present: number;
  /** Guests whose visit begins in it. */
  starting: number;
  /** How many may begin in it; null: no limit, or nothing starts then. */
  maxStarting: number | null;
}

/** From midnight to the next one, or until the last party leaves. */
export function shownRange(
  zone: string,
  date: string,
  sittings: readonly Sitting[],
): { from: string; to: string } {
  const fromMs = msFrom(dayClock(zone, date), 0);
  const midnightMs = msFrom(dayClock(zone, addDays(date, 1)), 0);
  const toMs = sittings.reduce((latest, { endMs }) => Math.max(latest, quarterAfter(endMs)), midnightMs);
  return { from: dateTimeOf(zone, fromMs), to: dateTimeOf(zone, toMs) };
}

const quarterAt = (ms: number) => Math.floor(ms / QUARTER_MS) * QUARTER_MS;
const quarterAfter = (ms: number) => Math.ceil(ms / QUARTER_MS) * QUARTER_MS;

/**
 * Every quarter from the first arrival to the last departure. They are counted in elapsed time, so that a day on which
 * the clocks change has as many as it has.
 */
export function quartersOf(
  zone: string,
  sittings: readonly Sitting[],
  limits: ReadonlyMap<number, number> = new Map(),
): Quarter[] {
  if (sittings.length === 0) return [];
  const firstMs = Math.min(...sittings.map(({ startMs }) => quarterAt(startMs)));
  const lastMs = Math.max(...sittings.map(({ endMs }) => quarterAfter(endMs)));
  const quarters: Quarter[] = [];
  for (let ms = firstMs; ms < lastMs; ms += QUARTER_MS)
    quarters.push({ at: dateTimeOf(zone, ms), present: 0, starting: 0, maxStarting: finite(limits.get(ms)) });
  const indexAt = (ms: number) => (quarterAt(ms) - firstMs) / QUARTER_MS;
  for (const { startMs, endMs, covers } of sittings) {
    const first = indexAt(startMs);
    const end = (quarterAfter(endMs) - firstMs) / QUARTER_MS;
    for (const quarter of quarters.slice(first, end)) quarter.present += covers;
    const starting = quarters[first];
    if (starting) starting.starting += covers;
  }
  return quarters;
}

const finite = (limit: number | undefined) => (limit === undefined || limit === Infinity ? null : limit);

/** How many guests may begin in each quarter, by the instant at which it begins; of a product without a limit, all. */
export function startLimits(zone: string, date: string, paces: readonly Pace[]): Map<number, number> {
  const clock = dayClock(zone, date);
  const limits = new Map<number, number>();
  for (const { coversPerStart, stepMinutes, periods } of paces)
    for (const { opens, closes } of periods)
      for (let minute = opens; minute < closes; minute += stepMinutes) {
        const quarter = quarterAt(clock.epochMsOf(minute) ?? Number.NaN);
        limits.set(quarter, (limits.get(quarter) ?? 0) + (coversPerStart ?? Infinity));
      }
  return limits;
}
