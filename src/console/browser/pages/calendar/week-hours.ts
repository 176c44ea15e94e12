/** Hours of the week as they are edited: one row a day. */
import type { VenueHours } from '../../../../features/venues/manage/venue-schema.ts';
import type { Period } from './month.ts';

export type Week = readonly (readonly Period[])[];
export type Weekly = VenueHours['weekly'];

const DAYS = [1, 2, 3, 4, 5, 6, 7] as const;

export const weekOf = (weekly: Weekly): Week =>
  DAYS.map((day) =>
    weekly.filter(({ weekdays }) => weekdays.includes(day)).flatMap(({ periods }) => periods),
  );

/** Days with the same hours stand together. */
export function weeklyOf(week: Week): Weekly {
  const found: { weekdays: (typeof DAYS)[number][]; periods: Period[] }[] = [];
  for (const day of DAYS) {
    const periods = week[day - 1] ?? [];
    if (periods.length === 0) continue;
    const same = found.find((group) => JSON.stringify(group.periods) === JSON.stringify(periods));
    if (same) same.weekdays.push(day);
    else found.push({ weekdays: [day], periods: [...periods] });
  }
  return found;
}
