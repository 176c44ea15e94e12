/**
 * `npm run client:types` writes `clients/typescript/src/types.ts` from `openapi.json`: the bodies, answers and query
 * parameters of what partners call, each under its own name, and the problem codes as a union. `--check` writes nothing
 * and fails if the file is not up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

type Json = Record<string, unknown>;
interface Operation {
  operationId: string;
  parameters?: Json[];
  requestBody?: Json;
  responses: Record<string, Json>;
}

const ROOT = join(import.meta.dirname, '..', '..', '..');
const TARGET = join(import.meta.dirname, '..', 'src', 'types.ts');
const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'));

/** Other protocols have clients of their own. */
const LEFT_OUT = /^\/(octo|mcp|problems|\.well-known)/;
const operations = Object.entries<Record<string, Operation>>(document.paths)
  .filter(([path]) => !LEFT_OUT.test(path))
  .flatMap(([, methods]) => Object.values(methods));

/** Members of a schema that no type is made of. */
const NOISE = ['example', 'examples', 'pattern', 'format', 'default', 'title'];

const written = `${await typesOf(namedSchemas())}\n${codesOf(document)}`;
if (process.argv.includes('--check')) {
  if (readFileSync(TARGET, 'utf8') !== written) {
    console.error('clients/typescript/src/types.ts is not up to date: npm run client:types');
    process.exitCode = 1;
  }
} else {
  writeFileSync(TARGET, written);
}

/** What the operations mention, and whatever that mentions; with a schema for the query of each operation. */
function namedSchemas(): Json {
  const all: Json = { ...document.components.schemas };
  const wanted = new Set<string>(['Problem', 'WebhookNotification']);
  for (const operation of operations) {
    const query = queryOf(operation);
    const name = `${operation.operationId[0]?.toUpperCase()}${operation.operationId.slice(1)}Query`;
    if (query) {
      all[name] = query;
      wanted.add(name);
    }
    const answers = Object.entries(operation.responses).filter(([status]) => status < '300');
    for (const schema of referencesIn([operation.requestBody, answers.map(([, answer]) => answer)])) {
      wanted.add(schema);
    }
  }
  // A set is walked in the order of insertion, also over what is added meanwhile.
  for (const name of wanted) for (const further of referencesIn(all[name])) wanted.add(further);
  return Object.fromEntries([...wanted].sort().map((name) => [name, withoutNoise(all[name])]));
}

/** What `fields` selects has the same members, all of them optional: the client says that in one line. */
function referencesIn(value: unknown): string[] {
  const found = JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  return [...found]
    .map(([, name = '']) => name)
    .filter((name) => !name.endsWith('Selection') && !name.startsWith('Toon'));
}

function queryOf({ parameters = [] }: Operation): Json | undefined {
  const inQuery = parameters
    .map((parameter) =>
      typeof parameter.$ref === 'string'
        ? document.components.parameters[parameter.$ref.split('/').at(-1) ?? '']
        : parameter,
    )
    .filter((parameter) => parameter.in === 'query');
  if (inQuery.length === 0) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(
      inQuery.map(({ name, schema, description }) => [name, { description, ...schema }]),
    ),
    required: inQuery.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** Examples and bounds are in the reference; here they would be most of the file. */
function withoutNoise(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value) =>
      NOISE.includes(key) && (key === 'examples' || typeof value !== 'object') ? undefined : value,
    ),
  );
}

/** The generator nests all schemas in one interface; here each is a type of its own, so that editors show its name. */
async function typesOf(all: Json): Promise<string> {
  const openapi = { openapi: '3.1.0', info: { title: '', version: '' }, components: { schemas: all } };
  const nested = astToString(await openapiTS(openapi as OpenAPI3));
  const [, body = ''] = /\n {4}schemas: \{\n(.*?)\n {4}\};\n/s.exec(nested) ?? [];
  const types = body
    .split('\n')
    .map((line) => line.slice(8).replace(/^( {4})+/, (indent) => indent.slice(indent.length / 2)))
    .join('\n')
    .replace(/^(\w+): /gm, '\nexport type $1 = ')
    .replace(/(\/\*\* .*? \*\/|\/\*\*\n(?: \*.*\n)+? \*\/)\n\nexport/g, '\n$1\nexport')
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1')
    .replaceAll('@description ', '')
    .replaceAll(/^ *(\/\*\* @enum \{[\w|]+\} \*\/|\* @enum \{[\w|]+\})\n/gm, '');
  return `/** Made from openapi.json by \`npm run client:types\`. Do not edit. */\n${types}\n`;
}

function codesOf(source: unknown): string {
  const codes = [...new Set(JSON.stringify(source).match(/\b[A-Z]+-[NR]-\d{3}\b/g))].sort();
  return `/** Every code that a partner can meet. More can come with any version. */\nexport type ProblemCode =\n${codes.map((code) => `  | '${code}'`).join('\n')};\n`;
}
