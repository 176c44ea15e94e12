/**
 * Whether an expression can still be true when only some facts are known. Operators that decide go on with whatever
 * their operands may be; what depends on known facts alone is simply evaluated. Each mention of an unknown fact is
 * judged by itself, so the answer may be yes where two of them contradict each other, but never no where it can hold.
 */

import { compile } from '../expression/expression.ts';
import { factsIn, faultsIn } from '../expression/limits.ts';
import { isIteration, isPlain, isScalar, memberOf, partsOf } from '../expression/shape.ts';
import { type ExpressionResult, isList, isTruthy, SKIP } from '../expression/value.ts';
import type { Rule } from './rule.ts';
import type { Partner } from './scope.ts';

/** What an expression can come to; it may have no value as well, which makes no difference to the question. */
interface Prospect {
  truthy: boolean;
  falsy: boolean;
  known?: ExpressionResult | undefined;
}

const ANYTHING: Prospect = { truthy: true, falsy: true };
const SKIPPED: Prospect = { truthy: false, falsy: false, known: SKIP };

/** Of facts that are not in `known` anything may be the case, also that they are absent. */
export function canHold(expression: unknown, known: object): boolean {
  return faultsIn(expression, () => true).length === 0 && prospectOf(expression, known).truthy;
}

/** Whether a rule can do anything to the bookings of a partner: an expression can be aimed at partners too. */
export function canConcern(rule: Rule, partner: Partner): boolean {
  return rule.effect !== 'expression' || canHold(rule.when, { partner });
}

function prospectOf(part: unknown, known: object): Prospect {
  if ([...factsIn(part)].every((name) => isDecided(name, known))) return certain(compile(part)(known));
  if (Array.isArray(part)) return listProspect(prospectsOf(part, known));
  const [[operator, given] = ['', []]] = Object.entries(part ?? {});
  return operatorProspect(operator, Array.isArray(given) ? given : [given], known);
}

const prospectsOf = (parts: readonly unknown[], known: object) =>
  parts.map((part) => prospectOf(part, known));

function certain(outcome: ExpressionResult): Prospect {
  if (outcome === SKIP) return SKIPPED;
  const truthy = isTruthy(outcome);
  return { truthy, falsy: !truthy, known: outcome };
}

/** Whether what is known settles it. Of an object some members may be unknown; a list is known as a whole. */
function isDecided(name: string, known: object): boolean {
  let holder: unknown = known;
  let isInList = false;
  for (const part of partsOf(name)) {
    const found = memberOf(holder, part);
    if (found === undefined) return isInList || !isPlain(holder);
    isInList ||= Array.isArray(found);
    holder = found;
  }
  return isInList || !isPlain(holder);
}

function operatorProspect(operator: string, operands: readonly unknown[], known: object): Prospect {
  switch (operator) {
    case 'var':
      return factProspect(operands, known);
    case 'missing':
      return { truthy: true, falsy: canBeComplete(operands.map(String), known) };
    case 'and':
      return firstOf(prospectsOf(operands, known), 'falsy');
    case 'or':
      return firstOf(prospectsOf(operands, known), 'truthy');
    case 'if':
      return choiceProspect(prospectsOf(operands, known));
    case '!': {
      const { truthy, falsy } = prospectOf(operands[0], known);
      return { truthy: falsy, falsy: truthy };
    }
    case '!!':
      return { ...prospectOf(operands[0], known), known: undefined };
    default:
      return strictProspect(operator, prospectsOf(isIteration(operator) ? outer(operands) : operands, known));
  }
}

/** Without the body of an iteration, which is about elements. */
const outer = ([list, , initial]: readonly unknown[]) => (initial === undefined ? [list] : [list, initial]);

function factProspect([name, fallback]: readonly unknown[], known: object): Prospect {
  if (!isDecided(String(name), known)) return ANYTHING;
  const value = compile({ var: name })(known);
  return value === SKIP ? prospectOf(fallback, known) : certain(value);
}

/** Those that are known to be missing are missing in any case. */
function canBeComplete(names: readonly string[], known: object): boolean {
  const decided = names.filter((name) => isDecided(name, known));
  const missing = compile({ missing: decided })(known);
  return missing !== SKIP && !isTruthy(missing);
}

/** `and` ends with the first that is falsy, `or` with the first that is truthy. */
function firstOf(operands: readonly Prospect[], end: 'truthy' | 'falsy'): Prospect {
  const other = end === 'truthy' ? 'falsy' : 'truthy';
  const result = { truthy: false, falsy: false };
  for (const operand of operands) {
    result[end] ||= operand[end];
    if (!operand[other]) return result;
  }
  return { ...result, [other]: true };
}

function choiceProspect([condition, value, ...others]: readonly Prospect[]): Prospect {
  if (condition === undefined) return SKIPPED;
  if (value === undefined) return condition;
  const reachable = [
    ...(condition.truthy ? [value] : []),
    ...(condition.falsy ? [choiceProspect(others)] : []),
  ];
  return {
    truthy: reachable.some(({ truthy }) => truthy),
    falsy: reachable.some(({ falsy }) => falsy),
  };
}

const isHopeless = ({ truthy, falsy }: Prospect) => !truthy && !falsy;

/** It has at least one element, for otherwise it would be known. */
function listProspect(elements: readonly Prospect[]): Prospect {
  if (elements.some(isHopeless)) return SKIPPED;
  return { truthy: true, falsy: false };
}

/** Operators that need all their operands: none of them can be given what it never takes. */
function strictProspect(operator: string, operands: readonly Prospect[]): Prospect {
  if (operands.some(isHopeless)) return SKIPPED;
  const isFit = operands.every(({ known }, index) => known === undefined || takes(operator, index, known));
  if (!isFit) return SKIPPED;
  const [first, second] = operands;
  if (operator === 'reduce' && isEmpty(first) && second !== undefined) return second;
  if (operator === 'in' && isEmpty(second)) return { ...ANYTHING, truthy: false };
  return ANYTHING;
}

const isEmpty = (operand: Prospect | undefined) =>
  operand?.known === '' || (isList(operand?.known) && operand.known.length === 0);

/** Whether an operator can do anything with this value in this place. */
function takes(operator: string, index: number, value: ExpressionResult): boolean {
  switch (operator) {
    case '==':
    case '!=':
    case '===':
    case '!==':
      return isScalar(value);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return isScalar(value) && typeof value !== 'boolean';
    case 'in':
      return index === 0 ? isScalar(value) : isList(value) || typeof value === 'string';
    case '/':
    case '%':
      return typeof value === 'number' && !(index === 1 && value === 0);
    case '+':
    case '-':
    case '*':
    case 'min':
    case 'max':
      return typeof value === 'number';
    default:
      return index > 0 || isList(value);
  }
}
