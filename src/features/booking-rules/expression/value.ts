/** What expressions give: a value as JSON has them, or nothing because something that they need is not there. */
import { isPlain, LIMITS, type Scalar } from './shape.ts';

export const SKIP: unique symbol = Symbol('skip');

export type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value };
export type ExpressionResult = Value | typeof SKIP;

/** As JsonLogic has it: an empty list is false, an object is true. */
export function isTruthy(value: Value): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

const isNumber = (found: unknown): found is number => Number.isFinite(found);

/** Texts beyond the limit are left alone, because comparing and searching takes as long as they are. */
export const isText = (found: unknown): found is string =>
  typeof found === 'string' && found.length <= LIMITS.textLength;

/** `Array.isArray` forgets that a list was readonly and what it held. */
export const isList = (value: unknown): value is readonly Value[] => Array.isArray(value);

/** Whether anything can be done with what was found. Lists and objects are not looked into. */
export function isValue(found: unknown): found is Value {
  return isLiteral(found) || isList(found) || isPlain(found);
}

export function isLiteral(found: unknown): found is Scalar {
  return typeof found === 'number' ? isNumber(found) : typeof found === 'boolean' || isText(found);
}

/** Two numbers or two texts. */
export function haveOrder(a: unknown, b: unknown): boolean {
  return typeof a === 'number' ? isNumber(a) && isNumber(b) : isText(a) && isText(b);
}

export function areOfOneType(a: unknown, b: unknown): boolean {
  return typeof a === typeof b && isLiteral(a) && isLiteral(b);
}

/** An empty text counts as missing, as it does in JsonLogic. */
export const isMissing = (found: unknown): boolean => found === '' || !isValue(found);

/** Whether a text is part of another, or a literal one of a list. */
export function isIn(needle: unknown, haystack: unknown): ExpressionResult {
  if (!isLiteral(needle)) return SKIP;
  if (isList(haystack)) return haystack.length <= LIMITS.listLength ? haystack.includes(needle) : SKIP;
  if (!isText(needle) || !isText(haystack)) return SKIP;
  // JsonLogic finds nothing in an empty text, not even the empty text.
  return haystack !== '' && haystack.includes(needle);
}

/** How long it takes to search something. */
export const lengthOf = (haystack: unknown): number =>
  typeof haystack === 'string' || isList(haystack) ? haystack.length : 0;
