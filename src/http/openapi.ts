import swagger from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import { type Problem, type ProblemCode, problem } from '../kernel/problem.ts';
import { SCOPES } from './caller.ts';
import { problemBody } from './problem-body.ts';
import type { Access, App } from './route.ts';

/** A schema with this member becomes a named component, so that generated clients get a type of that name. */
export const COMPONENT = 'x-component';

const VERSION = '7.3.0';

type Json = Record<string, unknown>;
type Route = {
  access?: Access;
  problems?: readonly ProblemCode[];
  interface?: 'venue' | 'listings';
  example?: unknown;
};

const EVERY_ROUTE: readonly ProblemCode[] = ['HTTP-R-500', 'HTTP-R-503'];
const EVERY_IDENTIFIED_ROUTE: readonly ProblemCode[] = [
  'IDENT-N-001',
  'IDENT-N-002',
  'IDENT-N-003',
  'USER-N-009',
  'HTTP-N-406',
  'RATE-R-001',
];

const problemSchema = {
  [COMPONENT]: 'Problem',
  type: 'object',
  description: 'What went wrong, after RFC 9457',
  required: ['type', 'title', 'status', 'detail', 'code', 'isRetryable'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'Address of a page about the code' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What was wrong this time' },
    code: { type: 'string', description: 'Stable; write your handling against it' },
    isRetryable: { type: 'boolean', description: 'The same request may succeed later' },
    errors: {
      type: 'object',
      description: 'With VALID-N-001: field path to messages',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  },
};

const requestHeaders = {
  type: 'object',
  properties: {
    'X-Partner-Reference': {
      type: 'string',
      maxLength: 100,
      description: 'The partner an agent acts for; agents must send it with every call',
    },
    'X-Correlation-ID': {
      type: 'string',
      maxLength: 128,
      description: 'Your own id for this call; it comes back in the answer. One is made up when absent',
    },
  },
};

const header = (type: string, description: string) => ({ type, description });
const responseHeaders = {
  'X-Correlation-ID': header('string', 'The id of this call in our logs'),
  'X-RateLimit-Limit': header('integer', 'Calls allowed in a window of 60 s'),
  'X-RateLimit-Remaining': header('integer', 'Calls left in this window'),
  'X-RateLimit-Reset': header('integer', 'When the window ends, in Unix seconds'),
};

/** What a problem looks like when nothing particular is known about it. */
function sample(code: ProblemCode): Problem {
  return code === 'VALID-N-001'
    ? problem(code, {
        detail: 'pageSize must be at most 100.',
        errors: { pageSize: ['must be at most 100'] },
      })
    : problem(code);
}

function problemResponses(codes: readonly ProblemCode[], route: Route): Json {
  const bodies = codes.map((code) =>
    problemBody(sample(code), { publicUrl: 'https://api.maitred.example', interface: route.interface }),
  );
  const responses: Json = {};
  for (const [status, ofStatus] of Map.groupBy(bodies, (body) => body.status)) {
    responses[status] = {
      description: ofStatus.map((body) => `\`${body.code}\` ${body.title}`).join('; '),
      content: {
        'application/problem+json': {
          schema: problemSchema,
          examples: Object.fromEntries(ofStatus.map((body) => [body.code, { value: body }])),
        },
      },
    };
  }
  return responses;
}

function successResponse(schema: Json, route: Route, isShaped: boolean): Json {
  const example = route.example === undefined ? {} : { example: route.example };
  const text = { schema: { type: 'string' } };
  return {
    description: schema.description ?? 'Success',
    ...(isShaped && { headers: responseHeaders }),
    content: {
      'application/json': { schema, ...example },
      ...(isShaped && { 'text/toon': text }),
      ...(isShaped &&
        route.interface === 'listings' && {
          'application/vnd.service.toon+json': {
            schema: { type: 'object', required: ['toon'], properties: { toon: { type: 'string' } } },
          },
        }),
    },
  };
}

/** Adds to a route's own schema what follows from its configuration. */
function describe(schema: FastifySchema, route: Route): FastifySchema {
  const isIdentified = route.access !== 'public' && route.access !== undefined;
  const takesInput = Boolean(schema.body || schema.querystring || schema.params);
  const codes = new Set<ProblemCode>([
    ...(takesInput && isIdentified ? (['VALID-N-001'] as const) : []),
    ...(schema.body && isIdentified ? (['HTTP-N-413', 'HTTP-N-415'] as const) : []),
    ...(route.problems ?? []),
    ...(isIdentified ? EVERY_IDENTIFIED_ROUTE : []),
    ...EVERY_ROUTE,
  ]);
  const responses: Json = {};
  for (const [status, response] of Object.entries((schema.response ?? {}) as Record<string, Json>)) {
    const isPlain = response.content !== undefined || response.type === 'null';
    responses[status] = isPlain ? response : successResponse(response, route, isIdentified);
  }
  const scopes = route.access === undefined || route.access === 'identified' ? [] : [route.access];
  return {
    ...schema,
    ...(isIdentified && { headers: requestHeaders, security: [{ Live: scopes }, { Sandbox: scopes }] }),
    response: { ...problemResponses([...codes], route), ...responses },
  };
}

/** Moves named schemas to the components and leaves references in their place. */
export function hoistComponents(document: Json): Json {
  const schemas: Json = {};
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    const { [COMPONENT]: name, ...members } = node as Json;
    const walked = Object.fromEntries(Object.entries(members).map(([key, value]) => [key, walk(value)]));
    if (typeof name !== 'string') return walked;
    schemas[name] = walked;
    return { $ref: `#/components/schemas/${name}` };
  };
  const walked = walk(document) as Json & { components?: Json };
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...walked, components: { ...walked.components, schemas: sorted } };
}

const clientCredentials = (description: string) => ({
  type: 'oauth2' as const,
  description,
  flows: {
    clientCredentials: {
      tokenUrl: '/oauth/token',
      scopes: Object.fromEntries(SCOPES.map((scope) => [scope, `Grants ${scope}`])),
    },
  },
});

/** Must be registered before the routes. The document is then at `app.swagger()`. */
export async function installOpenApi(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Maitred',
        version: VERSION,
        summary: 'Tables and tickets of many systems through one interface',
        description:
          'Fetch a token with your client credentials, then call with `Authorization: Bearer`. Every refusal is a problem with a stable `code`; its `type` is a page that explains it.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This server' }],
      tags: [
        { name: 'Authentication', description: 'Tokens and the keys to check them' },
        { name: 'Venues', description: 'What can be booked' },
      ],
      components: {
        securitySchemes: {
          Live: clientCredentials('Client credentials of the live environment'),
          Sandbox: clientCredentials('Client credentials of the sandbox'),
        },
      },
    },
    transform: ({ schema, url, route }) => ({
      schema: schema?.hide ? schema : describe(schema ?? {}, (route.config ?? {}) as Route),
      url,
    }),
    transformObject: (document) =>
      hoistComponents(('openapiObject' in document ? document.openapiObject : {}) as Json),
  });

  app.get('/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
    reply.header('cache-control', 'public, max-age=60').send(app.swagger()),
  );
}
