/**
 * Expressions of rules, turned into functions when a rule is loaded. They are JsonLogic without its conversions: where
 * a fact is missing or of the wrong type for its operator there is no value at all, and the rule is skipped. Where
 * there is a value, it is the one that JsonLogic gives.
 */
import { memoize } from '../../../http/format/memoize.ts';
import { functionOf, newWriter } from './code.ts';
import { faultsIn } from './limits.ts';
import { ITERATE, type Meter, takeSteps, writeValue } from './operators.ts';
import { isPlain, LIMITS } from './shape.ts';
import {
  areOfOneType,
  haveOrder,
  isIn,
  isLiteral,
  isMissing,
  isText,
  isTruthy,
  isValue,
  lengthOf,
  SKIP,
  type Value,
} from './value.ts';

export { isTruthy, SKIP };

export type Compiled = (facts: object) => Value | typeof SKIP;

/** Never throws. What `faultsIn` finds something wrong with becomes a function that always skips. */
export function compile(expression: unknown): Compiled {
  return compileMetered(expression).evaluate;
}

/** Whether it has a value that counts as true. */
export function compileTest(expression: unknown): (facts: object) => boolean {
  const evaluate = compile(expression);
  return (facts) => {
    const value = evaluate(facts);
    return value !== SKIP && isTruthy(value);
  };
}

/** A function and its meter, which shows what iterations have left of their steps in the last evaluation. */
export function compileMetered(expression: unknown): { evaluate: Compiled; meter: Meter } {
  const meter: Meter = { left: LIMITS.steps };
  if (faultsIn(expression, () => true).length > 0) return { evaluate: () => SKIP, meter };
  const writer = newWriter();
  const code = functionOf(writer, writeValue(writer, expression));
  const given = writer.given.map((_, index) => `given${index}`);
  const make = makerOf(`const [${given.join(', ')}] = given;\nreturn ${code};`);
  return { evaluate: make(meter, writer.given, ...Object.values(RUNTIME)), meter };
}

/** Rules that differ in nothing but their literals share their code: it is made once, and soon known to V8. */
const MAKERS_BYTES = 4 * 1024 ** 2;
const makerOf = memoize(
  MAKERS_BYTES,
  (source) => new Function('meter', 'given', ...Object.keys(RUNTIME), source),
);

/** What the code may call. */
const RUNTIME = {
  NOTHING: {},
  STEPS: LIMITS.steps,
  SKIP,
  areOfOneType,
  haveOrder,
  isIn,
  isLiteral,
  isMissing,
  isPlain,
  isText,
  isTruthy,
  isValue,
  iterate: ITERATE,
  lengthOf,
  takeSteps,
};
