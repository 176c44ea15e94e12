/** How each operator is written. What it gives is JsonLogic's, without conversions. */
import {
  found,
  functionOf,
  give,
  isKnownLiteral,
  type Kind,
  named,
  need,
  newName,
  type Operand,
  skipUnless,
  truthOf,
  type Writer,
  write,
} from './code.ts';
import { type Iteration, isIteration, isScalar, LIMITS, type Operator } from './shape.ts';
import { type ExpressionResult, isList, isTruthy, SKIP, type Value } from './value.ts';

function writePart(writer: Writer, part: unknown): Operand {
  writer.nodes += 1;
  if (Array.isArray(part)) return writeList(writer, part);
  if (typeof part === 'number') return { code: give(writer, part), kind: 'number' };
  if (typeof part === 'boolean') return { code: String(part), kind: 'boolean' };
  if (typeof part === 'string') return { code: give(writer, part), kind: 'text' };
  const [[operator, given] = ['', []]] = Object.entries(part ?? {});
  const operands: unknown[] = Array.isArray(given) ? given : [given];
  return isIteration(operator)
    ? writeIteration(writer, operator, operands)
    : WRITERS[operator as PlainOperator](writer, operands, operator);
}

/** A part that has a value, whatever its type. */
export function writeValue(writer: Writer, part: unknown): Operand {
  const operand = writePart(writer, part);
  need(writer, 'value', operand);
  return operand.kind === 'found' ? { ...operand, kind: 'value' } : operand;
}

function writeList(writer: Writer, list: readonly unknown[]): Operand {
  if (list.every(isScalar)) return { code: give(writer, [...list]), kind: 'list' };
  const elements = list.map((element) => writeValue(writer, element).code);
  return named(writer, `[${elements.join(', ')}]`, 'list');
}

type PlainOperator = Exclude<Operator, Iteration>;
type Write = (writer: Writer, operands: readonly unknown[], operator: string) => Operand;

const WRITERS: Record<PlainOperator, Write> = {
  var: writeFact,
  missing: writeMissing,
  '==': writeEquality,
  '!=': writeEquality,
  '===': writeIdentity,
  '!==': writeIdentity,
  '<': writeOrder,
  '<=': writeOrder,
  '>': writeOrder,
  '>=': writeOrder,
  '!': (writer, [operand]) => named(writer, `!(${truthOf(writeValue(writer, operand))})`, 'boolean'),
  '!!': (writer, [operand]) => named(writer, truthOf(writeValue(writer, operand)), 'boolean'),
  and: (writer, operands) => writeSequence(writer, operands, (truth) => truth),
  or: (writer, operands) => writeSequence(writer, operands, (truth) => `!(${truth})`),
  if: writeChoice,
  in: writeMembership,
  '+': (writer, operands) => writeArithmetic(writer, operands, (codes) => codes.join(' + ')),
  '*': (writer, operands) => writeArithmetic(writer, operands, (codes) => codes.join(' * ')),
  '-': (writer, operands) =>
    writeArithmetic(writer, operands, (codes) => (codes.length === 1 ? `-${codes[0]}` : codes.join(' - '))),
  '/': (writer, operands) => writeArithmetic(writer, operands, (codes) => codes.join(' / ')),
  '%': (writer, operands) => writeArithmetic(writer, operands, (codes) => codes.join(' % ')),
  min: (writer, operands) => writeArithmetic(writer, operands, (codes) => `Math.min(${codes.join(', ')})`),
  max: (writer, operands) => writeArithmetic(writer, operands, (codes) => `Math.max(${codes.join(', ')})`),
};

/** A default is looked at only where the fact is not there. */
function writeFact(writer: Writer, [name, ...fallback]: readonly unknown[]): Operand {
  const fact = found(writer, name);
  if (fallback.length === 0) return fact;
  const result = newName(writer);
  write(writer, `let ${result} = ${fact.code};`, `if (!isValue(${result})) {`);
  write(writer, `${result} = ${writeValue(writer, fallback[0]).code};`, '}');
  return { code: result, kind: 'value' };
}

function writeMissing(writer: Writer, names: readonly unknown[]): Operand {
  writer.nodes += names.length;
  const list = named(writer, '[]', 'list');
  for (const name of names) {
    const { code } = found(writer, name);
    write(writer, `if (isMissing(${code})) ${list.code}.push(${give(writer, name)});`);
  }
  return list;
}

function writeOrder(writer: Writer, parts: readonly unknown[], operator: string): Operand {
  const operands = parts.map((part) => writePart(writer, part));
  const steps = operands.slice(1).map((right, index) => {
    const left = operands[index] ?? right;
    needSameKind(writer, left, right, 'haveOrder');
    return `${left.code} ${operator} ${right.code}`;
  });
  return named(writer, steps.join(' && '), 'boolean');
}

function writeEquality(writer: Writer, [a, b]: readonly unknown[], operator: string): Operand {
  const left = writePart(writer, a);
  const right = writePart(writer, b);
  needSameKind(writer, left, right, 'areOfOneType');
  return named(writer, `${left.code} ${operator}= ${right.code}`, 'boolean');
}

/** If it is known what one of them is, the other has to be the same; otherwise it turns out when there are facts. */
function needSameKind(
  writer: Writer,
  left: Operand,
  right: Operand,
  test: 'haveOrder' | 'areOfOneType',
): void {
  const kind = (['number', 'text'] as const).find((one) => left.kind === one || right.kind === one);
  if (kind === undefined) {
    skipUnless(writer, `${test}(${left.code}, ${right.code})`);
  } else {
    need(writer, kind, left);
    need(writer, kind, right);
  }
}

function writeIdentity(writer: Writer, [a, b]: readonly unknown[], operator: string): Operand {
  const left = writePart(writer, a);
  const right = writePart(writer, b);
  need(writer, 'literal', left);
  need(writer, 'literal', right);
  return named(writer, `${left.code} ${operator} ${right.code}`, 'boolean');
}

/** `and` and `or` give the operand at which they stop; they go on as long as it says so. */
function writeSequence(
  writer: Writer,
  [first, ...others]: readonly unknown[],
  goesOn: (truth: string) => string,
): Operand {
  const operand = writeValue(writer, first);
  if (others.length === 0) return operand;
  const result = newName(writer);
  write(writer, `let ${result} = ${operand.code};`, `if (${goesOn(truthOf(operand))}) {`);
  const rest = writeSequence(writer, others, goesOn);
  write(writer, `${result} = ${rest.code};`, '}');
  return { code: result, kind: commonKind(operand, rest) };
}

/** Pairs of a condition and its value, and at the end the value for all else; without it there may be none. */
function writeChoice(writer: Writer, [condition, value, ...others]: readonly unknown[]): Operand {
  if (value === undefined) return writeValue(writer, condition);
  const decision = writeValue(writer, condition);
  const result = newName(writer);
  write(writer, `let ${result};`, `if (${truthOf(decision)}) {`);
  const then = writeValue(writer, value);
  write(writer, `${result} = ${then.code};`, '} else {');
  const otherwise = others.length > 0 ? writeChoice(writer, others) : undefined;
  write(writer, otherwise ? `${result} = ${otherwise.code};` : 'return SKIP;', '}');
  return { code: result, kind: otherwise ? commonKind(then, otherwise) : then.kind };
}

const commonKind = (a: Operand, b: Operand): Kind => (a.kind === b.kind ? a.kind : 'value');

function writeMembership(writer: Writer, [needle, haystack]: readonly unknown[]): Operand {
  const wanted = writePart(writer, needle);
  if (Array.isArray(haystack) && haystack.every(isScalar)) {
    // The list is a node too, though it is not written like one.
    writer.nodes += 1;
    need(writer, 'literal', wanted);
    return named(writer, `${give(writer, new Set(haystack))}.has(${wanted.code})`, 'boolean');
  }
  const where = writePart(writer, haystack);
  if (writer.isBody) skipUnless(writer, `takeSteps(meter, lengthOf(${where.code}))`);
  if (isKnownLiteral(wanted)) return writeSearch(writer, wanted, where);
  const result = named(writer, `isIn(${wanted.code}, ${where.code})`, 'boolean');
  skipUnless(writer, `${result.code} !== SKIP`);
  return result;
}

/** A literal is mostly looked for in a list, and lists differ from rule to rule. */
function writeSearch(writer: Writer, wanted: Operand, where: Operand): Operand {
  const result = newName(writer);
  write(writer, `let ${result};`, `if (Array.isArray(${where.code})) {`);
  skipUnless(writer, `${where.code}.length <= ${LIMITS.listLength}`);
  write(writer, `${result} = ${where.code}.includes(${wanted.code});`, '} else {');
  write(writer, `${result} = isIn(${wanted.code}, ${where.code});`);
  skipUnless(writer, `${result} !== SKIP`);
  write(writer, '}');
  return { code: result, kind: 'boolean' };
}

function writeArithmetic(
  writer: Writer,
  parts: readonly unknown[],
  calculation: (codes: readonly string[]) => string,
): Operand {
  const operands = parts.map((part) => writePart(writer, part));
  for (const operand of operands) need(writer, 'number', operand);
  const result = named(writer, calculation(operands.map(({ code }) => code)), 'number');
  skipUnless(writer, `Number.isFinite(${result.code})`);
  return result;
}

/** The body becomes a function of the element. */
function writeIteration(
  writer: Writer,
  operator: Iteration,
  [list, body, initial]: readonly unknown[],
): Operand {
  const elements = writePart(writer, list);
  const begin = initial === undefined ? 'undefined' : writeValue(writer, initial).code;
  const inner: Writer = { ...writer, lines: [], nodes: 0, isBody: true };
  const evaluate = functionOf(inner, writeValue(inner, body));
  writer.names = inner.names;
  writer.nodes += inner.nodes;
  const repeated = `{ evaluate: ${evaluate}, nodes: ${inner.nodes}, meter }`;
  const result = named(writer, `iterate.${operator}(${elements.code}, ${repeated}, ${begin})`, 'value');
  skipUnless(writer, `${result.code} !== SKIP`);
  return result;
}

/**
 * Operators that do something with each element of a list. Their bodies see the element and nothing else.
 *
 * An expression by itself is small; only iterations can make much of it, because they stand within each other. So they
 * are metered: each element costs as many steps as the body has nodes, and inside of a body searching a list or a text
 * costs its length, unless it is a list of literals: what is in there is known beforehand.
 */

export interface Meter {
  left: number;
}

/** False when there are not enough left, and then none are taken. */
export function takeSteps(meter: Meter, steps: number): boolean {
  if (steps > meter.left) return false;
  meter.left -= steps;
  return true;
}

interface Body {
  evaluate(element: unknown): ExpressionResult;
  nodes: number;
  meter: Meter;
}

function evaluate(body: Body, element: unknown): ExpressionResult {
  return takeSteps(body.meter, body.nodes) ? body.evaluate(element) : SKIP;
}

const isShort = (value: unknown): value is readonly Value[] =>
  isList(value) && value.length <= LIMITS.listLength;

export const ITERATE: Record<Iteration, (list: unknown, body: Body, initial: Value) => ExpressionResult> = {
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
    let accumulator: ExpressionResult = initial;
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

/** The first element with the wanted result decides, and the rest is not evaluated. */
function decide(
  list: unknown,
  body: Body,
  wanted: boolean,
  found: boolean,
  otherwise: boolean,
): ExpressionResult {
  if (!isShort(list)) return SKIP;
  for (const element of list) {
    const result = evaluate(body, element);
    if (result === SKIP) return SKIP;
    if (isTruthy(result) === wanted) return found;
  }
  return otherwise;
}
