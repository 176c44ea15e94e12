/** Values that a fact could have instead, found beside what the rule compares it with. */
import { isClockTime, isDate } from '../../../kernel/rfc3339.ts';
import { addDays, clockTime, isTradingDay, MINUTES_PER_DAY, minuteOfDay } from '../../../kernel/zone-time.ts';
import type { RuleContext } from '../engine/effects.ts';
import { factsOf } from '../engine/fact-list.ts';
import { currentOf, type FactValue, NOTICE, suppose } from './facts.ts';

/** The nearest values are tried first. Lists can be long and rules many, so the number tried is limited. */
const MOST_SUGGESTED = 200;
const MOST_TRIED = 60;

/** The nearest value of the fact for which the test holds; null: none of the candidates does. */
export function nearest(
  ruleContext: RuleContext,
  fact: string,
  suggested: readonly FactValue[],
  isSo: (supposed: RuleContext) => boolean,
): FactValue | null {
  const current = currentOf(ruleContext, fact);
  const tried = [...new Set(suggested.slice(0, MOST_SUGGESTED).flatMap((value) => neighboursOf(fact, value)))]
    .filter((value) => value !== current && isPossible(fact, value))
    .map((value) => ({ value, distance: distanceOf(current, value) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MOST_TRIED);
  return tried.find(({ value }) => isSo(suppose(ruleContext, fact, value)))?.value ?? null;
}

const WEEK = [1, 2, 3, 4, 5, 6, 7];

/** A value and its neighbours, which are on the other side of a comparison. For a weekday, the whole week. */
function neighboursOf(fact: string, value: FactValue): FactValue[] {
  if (fact === 'booking.weekday') return WEEK;
  if (fact === 'daysAhead' && typeof value === 'number')
    return [value, ...WEEK.flatMap((days) => [value - days, value + days])];
  if (typeof value === 'number') return [value, value - 1, value + 1];
  if (typeof value !== 'string') return [value];
  if (isDate(value)) return [value, addDays(value, -1), addDays(value, 1)];
  return isMinute(value) ? [value, minutesAfter(value, -1), minutesAfter(value, 1)] : [value];
}

const isMinute = (text: string) => text.length === 5 && isClockTime(text);

const minutesAfter = (time: string, minutes: number) =>
  clockTime((minuteOfDay(time) + minutes + MINUTES_PER_DAY) % MINUTES_PER_DAY);

function distanceOf(current: FactValue | null, value: FactValue): number {
  if (typeof current === 'number' && typeof value === 'number') return Math.abs(current - value);
  if (typeof current !== 'string' || typeof value !== 'string') return 0;
  if (isMinute(current) && isMinute(value)) return Math.abs(minuteOfDay(current) - minuteOfDay(value));
  return isDate(current) && isDate(value) ? Math.abs(Date.parse(current) - Date.parse(value)) : 0;
}

const isWhole =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (value: FactValue) =>
    Number.isSafeInteger(value) && least <= Number(value) && Number(value) <= most;

/** A century; the calendar that we reckon with has an end. */
const MOST_DAYS = 36_500;

/** What drafts can say; for all other facts the type is enough. */
const POSSIBLE: Record<string, (value: FactValue) => boolean> = {
  'booking.guests': isWhole(1),
  'booking.partySize': isWhole(1),
  'booking.children': isWhole(0),
  'booking.weekday': isWhole(1, 7),
  'booking.duration': isWhole(1, MINUTES_PER_DAY),
  'booking.time': (value) => isMinute(String(value)),
  'booking.date': (value) => isDate(String(value)) && isTradingDay(String(value)),
  'booking.type': (value) => value === 'book' || value === 'request',
  'booking.depositAmount': (value) => typeof value === 'number' && value >= 0,
  daysAhead: isWhole(0, MOST_DAYS),
  [NOTICE]: isWhole(0),
};

const TYPES = new Map<string, string>(factsOf('booking.create').map(({ name, type }) => [name, type]));

function isPossible(fact: string, value: FactValue): boolean {
  const isFit = POSSIBLE[fact];
  if (isFit) return isFit(value);
  const type = TYPES.get(fact) ?? '';
  if (type === 'text') return typeof value === 'string';
  return type.startsWith('list') ? Array.isArray(value) : Number.isSafeInteger(value);
}
