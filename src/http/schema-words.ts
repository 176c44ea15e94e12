import { type TEnum, type TSchema, Type } from 'typebox';
import { COMPONENT } from './openapi-components.ts';

/** Words that the schemas of all features are written in. */

/** `options`: where they are not those of the schema. */
export const nullable = <T extends TSchema>(schema: T, options = {}) =>
  Type.Union([schema, Type.Null()], options);

/** Of what is sent: a field that is null counts as left out. */
export const optional = <T extends TSchema>(schema: T, description?: string) =>
  Type.Optional(nullable(schema, description === undefined ? {} : { description }));

/** Named in the OpenAPI document, so that generated clients have a type of that name. */
export const named = (name: string, description: string) => ({ [COMPONENT]: name, description });

export const oneOf = <const T extends readonly string[]>(values: T, options = {}): TEnum<[...T]> =>
  Type.Enum(values as readonly string[], options) as unknown as TEnum<[...T]>;

export const text = (description: string) => Type.String({ description });

export const pence = (description: string) => Type.Integer({ description: `${description}, in pence` });
