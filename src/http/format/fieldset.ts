import { type Problem, problem } from '../../kernel/problem.ts';
import { isObject, type JsonObject } from '../validation/schema-helpers.ts';
import { memoize } from './memoize.ts';

/** Cuts a value down to the selected fields; what it is given stays as it was. */
export type Projection = (value: unknown) => unknown;

const COMPILED_BYTES_PER_SCHEMA = 512 * 1024;

const everything: Projection = (value) => value;

const projectionsBySchema = new WeakMap<object, (text: string) => Projection>();

/**
 * The projection for a `fields` text on values of this schema; throws `FSEL-N-001` where the two do not agree.
 * Without a text everything is selected.
 */
export function compileFieldset(schema: object, text: string | undefined): Projection {
  if (text === undefined) return everything;
  let compiled = projectionsBySchema.get(schema);
  if (!compiled) {
    const shape: Shape = shapeOf(schema);
    compiled = memoize(COMPILED_BYTES_PER_SCHEMA, (fields) => projectionOf(parseFieldset(fields, shape)));
    projectionsBySchema.set(schema, compiled);
  }
  return compiled(text);
}

function projectionOf(selection: Selection): Projection {
  return (value) => project(value, selection);
}

/** Recurses only as deep as both the selection and the value go, and values come from our own code. */
function project(value: unknown, selection: Selection): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => project(item, selection));
  const projected: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const selected = selection.get(name);
    if (selected === undefined) continue;
    setOwn(projected, name, selected === WHOLE ? member : project(member, selected));
  }
  return projected;
}

/** An assignment to `__proto__` would replace the prototype instead of adding a member. */
function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}

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

/** What can be selected inside a value, read from its JSON schema. */
type Shape =
  | { kind: 'scalar' }
  /** The schema says nothing about what is inside, so every name may be there. */
  | { kind: 'anything' }
  /** `others` is the shape of members that the schema does not name: records and open objects. */
  | { kind: 'object'; members: Map<string, Shape>; others: Shape | undefined };

const SCALAR: Shape = { kind: 'scalar' };
export const ANYTHING: Shape = { kind: 'anything' };

const SCALAR_TYPES = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'null']);

/** Arrays are looked through to their items, alternatives and intersections to all the objects among them. */
function shapeOf(schema: unknown): Shape {
  if (!isObject(schema)) return ANYTHING;
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (Array.isArray(parts)) return parts.map(shapeOf).reduce(merged, SCALAR);
  if (schema.type === 'array') return shapeOf(schema.items);
  if (schema.type === 'object') return objectShape(schema);
  return SCALAR_TYPES.has(schema.type) || 'const' in schema || 'enum' in schema ? SCALAR : ANYTHING;
}

function objectShape(schema: JsonObject): Shape {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const members = new Map(Object.entries(properties).map(([name, member]) => [name, shapeOf(member)]));
  return { kind: 'object', members, others: othersOf(schema) };
}

function othersOf(schema: JsonObject): Shape | undefined {
  const patterns = isObject(schema.patternProperties) ? Object.values(schema.patternProperties) : [];
  const open = schema.additionalProperties;
  const shapes = [...patterns, ...(open === undefined || open === false ? [] : [open])].map(shapeOf);
  return shapes.length === 0 ? undefined : shapes.reduce(merged);
}

function merged(left: Shape, right: Shape): Shape {
  if (left.kind === 'anything' || right.kind === 'anything') return ANYTHING;
  if (left.kind === 'scalar') return right;
  if (right.kind === 'scalar') return left;
  const members = new Map(left.members);
  for (const [name, shape] of right.members) {
    const known = members.get(name);
    members.set(name, known ? merged(known, shape) : shape);
  }
  const others =
    left.others && right.others ? merged(left.others, right.others) : (left.others ?? right.others);
  return { kind: 'object', members, others };
}
