/** What the OpenAPI documents promise, in the form that the fuzzer asks and judges by. */
import { readFileSync } from 'node:fs';
import { Compile } from 'typebox/schema';
import { OPENAPI_FILES } from '../../scripts/openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema, of which each reader knows the keywords it looks for.
export type Schema = any;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}

export interface Operation {
  /** As in `GET /venues/{venueId}`. */
  name: string;
  method: string;
  path: string;
  isPublic: boolean;
  parameters: Parameter[];
  /** The media types of its body; none: it takes no body. */
  bodyTypes: string[];
  bodySchema: Schema;
  bodyExamples: unknown[];
  /** What it may answer, with the problem codes it names under each status. */
  codesByStatus: Map<number, Set<string>>;
  /** The media types that it may answer with, by status. */
  typesByStatus: Map<number, string[]>;
  /** The faults of a body that was sent with this status; empty where the document shows no JSON for it. */
  faultsOf(status: number, body: unknown): unknown[];
}

interface RawOperation {
  security?: unknown[];
  parameters?: (Parameter & { $ref?: string })[];
  requestBody?: { content: Record<string, RawContent> };
  responses: Record<string, RawResponse>;
}

interface RawResponse {
  content?: Record<string, RawContent>;
}

interface RawContent {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
}

export interface RawDocument {
  paths: Record<string, Record<string, RawOperation>>;
  components: Record<string, Record<string, Schema>>;
}

/** All operations, of both documents. */
export function readOperations(): Operation[] {
  return Object.values(OPENAPI_FILES).flatMap((file) => operationsOf(JSON.parse(readFileSync(file, 'utf8'))));
}

export function operationsOf(document: RawDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .map(([method, raw]) => operationOf(document, method.toUpperCase(), path, raw))
      // A stream never ends.
      .filter(({ typesByStatus }) => typesByStatus.get(200)?.join() !== 'text/event-stream'),
  );
}

function operationOf(document: RawDocument, method: string, path: string, raw: RawOperation): Operation {
  const content = raw.requestBody?.content ?? {};
  const [body] = Object.values(content);
  const validators = new Map<number, ReturnType<typeof Compile> | undefined>();
  const responses = Object.fromEntries(
    Object.entries(raw.responses).map(([status, response]) => [
      status,
      resolved(document, response) as RawResponse,
    ]),
  );
  return {
    name: `${method} ${path}`,
    method,
    path,
    isPublic: raw.security?.length === 0,
    parameters: (raw.parameters ?? []).map((parameter) => inlined(document, parameter)),
    bodyTypes: Object.keys(content),
    bodySchema: body?.schema && inlined(document, body.schema),
    bodyExamples: examplesOf(body),
    codesByStatus: new Map(
      Object.entries(responses).map(([status, { content }]) => [
        Number(status),
        new Set(
          Object.keys(
            content?.['application/problem+json']?.examples ?? content?.['application/json']?.examples ?? {},
          ),
        ),
      ]),
    ),
    typesByStatus: new Map(
      Object.entries(responses).map(([status, { content }]) => [Number(status), Object.keys(content ?? {})]),
    ),
    faultsOf(status, answer) {
      if (!validators.has(status)) {
        const schema = responses[status]?.content?.['application/json']?.schema;
        validators.set(status, schema && Compile(inlined(document, schema)));
      }
      const [isValid, faults] = validators.get(status)?.Errors(answer) ?? [true, []];
      return isValid ? [] : faults.slice(0, 3);
    },
  };
}

function examplesOf(body: RawContent | undefined): unknown[] {
  if (!body) return [];
  if (body.example !== undefined) return [body.example];
  return Object.values(body.examples ?? {}).map(({ value }) => value);
}

/** What a reference names, and anything else as it is; references inside of it stay. */
export function resolved(document: RawDocument, value: Schema): Schema {
  if (typeof value?.$ref !== 'string') return value;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  return document.components[kind]?.[name];
}

/** The same with every reference replaced by what it names; one that leads back into itself says nothing. */
function inlined(document: RawDocument, value: Schema, within: readonly string[] = []): Schema {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => inlined(document, entry, within));
  if (typeof value.$ref === 'string') {
    if (within.includes(value.$ref)) return {};
    return inlined(document, resolved(document, value), [...within, value.$ref]);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, inlined(document, member, within)]),
  );
}
