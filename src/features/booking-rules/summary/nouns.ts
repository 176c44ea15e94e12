/** What expressions work out, in words: facts, amounts, and what becomes of lists. */

import type { FactName } from '../engine/fact-list.ts';
import { isScalar, type Scalar, type Scope } from '../expression/shape.ts';
import {
  enumerate,
  figure,
  isNamed,
  join,
  operandsOf,
  operatorOf,
  type Part,
  pounds,
  quoted,
} from './words.ts';

const FACT_NOUNS: Record<FactName, string> = {
  'booking.partySize': 'the number of adults',
  'booking.children': 'the number of children',
  'booking.guests': 'the number of guests',
  'booking.type': 'the type of the booking',
  'booking.date': 'the date',
  'booking.weekday': 'the number of the weekday',
  'booking.time': 'the starting time',
  'booking.duration': 'the requested stay',
  'booking.source': 'the source of the booking',
  'booking.depositAmount': 'the deposit taken',
  'booking.packages': 'the packages ordered',
  'booking.menus': 'the menus ordered from',
  'partner.id': 'the partner',
  'partner.categoryIds': 'the categories of the partner',
  'product.id': 'the product',
  'product.name': 'the name of the product',
  'product.slug': 'the product',
  'product.category': 'the category of the product',
  'venue.id': 'the venue',
  'venue.operatorId': 'the operator',
  'venue.name': 'the name of the venue',
  'venue.area': 'the part of the city',
  'venue.city': 'the city of the venue',
  'venue.timeZone': 'the time zone of the venue',
  'space.id': 'the space',
  'space.name': 'the name of the space',
  daysAhead: 'the number of days ahead',
  'payment.bands': 'the minimum-spend bands of the stay',
  'payment.finalBalance': 'the balance',
};

const MONEY: ReadonlySet<string> = new Set(['booking.depositAmount', 'payment.finalBalance']);
const SHORTENING = /^(min|max|if|and|or|[-+%])$/;

/** Whether it comes to pence: amounts are shown in pounds wherever they are compared or reckoned with. */
export function isMoney(part: Part, scope: Scope): boolean {
  const operands = operandsOf(part);
  const operator = operatorOf(part);
  if (operator === 'var') return isAmountName(String(operands[0]), scope);
  if (operator === 'map') return isMoney(operands[1], 'element');
  if (operator === 'reduce') return isMoney(operands[1], 'reduction') || isMoney(operands[0], scope);
  if (operator === '*') return operands.some((each) => isMoney(each, scope));
  if (operator === '/') return isMoney(operands[0], scope) && !isMoney(operands[1], scope);
  if (operator === undefined || !SHORTENING.test(operator)) return false;
  return operands.some((each) => isMoney(each, scope));
}

const isAmountName = (name: string, scope: Scope) =>
  scope === 'facts'
    ? MONEY.has(name) || /^payment\.bands\.\d+\.amount$/.test(name)
    : /(^|\.)amount$/.test(name);

export function literal(value: Scalar, inPounds: boolean): string {
  if (typeof value === 'number') return inPounds ? pounds(value) : figure(value);
  return typeof value === 'string' ? quoted(value) : String(value);
}

export function variable(name: string, scope: Scope): string {
  if (scope === 'facts') return factNoun(name);
  if (scope === 'reduction') return reductionNoun(name);
  return name === '' ? 'it' : `its ${lastOf(name)}`;
}

function factNoun(name: string): string {
  if (Object.hasOwn(FACT_NOUNS, name)) return FACT_NOUNS[name as FactName];
  const holder = Object.keys(FACT_NOUNS).find((fact) => name.startsWith(`${fact}.`));
  return holder === undefined ? quoted(name) : `an entry of ${FACT_NOUNS[holder as FactName]}`;
}

function reductionNoun(name: string): string {
  if (name === 'accumulator') return 'what there is so far';
  return name.startsWith('current.') ? `its ${lastOf(name)}` : 'it';
}

/** Entries of lists have names too. */
const ENTRY_NOUNS: Record<string, string> = { startTime: 'start', endTime: 'end' };

function lastOf(name: string): string {
  const last = name.slice(name.lastIndexOf('.') + 1);
  return Object.hasOwn(ENTRY_NOUNS, last) ? (ENTRY_NOUNS[last] ?? last) : last;
}

/** How to put a part into words; clauses and nouns hold each other. */
export interface Voice {
  noun(part: Part, scope: Scope, inPounds?: boolean): string;
  clause(part: Part, scope: Scope): string;
}

/** The value of an operator; undefined: it is something that holds or does not. */
export function nounOf(part: Part, scope: Scope, inPounds: boolean, voice: Voice): string | undefined {
  const operands = operandsOf(part);
  const [first, second, third] = operands;
  const counts = inPounds || isMoney(part, scope);
  const each = (operand: Part, asPounds = counts) => wrapped(operand, voice.noun(operand, scope, asPounds));
  switch (operatorOf(part)) {
    case 'var':
      return (
        variable(String(first), scope) + (second === undefined ? '' : ` (or ${each(second)} if unknown)`)
      );
    case '+':
      return operands.length === 1
        ? voice.noun(first, scope, counts)
        : `the sum of ${join(
            operands.map((one) => each(one)),
            'and',
          )}`;
    case '-':
      return operands.length === 1 ? `minus ${each(first)}` : `${each(first)} minus ${each(second)}`;
    case '*':
      return product(operands, scope, counts, each);
    case '/':
      return `${each(first)} divided by ${each(second, isMoney(second, scope))}`;
    case '%':
      return `what is left of ${each(first)} divided by ${each(second)}`;
    case 'min':
    case 'max':
      return extreme(
        operatorOf(part) === 'min',
        operands.map((one) => each(one)),
      );
    case 'if':
      return choice(operands, scope, counts, voice);
    case 'or':
    case 'and':
      return operands.length === 1 ? voice.noun(first, scope, counts) : undefined;
    case 'filter':
      return `those of ${each(first, false)} for which ${voice.clause(second, 'element')}`;
    case 'map':
      return mapped(first, second, scope, voice);
    case 'reduce':
      return reduced({ list: first, body: second, initial: third }, scope, voice);
    case 'missing':
      return `what is unknown of ${enumerate(
        missingNames(part).map((name) => variable(name, scope)),
        'and',
      )}`;
    default:
      return undefined;
  }
}

export const missingNames = (part: Part) =>
  operandsOf(part)
    .flat()
    .filter((name) => typeof name === 'string');

const COMPOUND = /^([-*/%]|if|filter|map|reduce)$/;

/** Nested reckonings are set apart. */
const wrapped = (part: Part, words: string) =>
  COMPOUND.test(operatorOf(part) ?? '') && operandsOf(part).length > 1 ? `(${words})` : words;

/** In an amount of money one factor is money and the others are counts: the one that is, or else the first number. */
function product(
  operands: readonly Part[],
  scope: Scope,
  counts: boolean,
  each: (operand: Part, asPounds: boolean) => string,
): string {
  const known = operands.findIndex((one) => isMoney(one, scope));
  const money = known >= 0 ? known : operands.findIndex((one) => typeof one === 'number');
  return operands.map((one, index) => each(one, counts && index === money)).join(' times ');
}

function extreme(isLeast: boolean, words: readonly string[]): string {
  if (words.length === 1) return words[0] ?? '';
  const [comparative, superlative] = isLeast ? ['smaller', 'smallest'] : ['larger', 'largest'];
  return `the ${words.length === 2 ? comparative : superlative} of ${join(words, 'and')}`;
}

function choice(operands: readonly Part[], scope: Scope, inPounds: boolean, voice: Voice): string {
  const [condition, then, ...rest] = operands;
  if (operands.length === 1) return voice.noun(condition, scope, inPounds);
  const otherwise = rest.length === 0 ? '' : `, and otherwise ${choice(rest, scope, inPounds, voice)}`;
  return `${voice.noun(then, scope, inPounds)} if ${voice.clause(condition, scope)}${otherwise}`;
}

function mapped(list: Part, body: Part, scope: Scope, voice: Voice): string {
  const words = voice.noun(list, scope);
  const name = operatorOf(body) === 'var' ? String(operandsOf(body)[0]) : undefined;
  if (name === '') return words;
  if (name !== undefined) return `the ${lastOf(name)} of each of ${words}`;
  return `${voice.noun(body, 'element')} for each of ${words}`;
}

interface Reduction {
  list: Part;
  body: Part;
  initial: Part;
}

/** Mostly lists are added up, and that is said shortly. */
function reduced({ list, body, initial }: Reduction, scope: Scope, voice: Voice): string {
  const words = voice.noun(list, scope);
  const counts = isMoney(body, 'reduction') || isMoney(list, scope);
  const added = addendOf(body);
  const start = voice.noun(initial, scope, counts);
  if (added !== undefined) {
    const name = String(operandsOf(added)[0]);
    const sum = name === 'current' ? `the sum of ${words}` : `the total ${lastOf(name)} of ${words}`;
    return initial === 0 ? sum : `${start} plus ${sum}`;
  }
  const step = voice.noun(body, 'reduction', counts);
  return `what comes of going through ${words}, beginning with ${start} and taking ${step} each time`;
}

/** Of `accumulator` plus something of the current entry, that something. */
function addendOf(body: Part): Part | undefined {
  const operands = operandsOf(body);
  if (operatorOf(body) !== '+' || operands.length !== 2) return undefined;
  if (!operands.some((one) => isNamed(one, /^accumulator$/))) return undefined;
  return operands.find((one) => isNamed(one, /^current(\.\w+)?$/));
}

export const isLiteral = (part: Part): part is Scalar => isScalar(part);
