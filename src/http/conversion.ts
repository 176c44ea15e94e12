import { isObject, type JsonObject } from './json-schema.ts';

/**
 * Query, path and header values arrive as text. They are turned into what their schema asks for when they are written
 * exactly like it, and left as text otherwise, which the check then refuses.
 */

const INTEGER = /^-?\d{1,15}$/;
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,15})?$/;

function convertText(schema: unknown, text: string): unknown {
  if (!isObject(schema)) return text;
  if (Array.isArray(schema.anyOf)) return convertByOption(schema.anyOf, text);
  switch (schema.type) {
    case 'integer':
      return INTEGER.test(text) ? withoutNegativeZero(Number(text)) : text;
    case 'number':
      return DECIMAL.test(text) ? withoutNegativeZero(Number(text)) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    default:
      return text;
  }
}

function convertByOption(options: unknown[], text: string): unknown {
  for (const option of options) {
    const converted = convertText(option, text);
    if (converted !== text) return converted;
  }
  return text;
}

function withoutNegativeZero(value: number): number {
  return value + 0;
}

function convertList(schema: JsonObject, texts: string[]): unknown[] {
  const pieces = schema['x-comma'] === true ? texts.flatMap(piecesOf) : texts;
  return pieces.map((piece) => convertText(schema.items, piece));
}

function piecesOf(text: string): string[] {
  return text.trim() === '' ? [] : text.split(',').map((piece) => piece.trim());
}

export interface Converted {
  value: unknown;
  /** One value was expected and several came; the first of them stands in `value`. */
  isRepeated: boolean;
}

/** Undefined means that the parameter was not sent; a default then takes its place. */
export function convert(schema: unknown, raw: string | string[] | undefined): Converted {
  if (raw === undefined) {
    const fallback = isObject(schema) ? schema.default : undefined;
    // Handlers own what they are given, so a list or an object is copied.
    return { value: typeof fallback === 'object' ? structuredClone(fallback) : fallback, isRepeated: false };
  }
  if (isObject(schema) && schema.type === 'array') {
    return { value: convertList(schema, Array.isArray(raw) ? raw : [raw]), isRepeated: false };
  }
  if (Array.isArray(raw)) return { value: convertText(schema, raw[0] ?? ''), isRepeated: raw.length > 1 };
  return { value: convertText(schema, raw), isRepeated: false };
}

/** The parameters that a schema names, also those of the parts of an intersection. */
export function parametersOf(schema: unknown): [name: string, schema: unknown][] {
  if (!isObject(schema)) return [];
  const own = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  return Array.isArray(schema.allOf) ? [...own, ...schema.allOf.flatMap(parametersOf)] : own;
}
