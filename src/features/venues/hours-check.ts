/** Hours that somebody wants to be stored: whether they can be kept at all. */
import { invalid, problem } from '../../kernel/problem.ts';
import { isTradingDay } from '../../kernel/zone-time.ts';
import type { Hours, Period } from './document.ts';
import { type MinutePeriod, minutesOf } from './hours.ts';

const CLOCK_TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const END_OF_DAY = '24:00';
/** Of one day, however many entries name it: it is read as one. */
export const MAX_PERIODS = 10;

/** Throws `VENUE-N-006` where times cannot be used. `field` is where they stand in the request, empty for the whole of it. */
export function assertHours({ weekly, exceptions = [] }: Hours, field = ''): void {
  const at = (path: string) => (field === '' ? path : `${field}.${path}`);
  const byWeekday = new Map<number, MinutePeriod[]>();
  for (const [index, { weekdays, periods }] of weekly.entries()) {
    const stretches = periods.map((period, each) => stretchOf(period, at(`weekly.${index}.periods.${each}`)));
    for (const weekday of weekdays) {
      const sameDay = [...(byWeekday.get(weekday) ?? []), ...stretches];
      if (sameDay.length > MAX_PERIODS)
        throw invalid(at(`weekly.${index}.periods`), `must be at most ${MAX_PERIODS} on one weekday`);
      assertApart(sameDay, at(`weekly.${index}.periods`));
      byWeekday.set(weekday, sameDay);
    }
  }
  const dates = new Set<string>();
  for (const [index, { date, periods }] of exceptions.entries()) {
    if (!isTradingDay(date)) throw unusable(at(`exceptions.${index}.date`), 'is too far away');
    if (dates.has(date)) throw unusable(at(`exceptions.${index}.date`), 'is there already');
    dates.add(date);
    const stretches = periods.map((period, each) =>
      stretchOf(period, at(`exceptions.${index}.periods.${each}`)),
    );
    assertApart(stretches, at(`exceptions.${index}.periods`));
  }
}

function stretchOf(period: Period, field: string): MinutePeriod {
  const { opens, closes } = period;
  if (!CLOCK_TIME.test(opens)) throw unusable(`${field}.opens`, 'must be a time such as 19:30');
  if (closes !== END_OF_DAY && !CLOCK_TIME.test(closes))
    throw unusable(`${field}.closes`, 'must be a time such as 19:30, or 24:00');
  if (opens === closes)
    throw unusable(`${field}.closes`, 'must not be when it opens; a whole day is 00:00 to 24:00');
  return minutesOf(period);
}

function assertApart(stretches: readonly MinutePeriod[], field: string): void {
  const ordered = stretches.toSorted((a, b) => a.opens - b.opens);
  for (const [index, { opens }] of ordered.entries()) {
    const before = ordered[index - 1];
    if (before && opens < before.closes) throw unusable(field, 'must not overlap on one day');
  }
}

function unusable(field: string, message: string) {
  return problem('VENUE-N-006', { detail: `${field} ${message}.`, errors: { [field]: [message] } });
}
