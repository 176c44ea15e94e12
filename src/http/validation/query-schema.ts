import Type, { type TArray, type TOptional, type TSchema, type TSchemaOptions } from 'typebox';

/**
 * A parameter with a default: callers may leave it out, handlers always find it. The schema is optional, so the
 * OpenAPI document says so too, and only the static type is not.
 */
export function Defaulted<Schema extends TSchema>(schema: Schema): Schema {
  return Type.Optional(schema) as unknown as Schema;
}

/** An optional list that travels in one parameter, `features=terrace,vegan`. */
export function CommaList<Item extends TSchema>(
  item: Item,
  options: TSchemaOptions = {},
): TOptional<TArray<Item>> {
  return Type.Optional(Type.Array(item, { ...options, 'x-comma': true }));
}
