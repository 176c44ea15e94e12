/**
 * Expressions, interpreted slowly and in plain words: the reference that the compiled ones are compared with. A part
 * that has no value throws.
 */
import { LIMITS } from '../../../../src/features/booking-rules/expression/limits.ts';

export class Skipped extends Error {}

const skip = (): never => {
  throw new Skipped();
};

type Json = string | number | boolean | Json[] | { [name: string]: Json };

interface Run {
  steps: number;
  isInBody: boolean;
}

export function interpret(expression: unknown, facts: unknown): { value: unknown; steps: number } {
  const run = { steps: 0, isInBody: false };
  return { value: value(expression, facts, run), steps: run.steps };
}

function spend(run: Run, steps: number): void {
  run.steps += steps;
  if (run.steps > LIMITS.steps) skip();
}

function nodesIn(part: unknown): number {
  if (Array.isArray(part)) {
    return part.some((one) => typeof one === 'object') ? 1 + part.map(nodesIn).reduce((a, b) => a + b, 0) : 1;
  }
  if (typeof part !== 'object' || part === null) return 1;
  const [operator, operands] = operatorOf(part);
  return 1 + (operator === 'var' ? operands.slice(1) : operands).map(nodesIn).reduce((a, b) => a + b, 0);
}

function operatorOf(part: object): [string, unknown[]] {
  const [operator, given] = Object.entries(part)[0] ?? ['', []];
  return [operator, Array.isArray(given) ? given : [given]];
}

/** Undefined for what is not there and for what is nothing that JSON has. */
function lookUp(name: unknown, scope: unknown): Json | undefined {
  let here = scope;
  for (const part of name === '' ? [] : String(name).split('.')) {
    if (Array.isArray(here)) here = /^\d+$/.test(part) ? here[Number(part)] : undefined;
    else if (isRecord(here)) here = Object.hasOwn(here, part) ? Reflect.get(here, part) : undefined;
    else here = undefined;
  }
  const isFine =
    typeof here === 'boolean' ||
    (typeof here === 'number' && here - here === 0) ||
    (typeof here === 'string' && here.length <= LIMITS.textLength) ||
    Array.isArray(here) ||
    isRecord(here);
  return isFine ? (here as Json) : undefined;
}

function isRecord(thing: unknown): thing is object {
  return (
    typeof thing === 'object' &&
    thing !== null &&
    [null, Object.prototype].includes(Object.getPrototypeOf(thing))
  );
}

const truth = (one: unknown) =>
  !(one === '' || one === 0 || one === false || (Array.isArray(one) && one.length === 0));

function value(part: unknown, scope: unknown, run: Run): Json {
  if (Array.isArray(part)) return part.map((one) => value(one, scope, run));
  if (typeof part !== 'object' || part === null) return part as Json;
  const [operator, operands] = operatorOf(part);
  const at = (index: number) => value(operands[index], scope, run);
  switch (operator) {
    case 'var':
      return lookUp(operands[0], scope) ?? (operands.length > 1 ? at(1) : skip());
    case 'missing':
      return operands.map(String).filter((name) => ['', undefined].includes(lookUp(name, scope) as string));
    case 'and':
    case 'or':
      return firstThat(operands, (one) => truth(one) === (operator === 'or'), scope, run);
    case 'if':
      return branch(operands, scope, run);
    case 'in':
      return search(at(0), at(1), run.isInBody && !isListOfLiterals(operands[1]) ? run : undefined);
  }
  if (['map', 'filter', 'some', 'all', 'none', 'reduce'].includes(operator))
    return iterate(operator, operands, scope, run);
  return calculate(
    operator,
    operands.map((_, index) => at(index)),
  );
}

function firstThat(parts: unknown[], isWanted: (one: Json) => boolean, scope: unknown, run: Run): Json {
  const first = value(parts[0], scope, run);
  return parts.length === 1 || isWanted(first) ? first : firstThat(parts.slice(1), isWanted, scope, run);
}

function branch(parts: unknown[], scope: unknown, run: Run): Json {
  if (parts.length === 0) return skip();
  const first = value(parts[0], scope, run);
  if (parts.length === 1) return first;
  return truth(first) ? value(parts[1], scope, run) : branch(parts.slice(2), scope, run);
}

function iterate(operator: string, [list, body, initial]: unknown[], scope: unknown, run: Run): Json {
  const elements = value(list, scope, run);
  const begin = operator === 'reduce' ? value(initial, scope, run) : false;
  if (!Array.isArray(elements) || elements.length > LIMITS.listLength) return skip();
  const apply = (element: unknown) => {
    spend(run, nodesIn(body));
    const before = run.isInBody;
    run.isInBody = true;
    const result = value(body, element, run);
    run.isInBody = before;
    return result;
  };
  // Holes of a list are elements too.
  const all = [...elements];
  switch (operator) {
    case 'map':
      return all.map(apply);
    case 'filter':
      return all.filter((one) => truth(apply(one)));
    case 'some':
      return all.some((one) => truth(apply(one)));
    case 'none':
      return !all.some((one) => truth(apply(one)));
    case 'all':
      return all.length > 0 && all.every((one) => truth(apply(one)));
    default:
      return all.reduce<Json>((accumulator, current) => apply({ current, accumulator }), begin);
  }
}

function calculate(operator: string, given: Json[]): Json {
  const types = new Set(given.map((one) => (Array.isArray(one) ? 'list' : typeof one)));
  const areNumbers = types.size === 1 && types.has('number');
  const areTexts = types.size === 1 && types.has('string');
  const areScalars = !types.has('list') && !types.has('object');
  const [a, b] = given as [number, number];
  const sorted = (holds: (left: number, right: number) => boolean) =>
    areNumbers || areTexts
      ? given.every((one, index) => index === 0 || holds(given[index - 1] as number, one as number))
      : skip();
  const finite = (work: () => number) => {
    const result = areNumbers ? work() : skip();
    return Number.isFinite(result) ? result : skip();
  };
  switch (operator) {
    case '!':
      return !truth(given[0]);
    case '!!':
      return truth(given[0]);
    case '==':
      return areScalars && types.size === 1 ? a === b : skip();
    case '!=':
      return areScalars && types.size === 1 ? a !== b : skip();
    case '===':
      return areScalars ? a === b : skip();
    case '!==':
      return areScalars ? a !== b : skip();
    case '<':
      return sorted((left, right) => left < right);
    case '<=':
      return sorted((left, right) => left <= right);
    case '>':
      return sorted((left, right) => left > right);
    case '>=':
      return sorted((left, right) => left >= right);
    case '+':
      return finite(() => given.reduce<number>((sum, one) => sum + (one as number), 0));
    case '*':
      return finite(() => given.reduce<number>((product, one) => product * (one as number), 1));
    case '-':
      return finite(() => (given.length === 1 ? -a : a - b));
    case '/':
      return finite(() => a / b);
    case '%':
      return finite(() => a % b);
    case 'min':
      return finite(() => Math.min(...(given as number[])));
    case 'max':
      return finite(() => Math.max(...(given as number[])));
    default:
      throw new Error(`The reference does not know ${operator}.`);
  }
}

/** What such a list holds is known before there are facts, so nobody has to go through it. */
const isListOfLiterals = (part: unknown) =>
  Array.isArray(part) && part.every((one) => typeof one !== 'object');

function search(needle: Json, haystack: Json, metered: Run | undefined): boolean {
  if (typeof needle === 'object') return skip();
  if (Array.isArray(haystack)) {
    if (haystack.length > LIMITS.listLength) return skip();
    if (metered) spend(metered, haystack.length);
    return haystack.some((one) => one === needle);
  }
  if (typeof haystack !== 'string' || typeof needle !== 'string') return skip();
  if (metered) spend(metered, haystack.length);
  return haystack.length > 0 && haystack.split(needle).length > 1 - Number(needle === '');
}
