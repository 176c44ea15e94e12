import { localOf } from '../../kernel/zone-time.ts';

/** Where rules count days from, wherever the venue is. */
const COUNTED_IN = 'Europe/London';
const MS_PER_DAY = 86_400_000;

/** Whole calendar days from today to a date. */
export function daysAheadOf(date: string, nowMs: number): number {
  const { date: today } = localOf(COUNTED_IN, nowMs);
  return Math.round((Date.parse(date) - Date.parse(today)) / MS_PER_DAY);
}
