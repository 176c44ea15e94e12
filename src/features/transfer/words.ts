/** Words that the schema of documents is written in. Fields are those that the other routes of `/manage` take. */
import { type TProperties, type TSchema, Type } from 'typebox';
import { integerId } from '../../http/manage-route.ts';

export const closed = { additionalProperties: false } as const;

export const listOf = (item: TSchema, maxItems: number, options = {}) =>
  Type.Array(item, { maxItems, ...options });

export const number = (what: string) =>
  integerId(`Id of the ${what}: kept where it is free, otherwise given anew`, 101);

export const uuid = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
      'x-message': 'must be a UUID in lower case',
      description,
    }),
  );

/** The targets of a rule; rules of different kinds allow different numbers of them. */
export const aimAt = (maxItems: number) => ({
  partners: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems,
      uniqueItems: true,
      description:
        'References of partners; without these and without categories, the rule applies to all callers',
    }),
  ),
  partnerCategories: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems,
      uniqueItems: true,
      description: 'Slugs of `partnerCategories` of this document',
    }),
  ),
});

/** Members as other routes take them. What they take null for is left out of documents instead. */
export function fieldsOf(properties: TProperties, leftOut: readonly string[] = []): TProperties {
  const named = Object.entries(properties).filter(([name]) => !leftOut.includes(name));
  return Object.fromEntries(named.map(([name, schema]) => [name, withoutNull(schema)]));
}

function withoutNull(schema: TSchema): TSchema {
  const { anyOf, description } = schema as { anyOf?: TSchema[]; description?: string };
  if (!Type.IsOptional(schema) || !anyOf) return schema;
  return Type.Optional(Type.Unsafe({ ...anyOf[0], ...(description !== undefined && { description }) }));
}

/** The members of an object that may be null or left out. */
export const membersOf = (schema: TSchema) =>
  (schema as unknown as { anyOf: [{ properties: TProperties }] }).anyOf[0].properties;
