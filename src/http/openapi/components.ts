import { isDeepStrictEqual } from 'node:util';
import {
  CLOCK_TIME_PATTERN,
  COMPONENT,
  isObject,
  type JsonObject,
  PATTERN_MESSAGE,
  PUBLISHED,
} from '../validation/schema-helpers.ts';

/** The values of these keywords are data and stay unchanged. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);

type Change = (schema: JsonObject) => JsonObject;

/** Rebuilds a document from the inside out. Under `properties` stand names that callers chose, not keywords. */
function rebuild(node: unknown, change: Change, holdsNames = false): unknown {
  if (Array.isArray(node)) return node.map((item) => rebuild(item, change));
  if (!isObject(node)) return node;
  const members = Object.entries(node).map(([key, value]) => [
    key,
    !holdsNames && DATA_KEYWORDS.has(key)
      ? value
      : rebuild(value, change, key === 'properties' && !holdsNames),
  ]);
  const rebuilt: JsonObject = Object.fromEntries(members);
  return holdsNames ? rebuilt : change(rebuilt);
}

/** `anyOf` with `null` becomes a list of types: shorter to read, and generators make an ordinary nullable of it. */
function withPlainNull(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [option, nothing] = anyOf;
  if (nothing?.type !== 'null' || typeof option?.type !== 'string') return schema;
  const values = Array.isArray(option.enum) ? { enum: [...option.enum, null] } : {};
  return { ...option, ...rest, ...values, type: [option.type, 'null'] };
}

/** Validators do not need the type of an enumeration of texts, generators do. */
function withEnumType(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema.enum) || schema.type !== undefined) return schema;
  return schema.enum.every((value) => typeof value === 'string') ? { type: 'string', ...schema } : schema;
}

function withPublished(schema: JsonObject): JsonObject {
  const { [PUBLISHED]: published, [PATTERN_MESSAGE]: _, ...plain } = schema;
  return isObject(published) ? { ...plain, ...published } : plain;
}

/** Our own formats are replaced by what every validator knows; which characters a name may have no pattern can say. */
function withKnownFormat(schema: JsonObject): JsonObject {
  const { format, ...rest } = schema;
  if (format === 'clock-time') return { ...rest, pattern: CLOCK_TIME_PATTERN };
  return format === 'name' ? rest : schema;
}

/** A schema the way other programs read it best. */
const publish: Change = (schema) => withPlainNull(withEnumType(withKnownFormat(withPublished(schema))));

/** The schema that the document shows for this one, whole and without references. */
export function publishedSchema(schema: unknown): JsonObject {
  return rebuild(schema, (node) => {
    const { [COMPONENT]: _, ...plain } = publish(node);
    return plain;
  }) as JsonObject;
}

/** Publishes all schemas, and moves the named ones to the components. */
export function hoistComponents(document: JsonObject): JsonObject {
  const found: JsonObject = {};
  const hoist = (schema: JsonObject) => {
    const { [COMPONENT]: name, ...plain } = publish(schema);
    if (typeof name !== 'string') return plain;
    if (found[name] && !isDeepStrictEqual(found[name], plain)) {
      throw new Error(`Two different schemas are called ${name}.`);
    }
    found[name] = plain;
    return { $ref: `#/components/schemas/${name}` };
  };
  const rebuilt = rebuild(document, hoist) as JsonObject;
  const components = isObject(rebuilt.components) ? rebuilt.components : {};
  return { ...rebuilt, components: { ...components, schemas: sortedByName(found) } };
}

export function sortedByName(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));
}
