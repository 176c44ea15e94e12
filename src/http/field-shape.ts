import { isObject, type JsonObject } from './json-schema.ts';

/** What can be selected inside a value, read from its JSON schema. */
export type Shape =
  | { kind: 'scalar' }
  /** The schema says nothing about what is inside, so every name may be there. */
  | { kind: 'anything' }
  /** `others` is the shape of members that the schema does not name: records and open objects. */
  | { kind: 'object'; members: Map<string, Shape>; others: Shape | undefined };

const SCALAR: Shape = { kind: 'scalar' };
export const ANYTHING: Shape = { kind: 'anything' };

const SCALAR_TYPES = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'null']);

/** Arrays are looked through to their items, alternatives and intersections to all the objects among them. */
export function shapeOf(schema: unknown): Shape {
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
