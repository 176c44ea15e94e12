import type { TSchema } from 'typebox';
import { isObject, type JsonObject } from './json-schema.ts';

/** Keywords about the structure of a value; all others are about the values themselves. */
const STRUCTURE = ['required', 'additionalProperties'] as const;

/** The same schema with JSON types and members alone, for values that are judged elsewhere, with a code of its own. */
export function wellFormed(schema: TSchema): TSchema {
  return loosened(schema) as TSchema;
}

function loosened(schema: unknown): JsonObject {
  if (!isObject(schema)) return {};
  const { anyOf, properties, items } = schema;
  const loose: JsonObject = {};
  for (const keyword of STRUCTURE) if (keyword in schema) loose[keyword] = schema[keyword];
  const type = typeOf(schema);
  if (type !== undefined) loose.type = type;
  if (Array.isArray(anyOf)) loose.anyOf = anyOf.map(loosened);
  if (isObject(items)) loose.items = loosened(items);
  if (isObject(properties))
    loose.properties = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, loosened(property)]),
    );
  return loose;
}

/** JSON has numbers and no integers; an enumeration is one of texts. */
function typeOf({ type, enum: values }: JsonObject): unknown {
  if (values !== undefined) return 'string';
  return type === 'integer' ? 'number' : type;
}
