import { isDeepStrictEqual } from 'node:util';
import type { FastifySchema } from 'fastify';
import type { Scope } from '../auth/caller.ts';
import type { Access, RouteFacts } from '../route.ts';
import { COMPONENT, isObject, type JsonObject } from '../validation/schema-helpers.ts';
import { OPTIONAL_BODY, parametersOf } from '../validation/validation.ts';
import { problemResponses } from './problems.ts';

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
    ...(route.access === 'public' || route.problemForm ? {} : { 'text/toon': { schema: TOON } }),
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
  // A status besides that of the route, such as of a dry run, has an example of its own.
  const { examples: own, ...plain } = schema;
  const answer = isSelectable ? withSelection(plain) : plain;
  const example = Array.isArray(own) ? own[0] : route.example;
  return { description, content: contentOf(answer, example, route) };
}

/** `@fastify/swagger` calls every body required, so the mark of one that is not moves from the body to the operation. */
function bodyOf({ body }: FastifySchema): JsonObject {
  if (!isObject(body) || !(OPTIONAL_BODY in body)) return {};
  const { [OPTIONAL_BODY]: mark, ...plain } = body;
  return { body: plain, [OPTIONAL_BODY]: mark };
}

/** Validation fills in what has a default, so it may be left out. */
function queryOf({ querystring }: FastifySchema): JsonObject {
  if (!isObject(querystring)) return {};
  const { properties = {}, required = [] } = querystring as { properties?: JsonObject; required?: string[] };
  const hasDefault = (name: string) => isObject(properties[name]) && 'default' in properties[name];
  return { querystring: { ...querystring, required: required.filter((name) => !hasDefault(name)) } };
}

/** Any one of these lets a caller in. */
function securityOf(access: Access = 'public'): JsonObject[] {
  switch (access) {
    case 'public':
      return [];
    case 'identified':
      return bearing([]);
    case 'manage:user':
      return signedIn;
    case 'manage:platform':
    case 'manage:developer':
      return [...bearing(['platform:admin']), ...signedIn];
    case 'manage:staff':
    case 'manage:manager':
    case 'manage:owner':
      return [...bearing(['operator:write']), ...signedIn];
    default:
      return bearing([access]);
  }
}

const signedIn: JsonObject[] = [{ Session: [] }, { SessionCookie: [] }];
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
    ...queryOf(schema),
    ...(route.isLive ? { [LIVE]: true } : {}),
    security: securityOf(route.access),
    // Where a route answers a status in a form of its own, that form takes the place of the problem.
    response: { ...problemResponses(schema, route), ...Object.fromEntries(own) },
  } as FastifySchema;
}

/** Ends the names of schemas that require nothing. */
const SUFFIX = 'Selection';

const SCHEMA_LISTS = ['anyOf', 'oneOf', 'allOf'];
const SCHEMA_MAPS = ['properties', 'patternProperties'];
const SCHEMAS = ['items', 'additionalProperties'];

function mapSchemas(schema: JsonObject, change: (member: unknown, name: string) => unknown): JsonObject {
  const changed = Object.entries(schema).map(([keyword, value]) => {
    if (SCHEMA_LISTS.includes(keyword) && Array.isArray(value)) {
      return [keyword, value.map((option) => change(option, ''))];
    }
    if (SCHEMA_MAPS.includes(keyword) && isObject(value)) {
      const members = Object.entries(value).map(([name, member]) => [name, change(member, name)]);
      return [keyword, Object.fromEntries(members)];
    }
    return [keyword, SCHEMAS.includes(keyword) ? change(value, '') : value];
  });
  return Object.fromEntries(changed);
}

function withNewName(schema: JsonObject, before: JsonObject): JsonObject {
  if (isDeepStrictEqual(schema, before)) return before;
  const name = before[COMPONENT];
  return typeof name === 'string' ? { ...schema, [COMPONENT]: `${name}${SUFFIX}` } : schema;
}

function withoutRequired(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { required: _, ...rest } = mapSchemas(schema, withoutRequired);
  return withNewName(rest, schema);
}

/** The part of an answer that `fields` may leave over. Of a page only the entries are selected from. */
export function selectionOf(schema: JsonObject): JsonObject {
  const isPage = isObject(schema.properties) && 'meta' in schema.properties;
  if (!isPage) return withoutRequired(schema) as JsonObject;
  const page = mapSchemas(schema, (member, name) => (name === 'meta' ? member : withoutRequired(member)));
  return withNewName(page, schema);
}

/** What an operation that takes `fields` answers: everything, or what was selected. */
function withSelection(schema: JsonObject): JsonObject {
  return { anyOf: [schema, selectionOf(schema)] };
}
