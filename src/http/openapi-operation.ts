import type { FastifySchema } from 'fastify';
import type { Scope } from './caller.ts';
import { parametersOf } from './conversion.ts';
import { isObject, type JsonObject } from './json-schema.ts';
import { COMPONENT } from './openapi-components.ts';
import { problemResponses } from './openapi-problems.ts';
import { withSelection } from './openapi-selection.ts';
import type { Access, RouteFacts } from './route.ts';
import { OPTIONAL_BODY } from './validation.ts';

/**
 * Two words of `@fastify/swagger` that we understand at the root of a response schema: what to say about the answer
 * where the description of the schema says something else, and examples by name.
 */
const RESPONSE_DESCRIPTION = 'x-response-description';
const NAMED_EXAMPLES = 'x-examples';
/** Tells the finishing of the document, which no longer sees the route, that its answers cannot be kept. */
export const LIVE = 'x-live';

const SHOWN_IN_TOON = 'data[2]{id,name}:\n  1|house|soho-grill,Soho Grill\n  2|house|night-owl,Night Owl';
const TOON = {
  [COMPONENT]: 'Toon',
  type: 'string',
  description: 'The same as TOON text',
  examples: [SHOWN_IN_TOON],
};
const TOON_IN_JSON = {
  [COMPONENT]: 'ToonInJson',
  type: 'object',
  description: 'TOON text for clients that insist on JSON',
  required: ['toon'],
  properties: { toon: { type: 'string' } },
  examples: [{ toon: SHOWN_IN_TOON }],
};

/** The same answer in each form in which it can be asked for. What TOON looks like is shown once, in its schema. */
function contentOf(schema: JsonObject, example: unknown, route: RouteFacts): JsonObject {
  const shown = example === undefined ? {} : { example };
  return {
    'application/json': { schema, ...shown },
    ...(route.access === 'public' ? {} : { 'text/toon': { schema: TOON } }),
    ...(route.interface === 'listings'
      ? { 'application/vnd.service.toon+json': { schema: TOON_IN_JSON } }
      : {}),
  };
}

const takesFields = ({ querystring }: FastifySchema) =>
  parametersOf(querystring).some(([name]) => name === 'fields');

function responseOf(
  status: string,
  response: JsonObject,
  route: RouteFacts,
  isSelectable: boolean,
): JsonObject {
  const { [RESPONSE_DESCRIPTION]: said, [NAMED_EXAMPLES]: examples, ...schema } = response;
  const description = said ?? schema.description ?? 'Done';
  if (schema.type === 'null' || schema.content !== undefined) return { ...schema, description };
  if (!status.startsWith('2')) {
    return { description, content: { 'application/json': { schema, ...(examples ? { examples } : {}) } } };
  }
  const answer = isSelectable ? withSelection(schema) : schema;
  return { description, content: contentOf(answer, route.example, route) };
}

/** `@fastify/swagger` calls every body required, so the mark of one that is not moves from the body to the operation. */
function bodyOf({ body }: FastifySchema): JsonObject {
  if (!isObject(body) || !(OPTIONAL_BODY in body)) return {};
  const { [OPTIONAL_BODY]: mark, ...plain } = body;
  return { body: plain, [OPTIONAL_BODY]: mark };
}

/** Any one of these lets a caller in. */
function securityOf(access: Access = 'public'): JsonObject[] {
  switch (access) {
    case 'public':
      return [];
    case 'identified':
      return bearing([]);
    case 'manage:user':
      return [{ Session: [] }];
    case 'manage:platform':
      return [...bearing(['platform:admin']), { Session: [] }];
    case 'manage:staff':
    case 'manage:manager':
    case 'manage:owner':
      return [...bearing(['operator:write']), { Session: [] }];
    default:
      return bearing([access]);
  }
}

const bearing = (scopes: Scope[]): JsonObject[] => [{ Live: scopes }, { Sandbox: scopes }];

/** Adds to a route's own schema what follows from its configuration. */
export function describeRoute(schema: FastifySchema, route: RouteFacts): FastifySchema {
  const declared = Object.entries((schema.response ?? {}) as Record<string, JsonObject>);
  const isSelectable = takesFields(schema);
  const own = declared.map(([status, response]) => [
    status,
    responseOf(status, response, route, isSelectable),
  ]);
  return {
    ...schema,
    ...bodyOf(schema),
    ...(route.isLive ? { [LIVE]: true } : {}),
    security: securityOf(route.access),
    // Where a route answers a status in a form of its own, that form takes the place of the problem.
    response: { ...problemResponses(schema, route), ...Object.fromEntries(own) },
  } as FastifySchema;
}
