import { isDeepStrictEqual } from 'node:util';
import { isProblemCode } from '../kernel/problem-catalogue.ts';
import { isObject, type JsonObject } from './json-schema.ts';
import { hoistComponents, sortedByName } from './openapi-components.ts';
import { LIVE } from './openapi-operation.ts';
import { plainExample } from './openapi-problems.ts';
import { OPTIONAL_BODY } from './validation.ts';

/**
 * What is left to do when all operations are drawn up one by one: whatever they share is said once, in the
 * components, and everything gets its place.
 */

const text = (maxLength: number) => ({ type: 'string', maxLength });

/** Without examples: tools send a header along as soon as it has one. */
const PARAMETERS = {
  PartnerReference: {
    name: 'X-Partner-Reference',
    in: 'header',
    description:
      'The partner that an agent acts for. Agents send it with every call; others have no need to.',
    schema: text(100),
  },
  CorrelationId: {
    name: 'X-Correlation-ID',
    in: 'header',
    description:
      'Your own id for this call, which comes back in the answer: 1 to 128 visible ASCII characters. A longer or ' +
      'other one is not refused but replaced by a new one, as is one that is absent.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of the answer you have; while nothing has changed, you get 304 and no body.',
    schema: { type: 'string' },
  },
};

const header = (type: string, description: string, example: unknown) => ({
  description,
  schema: { type },
  example,
});

const HEADERS = {
  'X-Correlation-ID': header(
    'string',
    'The id of this call in our logs: yours where it could be taken',
    'checkout-7421',
  ),
  'X-RateLimit-Limit': header('integer', 'Calls allowed in a window of 60 s', 200),
  'X-RateLimit-Remaining': header('integer', 'Calls left in this window', 187),
  'X-RateLimit-Reset': header('integer', 'When the window ends, in Unix seconds', 1_790_000_040),
  ETag: header('string', 'Names this state of the answer', '"json-3vTq0cYk1m9uWc2bJ0yQp8xZrLs"'),
  'Retry-After': header('integer', 'Seconds to wait before the next attempt', 5),
  'WWW-Authenticate': header('string', 'How to identify yourself, or what the token lacks', 'Bearer'),
};

type HeaderName = keyof typeof HEADERS;

const OF_EVERY_ANSWER: HeaderName[] = ['X-Correlation-ID'];
const OF_COUNTED_ANSWERS: HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

interface Operation extends JsonObject {
  tags?: string[];
  security?: JsonObject[];
  parameters?: JsonObject[];
  requestBody?: JsonObject;
  responses: Record<string, JsonObject>;
}

const canBeKept = (method: string, operation: Operation) =>
  method === 'get' && isIdentified(operation) && operation[LIVE] !== true;
const isIdentified = (operation: Operation) => (operation.security?.length ?? 0) > 0;

function headersOf(status: string, method: string, operation: Operation): HeaderName[] {
  const isCounted = isIdentified(operation);
  const hasTag = canBeKept(method, operation) && (status === '200' || status === '304');
  return [
    ...OF_EVERY_ANSWER,
    ...(isCounted ? OF_COUNTED_ANSWERS : []),
    ...(hasTag ? (['ETag'] as const) : []),
    // The only problem with status 500 may be retried like those that say «later».
    ...(['429', '500', '503'].includes(status) ? (['Retry-After'] as const) : []),
    ...(status === '401' || (status === '403' && isCounted) ? (['WWW-Authenticate'] as const) : []),
  ];
}

function reference(kind: 'parameters' | 'headers' | 'examples', name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Comma lists are marked for our own reader of parameters; OpenAPI has words of its own for them. */
function finishParameter(parameter: JsonObject): JsonObject {
  const { required, schema, ...rest } = parameter;
  const { 'x-comma': isCommaList, ...plain } = isObject(schema) ? schema : {};
  return {
    ...rest,
    ...(rest.in === 'header' && { name: headerName(String(rest.name)) }),
    ...(required ? { required } : {}),
    ...(isCommaList ? { style: 'form', explode: false } : {}),
    schema: plain,
  };
}

/** Schemas name headers as Node does; people write `X-Booking-Source`. */
const headerName = (name: string) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());

const PLACES = ['path', 'query', 'header'];

function parametersOf(method: string, operation: Operation): JsonObject[] {
  const own = (operation.parameters ?? []).map(finishParameter);
  own.sort((a, b) => PLACES.indexOf(String(a.in)) - PLACES.indexOf(String(b.in)));
  if (!isIdentified(operation)) return [...own, reference('parameters', 'CorrelationId')];
  const shared = [
    'PartnerReference',
    'CorrelationId',
    ...(canBeKept(method, operation) ? ['IfNoneMatch'] : []),
  ];
  return [...own, ...shared.map((name) => reference('parameters', name))];
}

/** An example of a problem that says nothing about this operation in particular is shared by all of them. */
function shareExamples(response: JsonObject, shared: JsonObject): JsonObject {
  const content = isObject(response.content) ? response.content : {};
  const media = content['application/problem+json'];
  if (!isObject(media) || !isObject(media.examples)) return response;
  const examples = Object.entries(media.examples).map(([code, example]) => {
    const isPlain =
      isProblemCode(code) && isObject(example) && isDeepStrictEqual(example.value, plainExample(code));
    if (!isPlain) return [code, example];
    shared[code] = example;
    return [code, reference('examples', code)];
  });
  const finished = { ...media, examples: Object.fromEntries(examples) };
  return { ...response, content: { ...content, 'application/problem+json': finished } };
}

function finishOperation(method: string, operation: Operation, sharedExamples: JsonObject): Operation {
  const responses: Operation['responses'] = { ...operation.responses };
  if (canBeKept(method, operation)) {
    responses[304] = { description: 'Nothing has changed since the answer that `If-None-Match` names' };
  }
  for (const [status, response] of Object.entries(responses)) {
    const names = headersOf(status, method, operation);
    const headers = Object.fromEntries(names.map((name) => [name, reference('headers', name)]));
    responses[status] = { ...shareExamples(response, sharedExamples), headers };
  }
  const { responses: _, parameters: __, [LIVE]: ___, [OPTIONAL_BODY]: isOptional, ...rest } = operation;
  const { requestBody, ...plain } = rest;
  const body = isOptional ? { ...requestBody, required: false } : requestBody;
  const parameters = parametersOf(method, operation);
  return { ...plain, parameters, ...(body ? { requestBody: body } : {}), responses };
}

/** In the order of their tags, so that the reference page reads like a book; then by path, the well-known ones last. */
function sortedPaths(paths: [string, Record<string, Operation>][], tags: string[]) {
  const chapter = (item: Record<string, Operation>) =>
    Math.min(...Object.values(item).map((operation) => tags.indexOf(operation.tags?.[0] ?? '')));
  const rank = (path: string) => path.replace('/.', '/~');
  return paths.sort(([a, one], [b, other]) => chapter(one) - chapter(other) || (rank(a) < rank(b) ? -1 : 1));
}

/** From what `@fastify/swagger` collected to the document that is published. */
export function finishDocument(collected: JsonObject): JsonObject {
  const { openapi, info, servers, tags, paths, components, ...rest } = hoistComponents(collected);
  const examples: JsonObject = {};
  const finished = Object.entries((paths ?? {}) as Record<string, Record<string, Operation>>).map(
    ([path, item]): [string, Record<string, Operation>] => {
      const operations = Object.entries(item).map(([method, operation]) => [
        method,
        finishOperation(method, operation, examples),
      ]);
      return [path, Object.fromEntries(operations)];
    },
  );
  const tagNames = ((tags ?? []) as { name: string }[]).map(({ name }) => name);
  return {
    openapi,
    info,
    servers,
    tags,
    paths: Object.fromEntries(sortedPaths(finished, tagNames)),
    components: {
      ...(isObject(components) ? components : {}),
      parameters: PARAMETERS,
      headers: HEADERS,
      examples: sortedByName(examples),
    },
    ...rest,
  };
}
