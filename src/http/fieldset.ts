import { type Shape, shapeOf } from './field-shape.ts';
import { parseFieldset, type Selection, WHOLE } from './fieldset-parser.ts';
import { remember } from './remember.ts';

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
    compiled = remember(COMPILED_BYTES_PER_SCHEMA, (fields) => projectionOf(parseFieldset(fields, shape)));
    projectionsBySchema.set(schema, compiled);
  }
  return compiled(text);
}

function projectionOf(selection: Selection): Projection {
  return (value) => project(value, selection);
}

/** Recurses only as deep as both the selection and the value go, and values are ours. */
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
