import type { FastifySchemaCompiler } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { type Problem, problem } from '../../kernel/problem.ts';
import { explain, type FieldReport, fieldReport, memberPath } from './messages.ts';
import { isObject, type JsonObject } from './schema-helpers.ts';
import { reportUnknownParameters } from './unknown-parameters.ts';

/** What a refusal calls a part of the request when no field of it is to blame. */
const PART_NAMES: Record<string, string> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'headers',
};

const MAX_FIELDS_NAMED = 10;

/** A body with this member may be left out. */
export const OPTIONAL_BODY = 'x-optional-body';

type Validate = (value: unknown, report: FieldReport) => void;

/** For `app.setValidatorCompiler`: TypeBox checks, text is converted, and refusals are `VALID-N-001` with every field. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = 'body' }) => {
  const part = PART_NAMES[httpPart] ?? httpPart;
  const validate = validateBy(schema);
  if (httpPart === 'body') {
    return (body: unknown) => {
      const report = fieldReport();
      if (body !== null && body !== undefined) validate(body, report);
      else if (!(OPTIONAL_BODY in schema)) report.add('', 'is required');
      return report.size > 0 ? { error: refusal(report, part) } : true;
    };
  }
  const readParameters = parameterReader(schema, httpPart);
  return (data: unknown) => {
    const report = fieldReport();
    const { value, isChanged } = readParameters(data, report);
    validate(value, report);
    if (report.size > 0) return { error: refusal(report, part) };
    return isChanged ? { value } : true;
  };
};

/** For values that do not come straight from a request: hands them back, or throws the same refusal. */
export function checkerOf<Schema extends TSchema>(schema: Schema): (value: unknown) => Static<Schema> {
  const validate = validateBy(schema);
  return (value) => {
    const report = fieldReport();
    validate(value, report);
    if (report.size > 0) throw refusal(report, 'body');
    return value as Static<Schema>;
  };
}

/** Compiled when it is first needed, and once however many applications a process has: there are hundreds of them. */
const validators = new WeakMap<TSchema, ReturnType<typeof Compile>>();

function validateBy(schema: TSchema): Validate {
  return (value, report) => {
    const validator = validators.getOrInsertComputed(schema, Compile);
    // What is nested too deeply is not looked at further: some checks walk the whole value.
    if (!isStorable(value) && !reportUnstorable(value, report)) return;
    if (validator.Check(value)) return;
    explain(schema, value, '', report);
    if (report.size === 0) report.add('', 'is not valid');
  };
}

interface Parameters {
  value: Record<string, unknown>;
  /** Headers are handed back only when something was converted: replacing them costs every later read a copy. */
  isChanged: boolean;
}

/** Reads the parameters that the schema names. Others are refused in a query, and passed over among headers. */
function parameterReader(
  schema: TSchema,
  httpPart: string,
): (data: unknown, report: FieldReport) => Parameters {
  const isHeaders = httpPart === 'headers';
  const parameters = parametersOf(schema).map(([name, property]) => ({
    name,
    property,
    // Node writes the names of headers in lower case, schemas may write them as people do.
    sentAs: isHeaders ? name.toLowerCase() : name,
  }));
  const known = new Set(parameters.map(({ name }) => name));
  return (data, report) => {
    const sent = (data ?? {}) as Record<string, string | string[] | undefined>;
    const value: Record<string, unknown> = {};
    let isChanged = !isHeaders;
    for (const { name, property, sentAs } of parameters) {
      const raw = Object.hasOwn(sent, sentAs) ? sent[sentAs] : undefined;
      const converted = convert(property, raw);
      if (converted.isRepeated) report.add(name, 'must be given only once');
      if (converted.value === undefined) continue;
      value[name] = converted.value;
      if (name !== sentAs || converted.value !== raw) isChanged = true;
    }
    if (httpPart === 'querystring') reportUnknownParameters(sent, known, report);
    return { value, isChanged };
  };
}

function refusal(report: FieldReport, part: string): Problem {
  const entries = report.entries().map(([path, messages]): [string, string[]] => [path || part, messages]);
  return problem('VALID-N-001', { detail: sentenceOf(entries), errors: Object.fromEntries(entries) });
}

function sentenceOf(entries: [string, string[]][]): string {
  const [first] = entries;
  if (first && entries.length === 1) return `${first[0]} ${first[1].join(' and ')}.`;
  const names = entries.slice(0, MAX_FIELDS_NAMED).map(([path]) => path);
  const more = entries.length > MAX_FIELDS_NAMED ? ` and ${entries.length - MAX_FIELDS_NAMED} more` : '';
  return `${entries.length} fields are not valid: ${names.join(', ')}${more}.`;
}

/** Deeper than anything the interface knows, and far from where walking a value exhausts the stack. */
const MAX_DEPTH = 64;

const NUL = '\0';

/** PostgreSQL stores neither U+0000 nor half of a surrogate pair. */
function isStorableText(text: string): boolean {
  return !text.includes(NUL) && text.isWellFormed();
}

/** Whether every text inside a value, names included, can be stored and the value is not nested too deeply. */
export function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isStorable(item, depth + 1));
  for (const name of Object.keys(value)) {
    if (!isStorableText(name) || !isStorable((value as Record<string, unknown>)[name], depth + 1))
      return false;
  }
  return true;
}

/** Says which fields made `isStorable` false. Answers false itself when the nesting did, and nothing deeper was read. */
export function reportUnstorable(value: unknown, report: FieldReport, path = '', depth = 0): boolean {
  if (typeof value === 'string') {
    if (!isStorableText(value)) report.add(path, 'contains a character that cannot be stored');
    return true;
  }
  if (typeof value !== 'object' || value === null) return true;
  if (depth === MAX_DEPTH) {
    report.add(path, 'is nested too deeply');
    return false;
  }
  return Object.entries(value).every(([name, member]) => {
    const memberAt = memberPath(path, name);
    if (!isStorableText(name)) report.add(memberAt, 'has a name with a character that cannot be stored');
    return reportUnstorable(member, report, memberAt, depth + 1);
  });
}

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

interface Converted {
  value: unknown;
  /** One value was expected and several came; the first of them stands in `value`. */
  isRepeated: boolean;
}

/** Undefined means that the parameter was not sent; a default then takes its place. */
function convert(schema: unknown, raw: string | string[] | undefined): Converted {
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
