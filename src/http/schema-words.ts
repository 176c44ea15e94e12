import { type TEnum, type TSchema, Type } from 'typebox';
import { CLOCK_TIME_PATTERN, COMPONENT, PATTERN_MESSAGE, PUBLISHED } from './openapi-components.ts';

/** Words that the schemas of all features are written in. */

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
