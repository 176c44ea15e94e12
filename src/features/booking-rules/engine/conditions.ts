import { daysBetween, localOf } from '../../../kernel/zone-time.ts';
import type { Facts } from './facts.ts';
import type { Condition } from './rule.ts';

/** Whether a condition holds. What is not known of the booking meets none. */
export type Test = (facts: Facts) => boolean;

type Known = string | number | undefined;

const READERS: Record<Condition['field'], (facts: Facts) => Known> = {
  partySize: ({ booking }) => booking.guests,
  daysAhead: ({ daysAhead }) => daysAhead,
  weekday: ({ booking }) => booking.weekday,
  time: ({ booking }) => booking.time,
  duration: ({ booking }) => booking.duration,
  category: ({ product }) => product.category,
};

/** The fact that a condition is about, by its name. */
export const FACT_OF_FIELD: Record<Condition['field'], string> = {
  partySize: 'booking.guests',
  daysAhead: 'daysAhead',
  weekday: 'booking.weekday',
  time: 'booking.time',
  duration: 'booking.duration',
  category: 'product.category',
};

export function compileCondition({ field, operator, value }: Condition): Test {
  const read = READERS[field];
  const holds = comparison(operator, value);
  return (facts) => {
    const known = read(facts);
    return known !== undefined && holds(known);
  };
}

/** Stored conditions compare like with like; their values have been checked. */
function comparison(
  operator: Condition['operator'],
  value: Condition['value'],
): (known: string | number) => boolean {
  if (operator === 'in') {
    const listed = new Set(value as (string | number)[]);
    return (known) => listed.has(known);
  }
  if (operator === 'between') return within(value as [string | number, string | number]);
  const bound = value as string | number;
  switch (operator) {
    case 'eq':
      return (known) => known === bound;
    case 'ne':
      return (known) => known !== bound;
    case 'lt':
      return (known) => known < bound;
    case 'lte':
      return (known) => known <= bound;
    case 'gt':
      return (known) => known > bound;
    case 'gte':
      return (known) => known >= bound;
  }
}

/** Only times go from late to early, over midnight. */
function within([from, to]: [string | number, string | number]): (known: string | number) => boolean {
  return from <= to ? (known) => from <= known && known <= to : (known) => from <= known || known <= to;
}

/** Where rules count days from, wherever the venue is. */
const COUNTED_IN = 'Europe/London';

/** Whole calendar days from today to a date. */
export function daysAheadOf(date: string, nowMs: number): number {
  return daysBetween(localOf(COUNTED_IN, nowMs).date, date);
}
