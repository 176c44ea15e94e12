import type { FastifySchema } from 'fastify';
import type { Scope } from './caller.ts';
import { isObject, type JsonObject } from './json-schema.ts';
import { problemResponses } from './openapi-problems.ts';
import type { Access, RouteFacts } from './route.ts';
import { toToon } from './toon.ts';
import { OPTIONAL_BODY } from './validation.ts';

/**
 * Two words of `@fastify/swagger` that we understand at the root of a response schema: what to say about the answer
 * where the description of the schema says something else, and examples by name.
 */
const RESPONSE_DESCRIPTION = 'x-response-description';
const NAMED_EXAMPLES = 'x-examples';
/** Tells the finishing of the document, which no longer sees the route, that its answers cannot be kept. */
export const LIVE = 'x-live';

/** The same answer in each form in which it can be asked for. */
function contentOf(schema: JsonObject, example: unknown, route: RouteFacts): JsonObject {
  const shown = (value: unknown) => (example === undefined ? {} : { example: value });
  const content: JsonObject = { 'application/json': { schema, ...shown(example) } };
  if (route.access === 'public') return content;
  const toon = example === undefined ? '' : toToon(example);
  content['text/toon'] = {
    schema: { type: 'string', description: 'The same as TOON text' },
    ...shown(toon),
  };
  if (route.interface !== 'listings') return content;
  content['application/vnd.service.toon+json'] = {
    schema: {
      type: 'object',
      description: 'TOON text for clients that insist on JSON',
      required: ['toon'],
      properties: { toon: { type: 'string' } },
    },
    ...shown({ toon }),
  };
  return content;
}

function responseOf(status: string, response: JsonObject, route: RouteFacts): JsonObject {
  const { [RESPONSE_DESCRIPTION]: said, [NAMED_EXAMPLES]: examples, ...schema } = response;
  const description = said ?? schema.description ?? 'Done';
  if (schema.type === 'null' || schema.content !== undefined) return { ...schema, description };
  if (!status.startsWith('2')) {
    return { description, content: { 'application/json': { schema, ...(examples ? { examples } : {}) } } };
  }
  return { description, content: contentOf(schema, route.example, route) };
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
  const own = declared.map(([status, response]) => [status, responseOf(status, response, route)]);
  return {
    ...schema,
    ...bodyOf(schema),
    ...(route.isLive ? { [LIVE]: true } : {}),
    security: securityOf(route.access),
    // Where a route answers a status in a form of its own, that form takes the place of the problem.
    response: { ...problemResponses(schema, route), ...Object.fromEntries(own) },
  } as FastifySchema;
}
