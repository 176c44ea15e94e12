/** With `fields` an answer has only what was selected, so its schema requires nothing of what can be selected. */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from './json-schema.ts';
import { COMPONENT } from './openapi-components.ts';

/** Ends the names of schemas that require nothing. */
const SUFFIX = 'Selection';

const SCHEMA_LISTS = ['anyOf', 'oneOf', 'allOf'];
const SCHEMA_MAPS = ['properties', 'patternProperties'];
const SCHEMAS = ['items', 'additionalProperties'];

function mapSchemas(schema: JsonObject, change: (member: unknown, name: string) => unknown): JsonObject {
  const changed = Object.entries(schema).map(([keyword, value]) => {
    if (SCHEMA_LISTS.includes(keyword) && Array.isArray(value)) {
      return [keyword, value.map((option) => change(option, ''))];
    }
    if (SCHEMA_MAPS.includes(keyword) && isObject(value)) {
      const members = Object.entries(value).map(([name, member]) => [name, change(member, name)]);
      return [keyword, Object.fromEntries(members)];
    }
    return [keyword, SCHEMAS.includes(keyword) ? change(value, '') : value];
  });
  return Object.fromEntries(changed);
}

function withNewName(schema: JsonObject, before: JsonObject): JsonObject {
  if (isDeepStrictEqual(schema, before)) return before;
  const name = before[COMPONENT];
  return typeof name === 'string' ? { ...schema, [COMPONENT]: `${name}${SUFFIX}` } : schema;
}

function withoutRequired(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { required: _, ...rest } = mapSchemas(schema, withoutRequired);
  return withNewName(rest, schema);
}

/** The part of an answer that `fields` may leave over. Of a page only the entries are selected from. */
export function selectionOf(schema: JsonObject): JsonObject {
  const isPage = isObject(schema.properties) && 'meta' in schema.properties;
  if (!isPage) return withoutRequired(schema) as JsonObject;
  const page = mapSchemas(schema, (member, name) => (name === 'meta' ? member : withoutRequired(member)));
  return withNewName(page, schema);
}

/** What an operation that takes `fields` answers: everything, or what was selected. */
export function withSelection(schema: JsonObject): JsonObject {
  return { anyOf: [schema, selectionOf(schema)] };
}
