/** Days of a chart. A day without bookings is missing in the report and counts as nothing. */
import type { CoversReport } from '../../../../features/reports/schema.ts';

export type Row = CoversReport['rows'][number];
export type Figures = CoversReport['totals'];

const noonOf = (date: string) => new Date(`${date}T12:00:00Z`);

export function addDays(date: string, days: number): string {
  const moved = noonOf(date);
  moved.setUTCDate(moved.getUTCDate() + days);
  return moved.toISOString().slice(0, 10);
}

export function daysOf(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to && days.length < 400; day = addDays(day, 1)) days.push(day);
  return days;
}

export const MEASURES = ['covers', 'noShowRate', 'leadDays', 'spend'] as const;
export type Measure = (typeof MEASURES)[number];

/** Null: there is nothing to divide by. */
export function measureOf(figures: Figures, measure: Measure): number | null {
  if (measure === 'covers') return figures.covers;
  if (measure === 'spend') return figures.spendPence;
  if (measure === 'leadDays') return figures.leadDays;
  return figures.bookings === 0 ? null : figures.noShows / figures.bookings;
}

/** One value for each day: nothing is 0 where it is counted, and a gap where it is an average. */
export function seriesOf(rows: readonly Row[], days: readonly string[], measure: Measure): (number | null)[] {
  const byDay = new Map(rows.map((row) => [row.key, row]));
  const isCounted = measure === 'covers' || measure === 'spend';
  return days.map((day) => {
    const row = byDay.get(day);
    return row ? measureOf(row, measure) : isCounted ? 0 : null;
  });
}

export interface Extremes {
  highest: { value: number; index: number };
  lowest: { value: number; index: number };
}

/** For the sentence that says what a chart shows. */
export function extremesOf(values: readonly (number | null)[]): Extremes | undefined {
  const known = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
  const [first] = known;
  if (!first) return undefined;
  return known.reduce(
    ({ highest, lowest }, each) => ({
      highest: each.value > highest.value ? each : highest,
      lowest: each.value < lowest.value ? each : lowest,
    }),
    { highest: first, lowest: first },
  );
}
