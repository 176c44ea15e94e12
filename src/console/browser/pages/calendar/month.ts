/** What a month of the calendar shows. Nothing of the page is needed for it. */
import type { Closure } from '../../../../features/closures/schema.ts';
import type { VenueHours } from '../../../../features/venues/manage/venue-schema.ts';

export type Period = VenueHours['exceptions'][number]['periods'][number];
export type Exception = VenueHours['exceptions'][number];

const DAY_MS = 86_400_000;
const atNoon = (date: string) => Date.parse(`${date}T12:00:00Z`);
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** 1 is Monday. */
export const weekdayOf = (date: string) => new Date(atNoon(date)).getUTCDay() || 7;

export const isMonth = (text: string | null): text is string => /^\d{4}-(0[1-9]|1[0-2])$/.test(text ?? '');
export const isDay = (text: string | null): text is string =>
  /^\d{4}-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(atNoon(text ?? ''));

export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

/** Whole weeks from Monday on, with the days of the neighbouring months that belong to them. */
export function weeksOf(month: string): string[][] {
  const first = `${month}-01`;
  const start = atNoon(first) - (weekdayOf(first) - 1) * DAY_MS;
  const weeks: string[][] = [];
  for (let at = start; dateOf(at) < `${addMonths(month, 1)}-01`; at += 7 * DAY_MS) {
    weeks.push(Array.from({ length: 7 }, (_, day) => dateOf(at + day * DAY_MS)));
  }
  return weeks;
}

export const exceptionOn = ({ exceptions }: VenueHours, date: string) =>
  exceptions.find((exception) => exception.date === date);

/** An exception takes the place of the week. */
export function periodsOn(hours: VenueHours, date: string): readonly Period[] {
  const exception = exceptionOn(hours, date);
  if (exception) return exception.periods;
  const weekday = weekdayOf(date);
  return hours.weekly
    .filter(({ weekdays }) => weekdays.some((day) => day === weekday))
    .flatMap(({ periods }) => periods);
}

/** A closure that ends in the small hours belongs to the evening before. */
const SMALL_HOURS = '06:00';
function lastDayOf({ from, to }: Pick<Closure, 'from' | 'to'>): string {
  const [date = '', time] = to.split('T');
  if (time === undefined || time > SMALL_HOURS || date <= from.slice(0, 10)) return date;
  return dateOf(atNoon(date) - DAY_MS);
}

/** Whether a closure is of this day: all of it for the whole venue, or a part of it. */
export function closureOn(
  closure: Pick<Closure, 'from' | 'to' | 'productKeys'>,
  date: string,
): 'whole' | 'part' | undefined {
  if (date < closure.from.slice(0, 10) || date > lastDayOf(closure)) return undefined;
  return closure.from.includes('T') || closure.productKeys !== null ? 'part' : 'whole';
}

const LEVELS = 4;
/** A shade from 0 (none) to 4 (the fullest day of the month). */
export const shadeOf = (covers: number, most: number) =>
  covers <= 0 || most <= 0 ? 0 : Math.max(1, Math.ceil((covers / most) * LEVELS));
