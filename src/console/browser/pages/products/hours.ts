/** Weekly hours as people read and edit them. */
import { closesField } from '../../components/hours/closing.ts';
import type { Period, Week, Weekday } from './draft.ts';

/** `Mon–Thu, Sat` of 1, 2, 3, 4 and 6; two days in a row are named one by one. */
export function daysText(days: readonly number[], names: readonly string[]): string {
  const sorted = [...days].sort((a, b) => a - b);
  const runs: number[][] = [];
  for (const day of sorted) {
    const run = runs.at(-1);
    if (run && run.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  const name = (day: number | undefined) => names[(day ?? 1) - 1] ?? '';
  return runs
    .flatMap((run) => (run.length > 2 ? [`${name(run[0])}–${name(run.at(-1))}`] : run.map(name)))
    .join(', ');
}

export const periodsText = (periods: readonly Period[]) =>
  periods.map(({ opens, closes }) => `${opens}–${closesField(closes)}`).join(', ');

/** A day is in one row at most: chosen in one, it leaves the others. */
export const withDays = (weekly: readonly Week[], row: number, days: readonly Weekday[]): Week[] =>
  weekly.map((week, index) => ({
    ...week,
    weekdays: index === row ? [...days] : week.weekdays.filter((day) => !days.includes(day)),
  }));

/** The days that no row has yet. */
export const freeDays = (weekly: readonly Week[]): Weekday[] =>
  ([1, 2, 3, 4, 5, 6, 7] as Weekday[]).filter((day) =>
    weekly.every(({ weekdays }) => !weekdays.includes(day)),
  );

/** Rows without a day say nothing, and are refused. */
export const withoutEmpty = (weekly: readonly Week[]): Week[] =>
  weekly.filter(({ weekdays }) => weekdays.length > 0);
