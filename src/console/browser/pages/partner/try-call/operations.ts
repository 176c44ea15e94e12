/** The operations of the partners' interface, as its description has them. */

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  isRequired: boolean;
  description: string;
  /** What can be chosen from; empty: anything. */
  choices: string[];
  example: string;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  summary: string;
  tag: string;
  parameters: Parameter[];
  /** As JSON text; undefined: it takes no body. */
  body: string | undefined;
}

interface Schema {
  enum?: unknown[];
  items?: Schema;
  type?: string;
  example?: unknown;
  examples?: unknown[];
}

interface RawParameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
}

interface RawOperation {
  operationId: string;
  summary?: string;
  tags?: string[];
  parameters?: RawParameter[];
  security?: unknown[];
  requestBody?: {
    content: Record<string, { example?: unknown; examples?: Record<string, { value?: unknown }> }>;
  };
}

export interface OpenApi {
  paths: Record<string, Record<string, RawOperation>>;
  components?: { parameters?: Record<string, RawParameter> };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const PLACES = ['path', 'query', 'header'];

/** Those that a token opens; tokens themselves are got by the page. */
export function operationsOf(document: OpenApi): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const raw = methods[method];
      return raw?.security?.length ? [operationOf(document, method, path, raw)] : [];
    }),
  );
}

function operationOf(document: OpenApi, method: string, path: string, raw: RawOperation): Operation {
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    summary: raw.summary ?? raw.operationId,
    tag: raw.tags?.[0] ?? '',
    parameters: (raw.parameters ?? [])
      .map((parameter) => resolved(document, parameter))
      .filter((parameter) => PLACES.includes(parameter.in))
      .map(parameterOf),
    body: bodyOf(raw),
  };
}

function resolved(document: OpenApi, parameter: RawParameter): RawParameter {
  const name = parameter.$ref?.split('/').at(-1);
  return (name === undefined ? undefined : document.components?.parameters?.[name]) ?? parameter;
}

function parameterOf({ name, in: place, required, description, schema, example }: RawParameter): Parameter {
  const shown = example ?? schema?.example ?? schema?.examples?.[0];
  return {
    name,
    in: place as Parameter['in'],
    isRequired: required === true,
    description: (description ?? '').replaceAll('`', ''),
    choices: (schema?.enum ?? (schema?.type === 'boolean' ? [true, false] : [])).map(String),
    example: shown === undefined ? '' : String(shown),
  };
}

const AHEAD_DAYS = 7;
const DAY_MS = 86_400_000;

/** The example with a day that is to come and a number of its own, so that it can be sent today, and again. */
export function freshBody(body: string, now: Date): string {
  const day = new Date(now.getTime() + AHEAD_DAYS * DAY_MS).toISOString().slice(0, 10);
  const number = now.getTime().toString(36);
  return body
    .replace(/"\d{4}-\d\d-\d\d(?=[T"])/g, `"${day}`)
    .replace(/("partner(?:Booking|Order)Id": ")[^"]*/g, `$1try-${number}`);
}

function bodyOf({ requestBody }: RawOperation): string | undefined {
  if (!requestBody) return undefined;
  const content = Object.entries(requestBody.content).find(([type]) => /json/.test(type))?.[1];
  const example = content?.example ?? Object.values(content?.examples ?? {})[0]?.value ?? {};
  return JSON.stringify(example, null, 2);
}
