/** The names of facts, such as `booking.guests` or `payment.bands.0`. */
import { isPlain, LIMITS } from './expression-shape.ts';

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
  // These are found on every object although nobody has put them there.
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
