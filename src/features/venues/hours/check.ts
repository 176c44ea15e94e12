/** Checks whether hours in a request can be stored. */
import { invalid, type Problem, problem } from '../../../kernel/problem.ts';
import { isTradingDay } from '../../../kernel/zone-time.ts';
import { type Hours, type MinutePeriod, minutesOf, type Period } from './hours.ts';

const CLOCK_TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const END_OF_DAY = '24:00';
/** Of one day, however many entries name it: it is read as one. */
export const MAX_PERIODS = 10;

/** Throws `VENUE-N-006` where times cannot be used. `within` is where they stand in the request, empty for the whole of it. */
export function assertHours({ weekly, exceptions = [] }: Hours, within = ''): void {
  const at = (path: string) => (within === '' ? path : `${within}.${path}`);
  const byWeekday = new Map<number, MinutePeriod[]>();
  for (const [index, { weekdays, periods }] of weekly.entries()) {
    const field = at(`weekly.${index}.periods`);
    const stretches = stretchesOf(periods, field);
    for (const weekday of weekdays) {
      const sameDay = [...(byWeekday.get(weekday) ?? []), ...stretches];
      if (sameDay.length > MAX_PERIODS) throw invalid(field, `must be at most ${MAX_PERIODS} on one weekday`);
      assertApart(sameDay, field);
      byWeekday.set(weekday, sameDay);
    }
  }
  const dates = new Set<string>();
  for (const [index, { date, periods }] of exceptions.entries()) {
    if (!isTradingDay(date)) throw unusable(at(`exceptions.${index}.date`), 'is too far away');
    if (dates.has(date)) throw unusable(at(`exceptions.${index}.date`), 'is there already');
    dates.add(date);
    const field = at(`exceptions.${index}.periods`);
    assertApart(stretchesOf(periods, field), field);
  }
}

function stretchesOf(periods: readonly Period[], field: string): MinutePeriod[] {
  return periods.map((period, index) => {
    const at = `${field}.${index}`;
    return stretchOf(period, { opens: `${at}.opens`, closes: `${at}.closes` });
  });
}

/** Throws `VENUE-N-006` where two times cannot be the ends of a stretch; `fields` are what they are called. */
export function stretchOf(period: Period, fields: Period): MinutePeriod {
  const { opens, closes } = period;
  if (!CLOCK_TIME.test(opens)) throw unusable(fields.opens, 'must be a time such as 19:30');
  if (closes !== END_OF_DAY && !CLOCK_TIME.test(closes))
    throw unusable(fields.closes, 'must be a time such as 19:30, or 24:00');
  if (opens === closes)
    throw unusable(fields.closes, 'must not be the time it begins at; a whole day is 00:00 to 24:00');
  return minutesOf(period);
}

function assertApart(stretches: readonly MinutePeriod[], field: string): void {
  const ordered = stretches.toSorted((a, b) => a.opens - b.opens);
  for (const [index, { opens }] of ordered.entries()) {
    const before = ordered[index - 1];
    if (before && opens < before.closes) throw unusable(field, 'must not overlap on one day');
  }
}

export function unusable(field: string, message: string): Problem {
  return problem('VENUE-N-006', { detail: `${field} ${message}.`, errors: { [field]: [message] } });
}
