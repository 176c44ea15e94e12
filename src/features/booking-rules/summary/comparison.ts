/** What is said of a fact that is compared with something fixed, in a condition or in an expression. */
import { FACT_OF_FIELD } from '../engine/conditions.ts';
import type { Condition } from '../engine/rule.ts';
import {
  counted,
  DAYS,
  enumerate,
  figure,
  GUESTS,
  quoted,
  type Unit,
  unit,
  WEEKDAY_NUMBERS,
  weekdayName,
} from './words.ts';

export type Comparator =
  | 'eq'
  | 'ne'
  | 'lt'
  | 'lte'
  | 'gt'
  | 'gte'
  | 'in'
  | 'notIn'
  | 'between'
  | 'notBetween';

/** A list for `in`, a pair for `between`, otherwise one. */
export interface Comparison {
  comparator: Comparator;
  values: readonly (string | number)[];
}

type Say = (comparison: Comparison) => string;

const MINUTES = unit('minute');

/** The facts with words of their own; all others are compared by `predicate`. */
const SAYINGS: Record<string, { takes: 'number' | 'string'; say: Say }> = {
  'booking.guests': { takes: 'number', say: party(GUESTS) },
  'booking.partySize': { takes: 'number', say: party(unit('adult')) },
  'booking.children': { takes: 'number', say: party(unit('child', 'children')) },
  daysAhead: { takes: 'number', say: ahead },
  'booking.duration': { takes: 'number', say: (test) => `the requested stay ${length(test)}` },
  'booking.weekday': { takes: 'number', say: weekday },
  'booking.time': { takes: 'string', say: start },
  'booking.date': { takes: 'string', say: date },
  'booking.type': { takes: 'string', say: type },
  'product.category': { takes: 'string', say: (test) => `the product ${belonging(test)}` },
  'venue.city': { takes: 'string', say: (test) => `the city of the venue ${predicate(test, quotedValue)}` },
};

/** Undefined: there are no words for this fact, or it is compared with something of another kind. */
export function sayComparison(fact: string, comparison: Comparison): string | undefined {
  const saying = Object.hasOwn(SAYINGS, fact) ? SAYINGS[fact] : undefined;
  const isLike = saying && comparison.values.every((value) => typeof value === saying.takes);
  return isLike ? saying.say(comparison) : undefined;
}

export function sayCondition({ field, operator, value }: Condition): string {
  const fact = FACT_OF_FIELD[field];
  const comparison = { comparator: operator, values: [value].flat() };
  return sayComparison(fact, comparison) ?? `${fact} ${predicate(comparison, quotedValue)}`;
}

export const quotedValue = (value: string | number) =>
  typeof value === 'string' ? quoted(value) : figure(value);

/** `is at least 5`: for whatever is compared with whatever. */
function predicate({ comparator, values }: Comparison, name: (value: string | number) => string): string {
  return predicateOf(comparator, values.map(name));
}

export function predicateOf(comparator: Comparator, names: readonly string[]): string {
  const [first = '', last = ''] = names;
  switch (comparator) {
    case 'eq':
      return `is ${first}`;
    case 'ne':
      return `is not ${first}`;
    case 'lt':
      return `is less than ${first}`;
    case 'lte':
      return `is at most ${first}`;
    case 'gt':
      return `is more than ${first}`;
    case 'gte':
      return `is at least ${first}`;
    case 'in':
      return `is ${enumerate(names, 'or')}`;
    case 'notIn':
      return `is not ${enumerate(names, 'or')}`;
    case 'between':
      return `is from ${first} to ${last}`;
    case 'notBetween':
      return `is not from ${first} to ${last}`;
  }
}

/** `8 or more guests`; the noun follows the number that is next to it. */
function quantity({ comparator, values }: Comparison, units: Unit): string {
  const [first = 0, last = 0] = values as number[];
  switch (comparator) {
    case 'lt':
      return `fewer than ${counted(first, units)}`;
    case 'lte':
      return `at most ${counted(first, units)}`;
    case 'gt':
      return `more than ${counted(first, units)}`;
    case 'gte':
      return `${figure(first)} or more ${units.many}`;
    case 'in':
    case 'notIn':
      return `${enumerate(values.map(quotedValue), 'or')} ${values.length === 1 && first === 1 ? units.one : units.many}`;
    case 'between':
    case 'notBetween':
      return first === last ? counted(first, units) : `${figure(first)} to ${counted(last, units)}`;
    case 'eq':
    case 'ne':
      return `exactly ${counted(first, units)}`;
  }
}

const isNegative = ({ comparator }: Comparison) =>
  comparator === 'ne' || comparator === 'notIn' || comparator === 'notBetween';

function party(units: Unit): Say {
  return (test) => {
    if (isNone(test)) return `the party has no ${units.many}`;
    if (isSome(test)) return `the party has at least 1 ${units.one}`;
    return `the party ${isNegative(test) ? 'does not have' : 'has'} ${quantity(test, units)}`;
  };
}

/** Numbers that are counted begin at nought. */
const isNone = ({ comparator, values: [bound] }: Comparison) =>
  (comparator === 'lt' && bound === 1) || ((comparator === 'lte' || comparator === 'eq') && bound === 0);
const isSome = ({ comparator, values: [bound] }: Comparison) =>
  (comparator === 'gte' && bound === 1) || ((comparator === 'gt' || comparator === 'ne') && bound === 0);

function ahead(test: Comparison): string {
  if (isNone(test)) return 'the booking is for the same day';
  if (isSome(test)) return 'the booking is not for the same day';
  const days = quantity(test, DAYS).replace('fewer', 'less');
  return `the booking is ${isNegative(test) ? 'not ' : ''}${days} ahead`;
}

function length(test: Comparison): string {
  const minutes = (value: string | number) => counted(Number(value), MINUTES);
  if (test.comparator === 'lt') return `is shorter than ${minutes(test.values[0] ?? 0)}`;
  if (test.comparator === 'gt') return `is longer than ${minutes(test.values[0] ?? 0)}`;
  const hasSeveral = ['in', 'notIn', 'between', 'notBetween'].includes(test.comparator);
  if (!hasSeveral) return predicate(test, minutes);
  return `is ${isNegative(test) ? 'not ' : ''}${quantity(test, MINUTES)}`;
}

/** Whatever the comparison, it comes to a few days of the week. */
function weekday({ comparator, values }: Comparison): string {
  const [first = 0, last = 0] = values as number[];
  const holds = (day: number): boolean => {
    switch (comparator) {
      case 'eq':
      case 'in':
        return values.includes(day);
      case 'ne':
      case 'notIn':
        return !values.includes(day);
      case 'lt':
        return day < first;
      case 'lte':
        return day <= first;
      case 'gt':
        return day > first;
      case 'gte':
        return day >= first;
      case 'between':
        return first <= day && day <= last;
      case 'notBetween':
        return day < first || last < day;
    }
  };
  return onDays(WEEKDAY_NUMBERS.filter(holds));
}

function onDays(days: readonly number[]): string {
  const [first = 0] = days;
  const last = days.at(-1) ?? 0;
  if (days.length === 0) return 'the day is no day of the week';
  if (days.length === 7) return 'the day is any day of the week';
  if (days.length === 6) {
    const missing = WEEKDAY_NUMBERS.find((day) => !days.includes(day)) ?? 0;
    return `the day is not a ${weekdayName(missing)}`;
  }
  const isRun = days.length > 2 && last - first === days.length - 1;
  if (isRun) return `the day is from ${weekdayName(first)} to ${weekdayName(last)}`;
  return `the day is a ${enumerate(days.map(weekdayName), 'or')}`;
}

const STARTS: Record<'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte', [before: string, after: string]> = {
  eq: ['starts at', ''],
  ne: ['does not start at', ''],
  lt: ['starts before', ''],
  lte: ['starts at', ' or earlier'],
  gt: ['starts after', ''],
  gte: ['starts at', ' or later'],
};

function start({ comparator, values }: Comparison): string {
  const [first, last] = values;
  const not = comparator === 'notIn' || comparator === 'notBetween';
  const verb = `the booking ${not ? 'does not start' : 'starts'}`;
  if (comparator === 'in' || comparator === 'notIn')
    return `${verb} at ${enumerate(values.map(String), 'or')}`;
  if (comparator === 'between' || comparator === 'notBetween') return `${verb} between ${first} and ${last}`;
  const [before, after] = STARTS[comparator];
  return `the booking ${before} ${first}${after}`;
}

function date(test: Comparison): string {
  const [first = '', last = ''] = test.values.map((value) => dateName(String(value)));
  switch (test.comparator) {
    case 'lt':
      return `the date is before ${first}`;
    case 'lte':
      return `the date is ${first} or earlier`;
    case 'gt':
      return `the date is after ${first}`;
    case 'gte':
      return `the date is ${first} or later`;
    case 'between':
      return `the date is from ${first} to ${last}`;
    default:
      return `the date ${predicate(test, (value) => dateName(String(value)))}`;
  }
}

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function dateName(text: string): string {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
  return isDate ? dates.format(Date.parse(text)) : quoted(text);
}

const TYPES: Record<string, string> = { book: 'an instant booking', request: 'an enquiry' };

function type(test: Comparison): string {
  return `the booking ${predicate(test, (value) => TYPES[value] ?? quotedValue(value))}`;
}

function belonging(test: Comparison): string {
  const not = isNegative(test) ? 'not ' : '';
  const isListed = ['eq', 'ne', 'in', 'notIn'].includes(test.comparator);
  if (!isListed) return `has a category that ${predicate(test, quotedValue)}`;
  return `is ${not}in the category ${enumerate(test.values.map(quotedValue), 'or')}`;
}
