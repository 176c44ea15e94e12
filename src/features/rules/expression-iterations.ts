/**
 * Operators that do something with each element of a list. Their bodies see the element and nothing else.
 *
 * An expression by itself is small; only iterations can make much of it, because they stand within each other. So they
 * are metered: each element costs as many steps as the body has nodes, and inside of a body searching a list or a text
 * costs its length, unless it is a list of literals: what is in there is known beforehand.
 */
import { type Iteration, LIMITS } from './expression-shape.ts';
import { isList, isTruthy, type Outcome, SKIP, type Value } from './expression-value.ts';

export interface Meter {
  left: number;
}

/** False when there are not enough left, and then none are taken. */
export function takeSteps(meter: Meter, steps: number): boolean {
  if (steps > meter.left) return false;
  meter.left -= steps;
  return true;
}

export interface Body {
  evaluate(element: unknown): Outcome;
  nodes: number;
  meter: Meter;
}

function evaluate(body: Body, element: unknown): Outcome {
  return takeSteps(body.meter, body.nodes) ? body.evaluate(element) : SKIP;
}

const isShort = (value: unknown): value is readonly Value[] =>
  isList(value) && value.length <= LIMITS.listLength;

export const ITERATE: Record<Iteration, (list: unknown, body: Body, initial: Value) => Outcome> = {
  map(list, body) {
    if (!isShort(list)) return SKIP;
    const results: Value[] = [];
    for (const element of list) {
      const result = evaluate(body, element);
      if (result === SKIP) return SKIP;
      results.push(result);
    }
    return results;
  },
  filter(list, body) {
    if (!isShort(list)) return SKIP;
    const kept: Value[] = [];
    for (const element of list) {
      const result = evaluate(body, element);
      if (result === SKIP) return SKIP;
      if (isTruthy(result)) kept.push(element);
    }
    return kept;
  },
  reduce(list, body, initial) {
    if (!isShort(list)) return SKIP;
    let accumulator: Outcome = initial;
    for (const current of list) {
      accumulator = evaluate(body, { current, accumulator });
      if (accumulator === SKIP) return SKIP;
    }
    return accumulator;
  },
  some: (list, body) => decide(list, body, true, true, false),
  none: (list, body) => decide(list, body, true, false, true),
  all: (list, body) => decide(list, body, false, false, isList(list) && list.length > 0),
};

/** The first element for which the body is as wanted decides, and the rest is not looked at. */
function decide(list: unknown, body: Body, wanted: boolean, found: boolean, otherwise: boolean): Outcome {
  if (!isShort(list)) return SKIP;
  for (const element of list) {
    const result = evaluate(body, element);
    if (result === SKIP) return SKIP;
    if (isTruthy(result) === wanted) return found;
  }
  return otherwise;
}
