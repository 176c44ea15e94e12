import { type TEnum, type TSchema, Type } from 'typebox';
import { MAX_OPERATIONS } from '../../kernel/patch.ts';

/** A schema with this member becomes a named component, so that generated clients get a type of that name. */
export const COMPONENT = 'x-component';

/** What a schema says of a value that does not fit its `pattern`, or its `type` where it has no pattern. */
export const PATTERN_MESSAGE = 'x-message';

/**
 * Members that only the published schema has, such as the `enum` of a field that validation leaves to the service
 * because a wrong value has a problem code of its own.
 */
export const PUBLISHED = 'x-published';

/** A local time of day. The format `time` of the standard demands an offset, so it is published as a pattern. */
export const CLOCK_TIME_PATTERN = '^([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?$';

/** `options`: where they are not those of the schema. */
export const nullable = <T extends TSchema>(schema: T, options = {}) =>
  Type.Union([schema, Type.Null()], options);

/** Of what is sent: a field that is null counts as left out. */
export const optional = <T extends TSchema>(schema: T, description?: string) =>
  Type.Optional(nullable(schema, description === undefined ? {} : { description }));

/** Named in the OpenAPI document, so that generated clients have a type of that name. */
export const named = (name: string, description: string) => ({ [COMPONENT]: name, description });

/** Options of a field whose value the service checks: what the OpenAPI document says of it, and validation does not. */
export const published = (members: object) => ({ [PUBLISHED]: members });

export const EMAIL = published({ format: 'email' });
export const URI = published({ format: 'uri' });
export const DATE = published({ format: 'date' });
export const DATE_TIME = published({ format: 'date-time' });
export const CLOCK_TIME = published({ pattern: CLOCK_TIME_PATTERN });
/** The end of a period, which may be the end of the day: also `24:00`. */
export const CLOSING_TIME = published({ pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)(:[0-5]\\d)?$' });

export const oneOf = <const T extends readonly string[]>(values: T, options = {}): TEnum<[...T]> =>
  Type.Enum(values as readonly string[], options) as unknown as TEnum<[...T]>;

export const text = (description: string, options = {}) => Type.String({ description, ...options });

/** The name of a person or a thing: not blank, and without invisible characters. */
export const nameText = (description: string, maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '\\S',
    [PATTERN_MESSAGE]: 'must not be blank',
    format: 'name',
    description,
  });

export const pence = (description: string) => Type.Integer({ description: `${description}, in pence` });

export type JsonObject = Record<string, unknown>;

/** True for what JSON calls an object, whether it is a schema or a value to be checked by one. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const PatchOperation = Type.Object(
  {
    op: oneOf(['add', 'remove', 'replace'] as const),
    path: Type.String({ description: 'A JSON pointer into the document that PUT takes' }),
    value: Type.Optional(Type.Unknown()),
  },
  named('PatchOperation', 'One step of a JSON Patch (RFC 6902)'),
);

/** Read further by `kernel/patch.ts`, which names the operation that is at fault. */
const jsonPatch = (options: object) =>
  Type.Array(PatchOperation, {
    maxItems: MAX_OPERATIONS,
    ...named('JsonPatch', 'Steps that are carried out in order, all or none (RFC 6902)'),
    ...options,
  });

export const JsonPatch = jsonPatch({});

/** As the whole body of a request, which shows an example. */
export const patchBody = (example: { op: string; path: string; value?: unknown }[]) =>
  jsonPatch({
    examples: [example],
    // Many send the fields to change as an object, which is another format (RFC 7396).
    [PATTERN_MESSAGE]: `must be a JSON Patch (RFC 6902), a list of operations such as ${JSON.stringify(example)}`,
  });

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

/** The header of the same name. */
export const idempotencyKey = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    description:
      'Sent again with the same key within a day, the request is answered as the first time and done once',
  }),
);
