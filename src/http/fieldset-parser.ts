import { type Problem, problem } from '../kernel/problem.ts';
import type { Shape } from './field-shape.ts';

/** The selected names of one object; `WHOLE` where nothing is narrowed further. */
export type Selection = Map<string, Selection | typeof WHOLE>;
export const WHOLE = Symbol('whole');

export const MAX_FIELDS_LENGTH = 4_000;
const MAX_NAMES_LISTED = 20;
const MAX_NAME_SHOWN = 60;

/** Sticky, so that each token is read once from where the last one ended. */
const TOKEN = /[ \t\r\n]*([(),]|[^(), \t\r\n]+|$)/y;

interface Level {
  shape: Shape;
  selection: Selection;
  /** The name whose parentheses these are. */
  name: string;
}

/**
 * Reads `a,b(c,d(e))` in one pass, without recursion, and checks every name against the shape on the way.
 * Names that stand twice are merged, and a whole field wins over a part of it.
 */
export function parseFieldset(text: string, shape: Shape): Selection {
  if (text.length > MAX_FIELDS_LENGTH) {
    throw refusal([], `fields is longer than ${MAX_FIELDS_LENGTH.toLocaleString('en')} characters.`);
  }
  const root: Selection = new Map();
  const levels: Level[] = [{ shape, selection: root, name: '' }];
  const next = tokensOf(text);
  let token = next();
  for (;;) {
    const name = token;
    if (name === '' || isPunctuation(name)) throw missingName(levels, name);
    const level = lastOf(levels);
    const member = memberShape(level.shape, name);
    if (!member) throw unknownName(levels, name);
    token = next();
    if (token === '(') {
      if (member.kind === 'scalar') throw notDivisible(levels, name);
      levels.push({ shape: member, selection: partOf(level.selection, name), name });
      token = next();
      continue;
    }
    level.selection.set(name, WHOLE);
    let ended = name;
    while (token === ')' && levels.length > 1) {
      ended = lastOf(levels).name;
      levels.pop();
      token = next();
    }
    if (token === '') break;
    if (token !== ',') throw misplaced(levels, ended, token);
    token = next();
  }
  if (levels.length > 1) throw unclosed(levels);
  return root;
}

function tokensOf(text: string): () => string {
  let position = 0;
  return () => {
    TOKEN.lastIndex = position;
    const token = TOKEN.exec(text)?.[1] ?? '';
    position = TOKEN.lastIndex;
    return token;
  };
}

function isPunctuation(token: string): boolean {
  return token === ',' || token === '(' || token === ')';
}

function lastOf(levels: Level[]): Level {
  return levels[levels.length - 1] as Level;
}

function memberShape(shape: Shape, name: string): Shape | undefined {
  if (shape.kind === 'anything') return shape;
  return shape.kind === 'object' ? (shape.members.get(name) ?? shape.others) : undefined;
}

/** Where the field is already selected whole its parts are still read and checked, but change nothing. */
function partOf(selection: Selection, name: string): Selection {
  const known = selection.get(name);
  if (known === WHOLE) return new Map();
  if (known) return known;
  const part: Selection = new Map();
  selection.set(name, part);
  return part;
}

function unknownName(levels: Level[], name: string): Problem {
  const { shape } = lastOf(levels);
  const names = shape.kind === 'object' ? [...shape.members.keys()] : [];
  const shown = names.slice(0, MAX_NAMES_LISTED).join(', ');
  const more = names.length > MAX_NAMES_LISTED ? ` and ${names.length - MAX_NAMES_LISTED} more` : '';
  const choice = names.length === 0 ? 'no field can be selected there' : `there are: ${shown}${more}`;
  const path = pathOf(levels, name);
  return refusal(path, `There is no field "${shortened(name)}" at ${dotted(path)}; ${choice}.`);
}

function notDivisible(levels: Level[], name: string): Problem {
  const path = pathOf(levels, name);
  return refusal(
    path,
    `The field "${shortened(name)}" at ${dotted(path)} has no fields of its own to select.`,
  );
}

function missingName(levels: Level[], found: string): Problem {
  const path = pathOf(levels);
  const where = path.length === 0 ? 'fields' : `the parentheses of ${dotted(path)}`;
  return refusal(
    path,
    `A field name is missing in ${where} before ${found === '' ? 'the end' : `"${found}"`}.`,
  );
}

function misplaced(levels: Level[], name: string, found: string): Problem {
  const path = pathOf(levels, name);
  return refusal(path, `After ${dotted(path)} a comma belongs, not "${shortened(found)}".`);
}

function unclosed(levels: Level[]): Problem {
  const path = pathOf(levels);
  return refusal(path, `The parentheses of ${dotted(path)} are not closed.`);
}

function pathOf(levels: Level[], name?: string): string[] {
  const names = levels.slice(1).map((level) => level.name);
  return name === undefined ? names : [...names, name];
}

function dotted(path: string[]): string {
  return path.map(shortened).join('.');
}

function shortened(name: string): string {
  return name.length > MAX_NAME_SHOWN ? `${name.slice(0, MAX_NAME_SHOWN)}…` : name;
}

function refusal(path: string[], detail: string): Problem {
  const field = shortened(path.at(-1) ?? '');
  return problem('FSEL-N-001', { detail, extensions: { field, path: dotted(path) } });
}
