import { type FieldErrors, problem } from './problem.ts';

/**
 * JSON Patch (RFC 6902) with the three operations of the interface, on pointers of RFC 6901. A patch applies
 * whole or not at all, and what it is given stays as it was.
 */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export type Operation = { op: 'add' | 'replace'; path: string; value: Json } | { op: 'remove'; path: string };

export const MAX_OPERATIONS = 1000;
const MAX_POINTER_LENGTH = 1000;
/** Writing through these would change every object of the program. */
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

/** Why one operation cannot be applied. */
class Inapplicable extends Error {}

/** The patched copy; throws `VALID-N-001` that names each operation it cannot read, or the first it cannot apply. */
export function applyPatch(document: Json, patch: unknown): Json {
  const operations = operationsOf(patch);
  let patched = structuredClone(document);
  for (const [index, operation] of operations.entries()) {
    try {
      patched = apply(patched, operation);
    } catch (error) {
      if (!(error instanceof Inapplicable)) throw error;
      throw refusal({ [`${index}.path`]: [error.message] });
    }
  }
  return patched;
}

function refusal(errors: FieldErrors) {
  return problem('VALID-N-001', { detail: 'The patch was not applied.', errors });
}

/** Reads a patch without touching any document; all operations that cannot be read are named at once. */
export function operationsOf(patch: unknown): Operation[] {
  if (!Array.isArray(patch)) throw refusal({ body: ['must be a list of operations'] });
  if (patch.length > MAX_OPERATIONS)
    throw refusal({ body: [`must have at most ${MAX_OPERATIONS} operations`] });
  const errors: FieldErrors = {};
  for (const [index, candidate] of patch.entries()) Object.assign(errors, errorsIn(candidate, index));
  if (Object.keys(errors).length > 0) throw refusal(errors);
  return patch as Operation[];
}

function errorsIn(candidate: unknown, index: number): FieldErrors {
  if (typeof candidate !== 'object' || candidate === null || Array.isArray(candidate)) {
    return { [index]: ['must be an operation'] };
  }
  const { op, path } = candidate as Record<string, unknown>;
  const errors: FieldErrors = {};
  if (op !== 'add' && op !== 'remove' && op !== 'replace') {
    errors[`${index}.op`] = ['must be one of add, remove, replace'];
  }
  if (typeof path !== 'string' || path.length > MAX_POINTER_LENGTH || !isPointer(path)) {
    errors[`${index}.path`] = ['must be a JSON pointer, such as /notes'];
  }
  if ((op === 'add' || op === 'replace') && (candidate as Record<string, unknown>).value === undefined) {
    errors[`${index}.value`] = ['is required'];
  }
  return errors;
}

function isPointer(text: string): boolean {
  return (text === '' || text.startsWith('/')) && !/~(?![01])/.test(text);
}

/** The names and indexes that a pointer goes through. */
export function tokensOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function apply(document: Json, operation: Operation): Json {
  const tokens = tokensOf(operation.path);
  const last = tokens.pop();
  if (last === undefined) {
    if (operation.op === 'remove')
      throw new Inapplicable('names the whole document, which cannot be removed');
    return structuredClone(operation.value);
  }
  const parent = tokens.reduce(stepInto, document);
  if (Array.isArray(parent)) applyToList(parent, last, operation);
  else if (isObject(parent)) applyToObject(parent, last, operation);
  else throw new Inapplicable('leads through a value that has no members');
  return document;
}

function stepInto(value: Json, token: string): Json {
  if (Array.isArray(value)) return value[existingIndex(value, token)] as Json;
  if (isObject(value)) return value[existingName(value, token)] as Json;
  throw new Inapplicable('leads through a value that has no members');
}

function applyToList(list: Json[], token: string, operation: Operation): void {
  switch (operation.op) {
    case 'add': {
      const index = token === '-' ? list.length : indexOf(token);
      if (index > list.length) throw new Inapplicable('lies beyond the end of the list');
      list.splice(index, 0, structuredClone(operation.value));
      return;
    }
    case 'replace':
      list[existingIndex(list, token)] = structuredClone(operation.value);
      return;
    case 'remove':
      list.splice(existingIndex(list, token), 1);
  }
}

function applyToObject(object: { [name: string]: Json }, token: string, operation: Operation): void {
  if (FORBIDDEN_NAMES.has(token)) throw new Inapplicable('has a name that is not allowed');
  if (operation.op === 'add') object[token] = structuredClone(operation.value);
  else if (operation.op === 'replace') object[existingName(object, token)] = structuredClone(operation.value);
  else delete object[existingName(object, token)];
}

function existingName(object: object, token: string): string {
  if (Object.hasOwn(object, token) && !FORBIDDEN_NAMES.has(token)) return token;
  throw new Inapplicable('leads to nothing');
}

function existingIndex(list: Json[], token: string): number {
  const index = indexOf(token);
  if (index < list.length) return index;
  throw new Inapplicable('leads to nothing');
}

function indexOf(token: string): number {
  if (/^(0|[1-9]\d{0,9})$/.test(token)) return Number(token);
  throw new Inapplicable('needs the index of an entry where it goes through a list');
}

function isObject(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
