/** What expressions are made of: the operators that there are, and how large things may be. */

export const LIMITS = {
  depth: 8,
  nodes: 64,
  listLength: 200,
  steps: 5_000,
  textLength: 256,
  /** Far more than an expression within the other limits needs, unless its texts are very long. */
  jsonLength: 20_000,
} as const;

const exactly = (count: number) => ({ least: count, most: count });
const atLeast = (count: number) => ({ least: count, most: Number.POSITIVE_INFINITY });
const twoOrThree = { least: 2, most: 3 };

const OPERATORS = {
  var: { least: 1, most: 2 },
  '==': exactly(2),
  '!=': exactly(2),
  '===': exactly(2),
  '!==': exactly(2),
  '<': twoOrThree,
  '<=': twoOrThree,
  '>': twoOrThree,
  '>=': twoOrThree,
  '!': exactly(1),
  '!!': exactly(1),
  and: atLeast(1),
  or: atLeast(1),
  if: atLeast(1),
  in: exactly(2),
  '+': atLeast(1),
  '-': { least: 1, most: 2 },
  '*': atLeast(1),
  '/': exactly(2),
  '%': exactly(2),
  min: atLeast(1),
  max: atLeast(1),
  map: exactly(2),
  filter: exactly(2),
  reduce: exactly(3),
  some: exactly(2),
  all: exactly(2),
  none: exactly(2),
  missing: atLeast(0),
} as const;

export type Operator = keyof typeof OPERATORS;

/** How many operands each operator takes. */
export const OPERANDS: ReadonlyMap<string, { least: number; most: number }> = new Map(
  Object.entries(OPERATORS),
);

export const isOperator = (name: string): name is Operator => OPERANDS.has(name);

const ITERATIONS = ['map', 'filter', 'reduce', 'some', 'all', 'none'] as const;
export type Iteration = (typeof ITERATIONS)[number];

export const isIteration = (operator: string): operator is Iteration =>
  ITERATIONS.some((iteration) => iteration === operator);

export type Scalar = string | number | boolean;

export function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** An object as JSON makes them. What it does not have itself it has from nowhere that a name could reach. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  // Asking for the prototype is slow, and nearly every object says with this what it is.
  return value.constructor === Object || isWithoutAncestors(value);
}

function isWithoutAncestors(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** What names mean in a place: facts, the element of a list, or the two names that there are inside `reduce`. */
export type Scope = 'facts' | 'element' | 'reduction';

const INDEX = /^(0|[1-9]\d{0,5})$/;

export const isIndex = (part: string): boolean => INDEX.test(part);

/** None for the empty name, which is the whole of the scope. */
export const partsOf = (name: unknown): string[] => (name === '' ? [] : String(name).split('.'));

/** What makes something unfit to be a name anywhere. */
export function nameFault(name: unknown): string | undefined {
  if (typeof name === 'number' ? !isIndex(String(name)) : typeof name !== 'string') {
    return '"var" takes a name, which is a text or a whole number that is not negative';
  }
  const parts = partsOf(name);
  if (String(name).length > LIMITS.textLength || parts.length > LIMITS.depth) {
    return `a name has at most ${LIMITS.textLength} characters and ${LIMITS.depth} parts`;
  }
  if (parts.includes('')) return 'a name has no empty parts';
  // Every object inherits these names.
  const inherited = parts.find((part) => part in Object.prototype);
  return inherited === undefined ? undefined : `${JSON.stringify(inherited)} is never a fact`;
}

/** Elements of lists have names too, but nothing else that lists or texts bring along has. */
export function memberOf(holder: unknown, part: string): unknown {
  if (Array.isArray(holder)) return isIndex(part) ? holder[Number(part)] : undefined;
  return isPlain(holder) ? holder[part] : undefined;
}

/** Reads what a name without faults stands for; undefined when there is nothing. */
export function readerOf(name: string | number): (scope: unknown) => unknown {
  const parts = partsOf(name);
  return (scope) => parts.reduce(memberOf, scope);
}
