/** The published description of OCTO, which is read where it lies. */
import { existsSync, readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

const FILE = new URL('../../../../shared/conformance/octo/openapi.yaml', import.meta.url);

/** Why bodies are not compared with it; undefined: they are. */
export const skipReason = existsSync(FILE) ? undefined : 'the published description of OCTO is not here';

interface Operation {
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

export interface Published {
  /** What is wrong with a body that is sent, or answered with a status; `path` is the template of OpenAPI. */
  faultsIn(method: string, path: string, part: 'request' | number, body: unknown): string[];
}

export function readPublished(): Published | undefined {
  if (skipReason !== undefined) return undefined;
  const { paths, components } = parse(readFileSync(FILE, 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
    components: object;
  };
  const ajv = new Ajv({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  ajv.addSchema(withNull({ components }) as object, 'octo');
  const compiled = new Map<object, ValidateFunction>();

  function validatorOf(schema: object): ValidateFunction {
    const known = compiled.get(schema);
    if (known) return known;
    const absolute = JSON.parse(JSON.stringify(withNull(schema)).replaceAll('"#/', '"octo#/'));
    const made = ajv.compile(absolute);
    compiled.set(schema, made);
    return made;
  }

  return {
    faultsIn(method, path, part, body) {
      const what = `${method} ${path} ${part}`;
      const operation = (paths[path] ?? paths[`${path}/`])?.[method.toLowerCase()];
      if (!operation) return [`${what} is not published`];
      const content = part === 'request' ? operation.requestBody : operation.responses[part];
      const schema = content?.content?.['application/json']?.schema;
      if (!schema) return body === undefined ? [] : [`${what} has no body`];
      const validate = validatorOf(schema);
      return validate(body) ? [] : [`${what}: ${ajv.errorsText(validate.errors?.slice(0, 3))}`];
    },
  };
}

/** `nullable` of OpenAPI 3.0 as JSON schema says it. */
function withNull(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNull);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, example: _, ...rest } = schema as Record<string, unknown>;
  const made = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, withNull(value)]));
  return nullable === true ? { anyOf: [made, { type: 'null' }] } : made;
}
