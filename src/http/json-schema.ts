export type JsonObject = Record<string, unknown>;

/** True for what JSON calls an object, whether it is a schema or a value to be checked by one. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
