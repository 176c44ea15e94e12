import { daysBetween, localOf } from '../../kernel/zone-time.ts';

/** Where rules count days from, wherever the venue is. */
const COUNTED_IN = 'Europe/London';

/** Whole calendar days from today to a date. */
export function daysAheadOf(date: string, nowMs: number): number {
  return daysBetween(localOf(COUNTED_IN, nowMs).date, date);
}
