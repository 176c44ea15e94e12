/**
 * The part of JsonLogic that rules may use. An expression is checked when it is stored, so that what is evaluated is
 * small, has a known shape and names only facts that exist.
 *
 * What the limits count: an operator, a literal, a list and each name of `missing` are a node; a list of nothing but
 * strings, numbers and booleans is one node however long it is. Each operator, and each list that holds more than
 * such literals, is one level deep. Steps are counted by `takeSteps` of `operators.ts`.
 */
import {
  isIteration,
  isOperator,
  isPlain,
  isScalar,
  LIMITS,
  nameFault,
  OPERANDS,
  partsOf,
  type Scope,
} from './shape.ts';

export { LIMITS };

interface Inspection {
  knowsFact(name: string): boolean;
  faults: Set<string>;
  nodes: number;
}

/** Where in the expression something stands. */
interface Place {
  path: string;
  depth: number;
  scope: Scope;
}

/**
 * The faults of an expression, in sentences; empty when it is legal. `knowsFact` tells which facts exist; it is not
 * called for names inside iterations, which refer to the element.
 */
export function faultsIn(expression: unknown, knowsFact: (name: string) => boolean): string[] {
  const inspection: Inspection = { knowsFact, faults: new Set(), nodes: 0 };
  inspect(expression, { path: '', depth: 0, scope: 'facts' }, inspection);
  if (inspection.nodes > LIMITS.nodes) {
    inspection.faults.add(`An expression has at most ${LIMITS.nodes} operators and literals.`);
  }
  return [...inspection.faults];
}

function inspect(part: unknown, place: Place, inspection: Inspection): void {
  inspection.nodes += 1;
  if (inspection.nodes > LIMITS.nodes) return;
  if (Array.isArray(part)) inspectList(part, place, inspection);
  else if (typeof part === 'object' && part !== null) inspectOperator(part, place, inspection);
  else inspectScalar(part, place, inspection);
}

function inspectScalar(part: unknown, place: Place, inspection: Inspection): void {
  if (!isScalar(part)) {
    complain(
      inspection,
      place,
      `${part === null ? 'null' : `a value of the type ${typeof part}`} is not allowed`,
    );
  } else if (typeof part === 'number' && !Number.isFinite(part)) {
    complain(inspection, place, 'a number is finite');
  } else if (typeof part === 'string' && part.length > LIMITS.textLength) {
    complain(inspection, place, `a text has at most ${LIMITS.textLength} characters`);
  }
}

function inspectList(list: readonly unknown[], place: Place, inspection: Inspection): void {
  if (list.length > LIMITS.listLength) {
    complain(inspection, place, `a list has at most ${LIMITS.listLength} elements`);
  } else if (list.every(isScalar)) {
    for (const element of list) inspectScalar(element, place, inspection);
  } else {
    inspectEach(list, place, inspection);
  }
}

/** Parts that stand in a list or are the operands of an operator. */
function inspectEach(parts: readonly unknown[], place: Place, inspection: Inspection): void {
  if (!isShallow(place, inspection)) return;
  for (const [index, part] of parts.entries()) {
    if (inspection.nodes > LIMITS.nodes) return;
    inspect(part, { ...place, path: `${place.path}/${index}`, depth: place.depth + 1 }, inspection);
  }
}

/** Nothing is looked at below the limit, so that hostile nesting cannot exhaust the stack. */
function isShallow(place: Place, inspection: Inspection): boolean {
  if (place.depth < LIMITS.depth) return true;
  inspection.faults.add(`An expression is at most ${LIMITS.depth} operators deep.`);
  return false;
}

function inspectOperator(part: object, place: Place, inspection: Inspection): void {
  const [operator, ...others] = Object.keys(part);
  if (!isPlain(part) || operator === undefined || others.length > 0) {
    complain(inspection, place, 'an object has exactly one member, named for an operator');
    return;
  }
  if (!isOperator(operator)) {
    complain(
      inspection,
      place,
      `${quoted(operator)} is not one of the operators ${[...OPERANDS.keys()].join(' ')}`,
    );
    return;
  }
  const given = part[operator];
  const operands = Array.isArray(given) ? given : [given];
  const here = { ...place, path: `${place.path}/${operator}` };
  const { least, most } = OPERANDS.get(operator) ?? { least: 0, most: 0 };
  if (operands.length < least || operands.length > most) {
    complain(inspection, here, `${quoted(operator)} takes ${countText(least, most)}`);
  } else if (operator === 'var') {
    inspectFact(operands, here, inspection);
  } else if (operator === 'missing') {
    inspectMissing(operands, here, inspection);
  } else if (isIteration(operator)) {
    inspectIteration(operator, operands, here, inspection);
  } else {
    inspectEach(operands, here, inspection);
  }
}

function inspectFact([name, ...fallback]: readonly unknown[], place: Place, inspection: Inspection): void {
  if (!isShallow(place, inspection)) return;
  inspectName(name, place, inspection);
  for (const part of fallback)
    inspect(part, { ...place, path: `${place.path}/1`, depth: place.depth + 1 }, inspection);
}

function inspectMissing(names: readonly unknown[], place: Place, inspection: Inspection): void {
  if (!isShallow(place, inspection)) return;
  inspection.nodes += names.length;
  for (const name of names.slice(0, LIMITS.nodes)) {
    if (typeof name === 'string' && name !== '') inspectName(name, place, inspection);
    else complain(inspection, place, '"missing" takes names of facts');
  }
}

function inspectName(name: unknown, place: Place, inspection: Inspection): void {
  const fault = nameFault(name);
  if (fault !== undefined) {
    complain(inspection, place, fault);
  } else if (place.scope === 'reduction' && !['current', 'accumulator'].includes(partsOf(name)[0] ?? '')) {
    complain(inspection, place, 'inside "reduce" there are only "current" and "accumulator"');
  } else if (place.scope === 'facts' && name === '') {
    complain(inspection, place, 'the name "" is only for use inside iterations');
  } else if (place.scope === 'facts' && !inspection.knowsFact(String(name))) {
    complain(inspection, place, `there is no fact ${quoted(String(name))}`);
  }
}

/** The second operand is about each element; the others are about what is around. */
function inspectIteration(
  operator: string,
  operands: readonly unknown[],
  place: Place,
  inspection: Inspection,
): void {
  if (!isShallow(place, inspection)) return;
  for (const [index, part] of operands.entries()) {
    const inner = operator === 'reduce' ? 'reduction' : 'element';
    const scope = index === 1 ? inner : place.scope;
    inspect(part, { path: `${place.path}/${index}`, depth: place.depth + 1, scope }, inspection);
  }
}

function complain(inspection: Inspection, { path }: Place, what: string): void {
  inspection.faults.add(`At ${path || '/'}: ${what}.`);
}

function countText(least: number, most: number): string {
  if (most === Number.POSITIVE_INFINITY) return `at least ${least} ${least === 1 ? 'operand' : 'operands'}`;
  if (least === most) return `exactly ${least} ${least === 1 ? 'operand' : 'operands'}`;
  return `${least} to ${most} operands`;
}

/** What a caller has sent is repeated only as far as it helps to find it. */
const quoted = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** The facts that a legal expression names, also those in `missing` and with defaults, but no names of elements. */
export function factsIn(expression: unknown): Set<string> {
  const names = new Set<string>();
  collect(expression, names);
  return names;
}

function collect(part: unknown, names: Set<string>): void {
  if (typeof part !== 'object' || part === null) return;
  if (Array.isArray(part)) {
    for (const element of part) collect(element, names);
    return;
  }
  for (const [operator, given] of Object.entries(part)) {
    const operands: unknown[] = Array.isArray(given) ? given : [given];
    if (operator === 'missing') for (const name of operands) names.add(String(name));
    else if (operator === 'var') names.add(String(operands[0]));
    for (const [index, operand] of operands.entries()) {
      if (!(isIteration(operator) && index === 1)) collect(operand, names);
    }
  }
}
