/**
 * JsonLogic as a partner's developer would write it from the interface: a fact that is missing, or of a type that an
 * operator has no use for, makes the whole rule skipped. `undefined` is that third outcome, and whatever is worked out
 * from it is `undefined` too. What JsonLogic does not look at, behind a false `and` or a true `or`, cannot skip.
 */
export type Value = null | boolean | number | string | Value[];
export type Expression = unknown;
type Outcome = Value | undefined;
type Operator = (parts: Expression[], look: Look) => Outcome;

/** What a `var` of this name finds. */
export type Look = (name: string) => Outcome;

export function evaluate(expression: Expression, look: Look): Outcome {
  if (Array.isArray(expression)) return known(expression.map((each) => evaluate(each, look)));
  if (typeof expression !== 'object' || expression === null) return expression as Value;
  const [[name, given] = ['', []]] = Object.entries(expression);
  const operator = operators[name];
  if (!operator) throw new Error(`The interface has no operator ${name}.`);
  return operator(Array.isArray(given) ? given : [given], look);
}

/** An empty list, an empty text, zero and null are false. */
export const isTruthy = (value: Value) => (Array.isArray(value) ? value.length > 0 : Boolean(value));

const known = (values: Outcome[]): Value[] | undefined =>
  values.every((value) => value !== undefined) ? (values as Value[]) : undefined;

const isNumber = (value: Outcome) => typeof value === 'number';
const isText = (value: Outcome) => typeof value === 'string';
const isScalar = (value: Value) => value === null || typeof value !== 'object';

const onValues =
  (compute: (...values: Value[]) => Outcome): Operator =>
  (parts, look) => {
    const values = known(parts.map((part) => evaluate(part, look)));
    return values && compute(...values);
  };

const onNumbers = (compute: (...numbers: number[]) => number): Operator =>
  onValues((...values) => {
    if (!values.every(isNumber)) return undefined;
    const result = compute(...(values as number[]));
    return Number.isFinite(result) ? result : undefined;
  });

/** Numbers are compared with numbers and texts with texts, two of them or three. */
const inOrder = (holds: (one: Value, other: Value) => boolean): Operator =>
  onValues((...values) => {
    if (!values.every(isNumber) && !values.every(isText)) return undefined;
    return values.slice(1).every((value, index) => holds(values[index] as Value, value));
  });

/** Loosely, what is of another type is not different: it cannot be compared. Strictly, it is. */
const equality = (isSame: boolean, isStrict: boolean): Operator =>
  onValues((one = null, other = null) => {
    if (!isScalar(one) || !isScalar(other)) return undefined;
    if (typeof one !== typeof other && !isStrict) return undefined;
    return (one === other) === isSame;
  });

const until =
  (isEnough: (value: Value) => boolean): Operator =>
  (parts, look) => {
    let last: Outcome = null;
    for (const part of parts) {
      last = evaluate(part, look);
      if (last === undefined || isEnough(last)) return last;
    }
    return last;
  };

/** Where no branch is taken there is nothing to go on with. */
const choose: Operator = ([condition, then, ...rest], look) => {
  const holds = evaluate(condition, look);
  if (holds === undefined || then === undefined) return holds;
  if (isTruthy(holds)) return evaluate(then, look);
  return rest.length === 0 ? undefined : choose(rest, look);
};

const isIn = onValues((one = null, whole = null) => {
  if (typeof whole === 'string') return typeof one === 'string' ? whole.includes(one) : undefined;
  return Array.isArray(whole) && isScalar(one) ? whole.includes(one) : undefined;
});

/** An element is all that there is to see while it is looked at. */
const ofElement =
  (element: Value): Look =>
  (name) =>
    name === '' ? element : undefined;

const onEach =
  (conclude: (list: Value[], results: Value[]) => Value): Operator =>
  ([of, body], look) => {
    const list = evaluate(of, look);
    if (!Array.isArray(list)) return undefined;
    const results = known(list.map((element) => evaluate(body, ofElement(element))));
    return results && conclude(list, results);
  };

/** Looks at one element after the other until it is clear; what comes behind is not looked at. */
const quantifier =
  (isDecisive: (value: Value) => boolean, decided: boolean, ofNothing = !decided): Operator =>
  ([of, body], look) => {
    const list = evaluate(of, look);
    if (!Array.isArray(list)) return undefined;
    for (const element of list) {
      const result = evaluate(body, ofElement(element));
      if (result === undefined) return undefined;
      if (isDecisive(result)) return decided;
    }
    return list.length > 0 ? !decided : ofNothing;
  };

const reduce: Operator = ([of, body, initial = null], look) => {
  const list = evaluate(of, look);
  const start = evaluate(initial, look);
  if (!Array.isArray(list)) return undefined;
  return list.reduce<Outcome>((accumulator, current) => {
    const seen: Record<string, Outcome> = { accumulator, current };
    return accumulator === undefined ? undefined : evaluate(body, (name) => seen[name]);
  }, start);
};

const operators: Record<string, Operator> = {
  var: ([name, otherwise], look) => {
    const found = look(String(name));
    return found === undefined && otherwise !== undefined ? evaluate(otherwise, look) : found;
  },
  missing: (names, look) => (names.flat() as string[]).filter((name) => look(name) === undefined),
  and: until((value) => !isTruthy(value)),
  or: until(isTruthy),
  '!': onValues((value = null) => !isTruthy(value)),
  '!!': onValues((value = null) => isTruthy(value)),
  if: choose,
  '==': equality(true, false),
  '===': equality(true, true),
  '!=': equality(false, false),
  '!==': equality(false, true),
  '<': inOrder((one, other) => (one ?? 0) < (other ?? 0)),
  '<=': inOrder((one, other) => (one ?? 0) <= (other ?? 0)),
  '>': inOrder((one, other) => (one ?? 0) > (other ?? 0)),
  '>=': inOrder((one, other) => (one ?? 0) >= (other ?? 0)),
  in: isIn,
  '+': onNumbers((...numbers) => numbers.reduce((sum, each) => sum + each, 0)),
  '-': onNumbers((one = 0, other) => (other === undefined ? -one : one - other)),
  '*': onNumbers((...numbers) => numbers.reduce((product, each) => product * each, 1)),
  '/': onNumbers((one = 0, other = 0) => one / other),
  '%': onNumbers((one = 0, other = 0) => one % other),
  min: onNumbers(Math.min),
  max: onNumbers(Math.max),
  map: onEach((_, results) => results),
  filter: onEach((list, results) => list.filter((_element, index) => isTruthy(results[index] ?? null))),
  some: quantifier(isTruthy, true),
  // JsonLogic says of an empty list that not all of it is so.
  all: quantifier((value) => !isTruthy(value), false, false),
  none: quantifier(isTruthy, false),
  reduce,
};
