import type { FastifySchemaCompiler } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { type Problem, problem } from '../kernel/problem.ts';
import { convert, parametersOf } from './conversion.ts';
import { explain } from './explain.ts';
import { type FieldReport, fieldReport } from './field-report.ts';
import { isStorable, reportUnstorable } from './storable.ts';
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
