/** Facts as an explanation speaks of them: what they are, and what would follow if one of them were otherwise. */
import {
  addDays,
  clockTime,
  daysBetween,
  localOf,
  MS_PER_DAY,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  minuteOfDay,
  weekdayOf,
} from '../../../kernel/zone-time.ts';
import { daysAheadOf } from '../engine/conditions.ts';
import type { RuleContext } from '../engine/effects.ts';
import type { Facts } from '../engine/facts.ts';
import { ownRuleContext } from '../engine/ruling.ts';
import { readerOf } from '../expression/shape.ts';
import { pounds } from '../summary/words.ts';

/** Hours from now to the start: the only thing that rules look at and expressions cannot name. */
export const NOTICE = 'noticeHours';

export type FactValue = string | number | boolean | (string | number)[];

/** Null: it is not known. */
export function currentOf(ruleContext: RuleContext, fact: string): FactValue | null {
  if (fact === NOTICE) return noticeOf(ruleContext);
  return (readerOf(fact)(ruleContext.facts) as FactValue | undefined) ?? null;
}

/** Rounded down, so that it never seems to reach a number of hours that it does not. */
function noticeOf({ startsMs, nowMs }: RuleContext): number {
  const hours = (Math.min(...startsMs) - nowMs) / MS_PER_HOUR;
  return Math.floor(hours * 100) / 100;
}

/** `booking.guests is 2`. */
export const stateOf = (ruleContext: RuleContext, fact: string) =>
  `${fact} is ${wordsFor(fact, currentOf(ruleContext, fact))}`;

function wordsFor(fact: string, value: FactValue | null): string {
  if (value === null) return 'not known';
  if (typeof value === 'object') return value.length > 0 ? value.join(', ') : 'empty';
  return fact === 'booking.depositAmount' ? pounds(Number(value)) : String(value);
}

/** The same with another value of one fact, and of those that go with it. */
export function suppose(ruleContext: RuleContext, fact: string, value: FactValue): RuleContext {
  const supposed = ownRuleContext(ruleContext);
  const { booking, daysAhead } = supposed.facts;
  switch (fact) {
    case 'booking.guests':
      booking.children = Math.min(booking.children, Number(value) - 1);
      return withParty(supposed, Number(value) - booking.children);
    case 'booking.children':
      booking.children = Number(value);
      return withParty(supposed, booking.partySize);
    case 'booking.partySize':
      return withParty(supposed, Number(value));
    case 'daysAhead':
      return daysLater(supposed, Number(value) - daysAhead);
    case 'booking.weekday':
      return daysLater(supposed, (Number(value) - booking.weekday + 7) % 7);
    case 'booking.date':
      return daysLater(supposed, daysBetween(booking.date, String(value)));
    case 'booking.time':
      return startingAt(supposed, String(value));
    case NOTICE:
      return startingIn(supposed, Number(value));
    default:
      return withFact(supposed, fact, value);
  }
}

function withParty(ruleContext: RuleContext, adults: number): RuleContext {
  const { booking } = ruleContext.facts;
  booking.partySize = adults;
  booking.guests = adults + booking.children;
  return ruleContext;
}

function daysLater(ruleContext: RuleContext, days: number): RuleContext {
  const { booking } = ruleContext.facts;
  booking.date = addDays(booking.date, days);
  booking.weekday = weekdayOf(booking.date);
  ruleContext.facts.daysAhead += days;
  return startingLater(ruleContext, days * MS_PER_DAY);
}

function startingAt(ruleContext: RuleContext, time: string): RuleContext {
  const { booking } = ruleContext.facts;
  const minutes = minuteOfDay(time) - minuteOfDay(booking.time);
  booking.time = time;
  return startingLater(ruleContext, minutes * MS_PER_MINUTE);
}

const startingLater = (ruleContext: RuleContext, ms: number): RuleContext => ({
  ...ruleContext,
  startsMs: ruleContext.startsMs.map((startMs) => startMs + ms),
});

function startingIn(ruleContext: RuleContext, hours: number): RuleContext {
  const { facts, nowMs } = ruleContext;
  const startMs = nowMs + hours * MS_PER_HOUR;
  const { date, minute } = localOf(facts.venue.timeZone, startMs);
  Object.assign(facts.booking, { date, weekday: weekdayOf(date), time: clockTime(minute) });
  facts.daysAhead = daysAheadOf(date, nowMs);
  return { ...ruleContext, startsMs: [startMs] };
}

function withFact(ruleContext: RuleContext, fact: string, value: FactValue): RuleContext {
  const [group = '', name = ''] = fact.split('.');
  const { facts } = ruleContext;
  const holder = { ...(facts[group as keyof Facts] as object), [name]: value };
  return { ...ruleContext, facts: { ...facts, [group]: holder } };
}
