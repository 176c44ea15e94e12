import { Check } from 'typebox/schema';
import { formatMessage } from './formats.ts';
import { isObject, type JsonObject, PATTERN_MESSAGE } from './schema-helpers.ts';

/**
 * Says in plain English why a value does not fit its schema. Runs only after the compiled check has refused it, so it
 * may take its time; whether a single keyword holds is still decided by the validator's own rules.
 */

const TYPE_MESSAGES: Record<string, string> = {
  integer: 'must be a whole number',
  number: 'must be a number',
  string: 'must be text',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  null: 'must be null',
};

const counted = (count: unknown, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
const listed = (values: unknown) => (values as unknown[]).map(String).join(', ');

/** Keyword → message. `type`, `const` and `enum` come before these: there is no point in measuring the wrong thing. */
const KEYWORD_MESSAGES: Record<string, (limit: unknown, schema: JsonObject) => string> = {
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  exclusiveMinimum: (limit) => `must be more than ${limit}`,
  exclusiveMaximum: (limit) => `must be less than ${limit}`,
  multipleOf: (limit) => `must be a multiple of ${limit}`,
  minLength: (limit) =>
    limit === 1 ? 'must not be empty' : `must have at least ${counted(limit, 'character')}`,
  maxLength: (limit) => `must have at most ${counted(limit, 'character')}`,
  minItems: (limit) => (limit === 1 ? 'must not be empty' : `must have at least ${counted(limit, 'item')}`),
  maxItems: (limit) => `must have at most ${counted(limit, 'item')}`,
  uniqueItems: () => 'must not contain the same item twice',
  minProperties: (limit) =>
    limit === 1 ? 'must not be empty' : `must have at least ${counted(limit, 'field')}`,
  maxProperties: (limit) => `must have at most ${counted(limit, 'field')}`,
  format: (name) => formatMessage(String(name)),
  // A pattern explains nothing to a reader; schemas that use one say in words what they expect.
  pattern: (_pattern, schema) => String(schema[PATTERN_MESSAGE] ?? 'is not in the expected form'),
};

export function explain(schema: unknown, whole: unknown, path: string, report: FieldReport): void {
  if (report.isFull || !isObject(schema)) return;
  const value = withinLimit(schema, whole);
  const mismatch = mismatchOf(schema, value);
  if (mismatch) {
    report.add(path, mismatch);
    return;
  }
  for (const [keyword, message] of Object.entries(KEYWORD_MESSAGES)) {
    if (keyword in schema && !holds(schema, keyword, value))
      report.add(path, message(schema[keyword], schema));
  }
  if (Array.isArray(schema.allOf)) for (const part of schema.allOf) explain(part, value, path, report);
  if (Array.isArray(schema.anyOf)) explainAlternatives(schema.anyOf, value, path, report);
  if (Array.isArray(value)) explainItems(schema, value, path, report);
  else if (isObject(value)) explainMembers(schema, value, path, report);
}

/** Entries beyond the limit of a list are not checked: a body of one MiB can hold hundreds of thousands. */
function withinLimit(schema: JsonObject, value: unknown): unknown {
  const { maxItems } = schema;
  return Array.isArray(value) && typeof maxItems === 'number' && value.length > maxItems + 1
    ? value.slice(0, maxItems + 1)
    : value;
}

function holds(schema: JsonObject, keyword: string, value: unknown): boolean {
  return Check({ [keyword]: schema[keyword] }, value);
}

function mismatchOf(schema: JsonObject, value: unknown): string | undefined {
  if ('enum' in schema && !holds(schema, 'enum', value)) return `must be one of ${listed(schema.enum)}`;
  if ('const' in schema && !holds(schema, 'const', value)) return `must be ${schema.const}`;
  if ('type' in schema && !holds(schema, 'type', value)) {
    const own = 'pattern' in schema ? undefined : schema[PATTERN_MESSAGE];
    return String(own ?? TYPE_MESSAGES[String(schema.type)] ?? 'is not valid');
  }
  return undefined;
}

function explainItems(schema: JsonObject, items: unknown[], path: string, report: FieldReport): void {
  for (const [index, item] of items.entries()) explain(schema.items, item, memberPath(path, index), report);
}

function explainMembers(schema: JsonObject, value: JsonObject, path: string, report: FieldReport): void {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const name of required) {
    if (!(name in value)) report.add(memberPath(path, name), 'is required');
  }
  for (const [name, property] of Object.entries(properties)) {
    if (Object.hasOwn(value, name) && value[name] !== undefined) {
      explain(property, value[name], memberPath(path, name), report);
    }
  }
  explainOthers(schema, properties, value, path, report);
}

/** Members that the schema does not name: of a record, of an open object, or ones that do not belong here. */
function explainOthers(
  schema: JsonObject,
  properties: JsonObject,
  value: JsonObject,
  path: string,
  report: FieldReport,
): void {
  const patterns = Object.entries(isObject(schema.patternProperties) ? schema.patternProperties : {}).map(
    ([pattern, property]) => ({ pattern: new RegExp(pattern, 'u'), property }),
  );
  let unknown = 0;
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(properties, name)) continue;
    const matching = patterns.filter(({ pattern }) => pattern.test(name));
    for (const { property } of matching) explain(property, value[name], memberPath(path, name), report);
    if (matching.length > 0) continue;
    if (schema.additionalProperties !== false)
      explain(schema.additionalProperties, value[name], memberPath(path, name), report);
    else if (++unknown <= MAX_UNKNOWN_NAMED) report.add(memberPath(path, name), 'is not a known field');
  }
  reportUnnamed(unknown, 'field', path, report);
}

interface Attempt {
  option: unknown;
  report: FieldReport;
}

function explainAlternatives(options: unknown[], value: unknown, path: string, report: FieldReport): void {
  const kinds = isObject(value) ? kindsOf(options) : undefined;
  if (kinds && isObject(value) && Object.hasOwn(value, kinds.member)) {
    explainKind(kinds, value, path, report);
    return;
  }
  const attempts = options.map((option): Attempt => ({ option, report: fieldReport() }));
  for (const attempt of attempts) explain(attempt.option, value, path, attempt.report);
  if (attempts.some((attempt) => attempt.report.size === 0)) return;
  // «or null» is left out: a caller that sent a value did not mean null.
  const serious = attempts.filter(({ option }) => !isObject(option) || option.type !== 'null');
  const closest = closestOf(serious, value);
  if (!closest) {
    report.add(path, choiceOf(serious));
    return;
  }
  for (const [at, messages] of closest.report.entries()) {
    for (const message of messages) report.add(at, message);
  }
}

/** Objects of several kinds, with the member that tells one kind from another. */
interface Kinds {
  member: string;
  byConstant: Map<unknown, unknown>;
}

function kindsOf(options: unknown[]): Kinds | undefined {
  const constantsOf = (option: unknown) =>
    Object.entries((isObject(option) && isObject(option.properties) && option.properties) || {}).flatMap(
      ([name, property]) =>
        isObject(property) && 'const' in property ? [[name, property.const] as const] : [],
    );
  for (const [member] of constantsOf(options[0])) {
    const byConstant = new Map(
      options.flatMap((option) => {
        const found = constantsOf(option).find(([name]) => name === member);
        return found ? [[found[1], option] as const] : [];
      }),
    );
    if (byConstant.size === options.length) return { member, byConstant };
  }
  return undefined;
}

/** The value says which kind it means to be, so it is held against no other. */
function explainKind(
  { member, byConstant }: Kinds,
  value: JsonObject,
  path: string,
  report: FieldReport,
): void {
  const kind = byConstant.get(value[member]);
  if (kind) explain(kind, value, path, report);
  else report.add(memberPath(path, member), `must be one of ${listed([...byConstant.keys()])}`);
}

/** Of the options whose type fits, the one with the fewest faults is most likely the intended one. */
function closestOf(attempts: Attempt[], value: unknown): Attempt | undefined {
  if (attempts.length === 1) return attempts[0];
  const fitting = attempts.filter(({ option }) => isObject(option) && !mismatchOf(option, value));
  return fitting.sort((a, b) => a.report.size - b.report.size)[0];
}

function choiceOf(attempts: Attempt[]): string {
  const constants = attempts.map(({ option }) => (isObject(option) ? option.const : undefined));
  if (constants.every((constant) => constant !== undefined)) return `must be one of ${listed(constants)}`;
  const messages = attempts.flatMap((attempt) => attempt.report.entries().flatMap(([, texts]) => texts));
  return [...new Set(messages)].join(' or ');
}

/** What is wrong, field by field, bounded so that a hostile request does not get a hostile answer. */
export interface FieldReport {
  add(path: string, message: string): void;
  readonly isFull: boolean;
  readonly size: number;
  entries(): [path: string, messages: string[]][];
}

const MAX_FIELDS = 100;
const MAX_NAME_LENGTH = 100;
/** Of fields or parameters that do not exist; the others are counted. */
export const MAX_UNKNOWN_NAMED = 20;

export function fieldReport(): FieldReport {
  // A map, because a field may well be called `__proto__`.
  const errors = new Map<string, string[]>();
  return {
    add(path, message) {
      const messages = errors.get(path);
      if (messages?.includes(message)) return;
      if (messages) messages.push(message);
      else if (errors.size < MAX_FIELDS) errors.set(path, [message]);
    },
    get isFull() {
      return errors.size >= MAX_FIELDS;
    },
    get size() {
      return errors.size;
    },
    entries: () => [...errors],
  };
}

/** `preorders.menus.0.id`; names that callers made up are shortened. */
export function memberPath(path: string, name: string | number): string {
  const text = String(name);
  const shown = text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH)}…` : text;
  return path === '' ? shown : `${path}.${shown}`;
}

/** The number of unknown fields or parameters in one place that were not named one by one. */
export function reportUnnamed(
  unknown: number,
  kind: 'field' | 'parameter',
  path: string,
  report: FieldReport,
): void {
  const unnamed = unknown - MAX_UNKNOWN_NAMED;
  if (unnamed > 0) report.add(path, `has ${unnamed} more unknown ${kind}${unnamed === 1 ? '' : 's'}`);
}
