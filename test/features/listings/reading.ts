/** Calendar rules read as `docs/listings.md` says, with nothing else at hand. */
import type { CalendarRule } from '../../../src/features/listings/schema.ts';

const DAY = 1440;
const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const weekdayOf = (date: string) => Temporal.PlainDate.from(date).dayOfWeek;
const dayBefore = (date: string) => Temporal.PlainDate.from(date).subtract({ days: 1 }).toString();

function holdsOn({ weekdays, startDate, endDate }: CalendarRule, date: string): boolean {
  return (
    (weekdays === null || weekdays.includes(weekdayOf(date))) &&
    (startDate === null || startDate <= date) &&
    (endDate === null || date <= endDate)
  );
}

/** Whether a minute, counted from the midnight at which the rule's day began, lies in its times. */
function holdsAt({ startTime, endTime }: CalendarRule, minute: number): boolean {
  if (startTime === null || endTime === null) return true;
  const [start, end] = [minuteOf(startTime), minuteOf(endTime)];
  return start <= minute && minute < (end > start ? end : end + DAY);
}

function blacksOut(rule: CalendarRule, date: string, minute: number): boolean {
  if (rule.startTime === null) return holdsOn(rule, date);
  const isOnItsDay = holdsAt(rule, minute) || holdsAt(rule, minute - DAY);
  return (
    (isOnItsDay && holdsOn(rule, date)) || (holdsAt(rule, minute + DAY) && holdsOn(rule, dayBefore(date)))
  );
}

/** Whether a minute of a trading day can be had of a bookable; null: of the listing as a whole. */
export function isOpen(
  rules: readonly CalendarRule[],
  compositeId: string | null,
  date: string,
  minute: number,
): boolean {
  const about = rules.filter((rule) => rule.compositeId === null || rule.compositeId === compositeId);
  const [blackouts, hours] = [
    about.filter(({ kind }) => kind === 'blackout'),
    about.filter(({ kind }) => kind !== 'blackout'),
  ];
  if (blackouts.some((rule) => blacksOut(rule, date, minute))) return false;
  const own = hours.filter((rule) => rule.compositeId !== null);
  const ofDay = (own.length > 0 ? own : hours).filter((rule) => holdsOn(rule, date));
  const ofDate = ofDay.filter(({ startDate }) => startDate !== null);
  return (ofDate.length > 0 ? ofDate : ofDay).some((rule) => holdsAt(rule, minute));
}

/** Whether it can be had at any time of a trading day. */
export function trades(rules: readonly CalendarRule[], compositeId: string | null, date: string): boolean {
  return QUARTERS.some((minute) => isOpen(rules, compositeId, date, minute));
}

export const QUARTERS = Array.from({ length: (2 * DAY) / 15 }, (_, index) => index * 15);
