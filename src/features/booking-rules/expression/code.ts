/**
 * The code that an expression becomes, line by line. A part that has no value leaves the function at once, so whatever
 * is written after it can rely on it.
 *
 * Of what a rule says nothing gets into the code but which operators it has, plain words as quoted names of members,
 * and indexes. Literals and all other names are handed to the code beside it.
 */
import { isIndex, partsOf } from './shape.ts';

/** What is known of a part before there are facts. What was `found` in the scope can be anything, even nothing. */
export type Kind = 'found' | 'value' | 'number' | 'text' | 'boolean' | 'list';

/** A part that has been written, under a name or as a literal, so that it can be repeated at no cost. */
export interface Operand {
  code: string;
  kind: Kind;
}

export interface Writer {
  lines: string[];
  /** What the code knows as `given0`, `given1` and so on. */
  given: unknown[];
  /** How many names there are; the bodies of iterations count on. */
  names: number;
  /** How much has been written, counted as `limits.ts` counts. */
  nodes: number;
  /** Only what iterations repeat is metered. */
  isBody: boolean;
}

export const newWriter = (): Writer => ({ lines: [], given: [], names: 0, nodes: 0, isBody: false });

export function write(writer: Writer, ...lines: readonly string[]): void {
  writer.lines.push(...lines);
}

export function named(writer: Writer, code: string, kind: Kind): Operand {
  const name = newName(writer);
  write(writer, `const ${name} = ${code};`);
  return { code: name, kind };
}

export function newName(writer: Writer): string {
  writer.names += 1;
  return `v${writer.names}`;
}

/** A name for something that is not to be spelt out. */
export function give(writer: Writer, value: unknown): string {
  writer.given.push(value);
  return `given${writer.given.length - 1}`;
}

export function skipUnless(writer: Writer, condition: string): void {
  write(writer, `if (!(${condition})) return SKIP;`);
}

const CHECKS = {
  value: { kinds: ['value', 'number', 'text', 'boolean', 'list'], test: 'isValue' },
  literal: { kinds: ['number', 'text', 'boolean'], test: 'isLiteral' },
  number: { kinds: ['number'], test: 'Number.isFinite' },
  text: { kinds: ['text'], test: 'isText' },
} as const satisfies Record<string, { kinds: readonly Kind[]; test: string }>;

export const isKnownLiteral = ({ kind }: Operand): boolean =>
  CHECKS.literal.kinds.some((fit) => fit === kind);

/** Nothing to check where it is known beforehand. */
export function need(writer: Writer, wanted: keyof typeof CHECKS, { code, kind }: Operand): void {
  const { kinds, test } = CHECKS[wanted];
  if (!kinds.some((fit) => fit === kind)) skipUnless(writer, `${test}(${code})`);
}

/** Whether a value counts as true. */
export function truthOf({ code, kind }: Operand): string {
  switch (kind) {
    case 'boolean':
      return code;
    case 'number':
      return `${code} !== 0`;
    case 'text':
      return `${code} !== ''`;
    case 'list':
      return `${code}.length > 0`;
    default:
      return `isTruthy(${code})`;
  }
}

/** What a name stands for in the scope. */
export function found(writer: Writer, name: unknown): Operand {
  return partsOf(name).reduce((holder, part) => memberOf(writer, holder, part), {
    code: 'scope',
    kind: 'found',
  } as Operand);
}

/**
 * A function of its scope that does what has been written and gives this. Nothing in it throws, but reading a fact
 * may, where it is no plain member.
 */
export function functionOf({ lines, isBody }: Writer, { code }: Operand): string {
  const members = `const members = ${isPlain('scope')} ? scope : NOTHING;`;
  const work = [members, ...lines, `return ${code};`];
  const guarded = ['meter.left = STEPS;', 'try {', ...work, '} catch {', 'return SKIP;', '}'];
  return ['(function (scope) {', ...(isBody ? work : guarded), '})'].join('\n');
}

/** Few names are about anything but a member of the scope itself, so it is looked at once for all of them. */
function memberOf(writer: Writer, { code }: Operand, part: string): Operand {
  const key = /^[A-Za-z]\w*$/.test(part) ? `"${part}"` : give(writer, part);
  const member = code === 'scope' ? `members[${key}]` : `${isPlain(code)} ? ${code}[${key}] : undefined`;
  return named(
    writer,
    isIndex(part) ? `Array.isArray(${code}) ? ${code}[${part}] : ${member}` : member,
    'found',
  );
}

/**
 * The quick part of the test is spelt out wherever it is needed: V8 learns for each place in the code which objects
 * come by, and in a place that all rules share there would be too many to learn anything.
 */
const isPlain = (code: string) =>
  `(typeof ${code} === 'object' && ${code} !== null && (${code}.constructor === Object || isPlain(${code})))`;
