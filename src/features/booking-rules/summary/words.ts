/** How things are said in the sentences that summaries are made of. */

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
export const WEEKDAY_NUMBERS = WEEKDAYS.map((_, index) => index + 1);
export const weekdayName = (weekday: number) => WEEKDAYS[weekday - 1] ?? String(weekday);

const MOST_LISTED = 6;

/** `a, b or c`; what is too much to read is counted. */
export function enumerate(words: readonly string[], joint: 'and' | 'or'): string {
  const distinct = [...new Set(words)];
  const shown = distinct.length > MOST_LISTED ? distinct.slice(0, MOST_LISTED - 1) : distinct;
  const rest = distinct.length - shown.length;
  return join(rest > 0 ? [...shown, `${joint === 'or' ? 'one of ' : ''}${rest} more`] : shown, joint);
}

export function join(words: readonly string[], joint: 'and' | 'or'): string {
  if (words.length < 2) return words[0] ?? 'nothing';
  return `${words.slice(0, -1).join(', ')} ${joint} ${words.at(-1)}`;
}

export const quoted = (text: string) => `“${text}”`;

/** Slugs of which one is enough. */
export const anyOf = (slugs: readonly string[]) => enumerate(slugs.map(quoted), 'or');

/** What can be ordered ahead. */
export const ORDERS = { package: 'a package', menu: 'a menu', any: 'a package or a menu' } as const;

const sterling = new Intl.NumberFormat('en-GB', {
  style: 'currency',
  currency: 'GBP',
  trailingZeroDisplay: 'stripIfInteger',
});
export const pounds = (pence: number) => sterling.format(pence / 100);

const figures = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 6 });
/** Most are small and whole, and lists have hundreds of them. */
export const figure = (value: number) =>
  Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : figures.format(value);

/** What is counted, one of it and several. */
export interface Unit {
  one: string;
  many: string;
}
export const unit = (one: string, many = `${one}s`): Unit => ({ one, many });
export const GUESTS = unit('guest');
export const HOURS = unit('hour');
export const DAYS = unit('day');

export const counted = (count: number, { one, many }: Unit) => `${figure(count)} ${count === 1 ? one : many}`;

export const capitalised = (sentence: string) => sentence.charAt(0).toUpperCase() + sentence.slice(1);

/** How summaries look into expressions. What is stored has been checked, but a summary must not fail on anything. */

export type Part = unknown;

export function operatorOf(part: Part): string | undefined {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return undefined;
  return Object.keys(part)[0];
}

/** A single operand may stand without brackets. */
export function operandsOf(part: Part): readonly Part[] {
  const operator = operatorOf(part);
  if (operator === undefined) return [];
  const operands = (part as Record<string, unknown>)[operator];
  return Array.isArray(operands) ? operands : [operands];
}

/** Whether it is a variable, without a default, whose name is like this. */
export function isNamed(part: Part, name: RegExp): boolean {
  const operands = operandsOf(part);
  return operatorOf(part) === 'var' && operands.length === 1 && name.test(String(operands[0]));
}

/** Names of facts stand in `var` and `missing`; what has one about partners must not be put into words. */
export function mentionsPartner(part: Part): boolean {
  if (Array.isArray(part)) return part.some(mentionsPartner);
  const operator = operatorOf(part);
  const isNaming = operator === 'var' || operator === 'missing';
  const operands = operandsOf(part);
  return (isNaming && operands.flat().some(isPartnerName)) || operands.some(mentionsPartner);
}

const isPartnerName = (name: Part) => typeof name === 'string' && /^partner(\.|$)/.test(name);
