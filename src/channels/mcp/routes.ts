import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Config } from '../../config.ts';
import { missingScope, SCOPES } from '../../http/auth/caller.ts';
import { callerOf } from '../../http/auth/identify.ts';
import { sendOnce } from '../../http/format/render.ts';
import { logFailure } from '../../http/problems/problem-handler.ts';
import type { App } from '../../http/route.ts';
import { isObject, named, URI } from '../../http/validation/schema-helpers.ts';
import { problem } from '../../kernel/problem.ts';
import { mcpForm } from './errors.ts';
import type { Exchange, Mcp } from './service.ts';

const METADATA = '/.well-known/oauth-protected-resource';

const anything = Type.Optional(Type.Unknown());

/** The members are checked by the protocol's own code, which knows what to answer. */
const Message = Type.Object(
  { jsonrpc: anything, id: anything, method: anything, params: anything },
  {
    ...named('McpMessage', 'A message of JSON-RPC 2.0, as the protocol defines them'),
    examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }],
  },
);

const Answer = Type.Object(
  { jsonrpc: Type.String(), id: anything, result: anything, error: anything },
  named('McpAnswer', 'An answer of JSON-RPC 2.0'),
);

const EMPTY_LIST = { jsonrpc: '2.0', id: 1, result: { tools: [] } };

const Resource = Type.Object(
  {
    resource: Type.String(URI),
    authorization_servers: Type.Array(Type.String(URI)),
    scopes_supported: Type.Array(Type.String()),
    bearer_methods_supported: Type.Array(Type.String()),
    resource_name: Type.String(),
    resource_documentation: Type.String(URI),
  },
  named('ProtectedResource', 'Metadata of a protected resource'),
);

type McpConfig = Pick<Config, 'publicUrl' | 'environment'>;

export function mcpRoutes(app: App, mcp: Mcp, config: McpConfig): void {
  const { publicUrl } = config;
  const assertSite = siteCheck(config);
  app.post(
    '/mcp',
    {
      config: {
        access: 'identified',
        problems: ['HTTP-N-403'],
        problemForm: mcpForm(`${publicUrl}${METADATA}/mcp`),
        isLive: true,
        example: EMPTY_LIST,
      },
      schema: {
        operationId: 'callMcp',
        tags: ['MCP'],
        summary: 'Speak the Model Context Protocol',
        description:
          'Tools for agents, by streamable HTTP without sessions, in the versions 2026-07-28 and 2025-11-25. Tokens, scopes and `X-Partner-Reference` are those of the other routes. A refusal of a tool is a result with `isError`, which names the code and what to change.',
        body: Message,
        response: {
          200: {
            description: 'The answer of JSON-RPC 2.0; clients of 2025-11-25 get it as an event stream',
            content: {
              'application/json': { schema: Answer, example: EMPTY_LIST },
              'text/event-stream': {
                schema: Type.String(),
                example: `event: message\ndata: ${JSON.stringify(EMPTY_LIST)}\n\n`,
              },
            },
          },
          202: Type.Null({ description: 'Received: a notification has no answer' }),
        },
      },
      onRequest: async (request) => assertSite(request),
    },
    async (request, reply) => {
      assertScope(request, mcp);
      const exchange = exchangeOf(request, reply as FastifyReply);
      const answer = await mcp.answer(exchange, webRequest(request, publicUrl), request.body);
      // The type of the route knows the statuses of its schema alone.
      (reply as FastifyReply).code(answer.status);
      for (const [name, value] of answer.headers) reply.header(name, value);
      return sendOnce(reply.header('cache-control', 'no-store'), await answer.text());
    },
  );
  metadataRoute(app, publicUrl, '');
  metadataRoute(app, publicUrl, '/mcp');
}

const exchangeOf = (request: FastifyRequest, reply: FastifyReply): Exchange => ({
  caller: callerOf(request),
  correlationId: request.id,
  onCall(tool) {
    reply.toolName = tool;
  },
  onRefusal(refusal) {
    reply.problemCode = refusal.code;
    logFailure(refusal, request);
  },
});

/** RFC 9728: which server gives tokens for the whole service, and for `/mcp`, which clients ask by its address. */
function metadataRoute(app: App, publicUrl: string, path: '' | '/mcp'): void {
  const metadataOf = (base: string) => ({
    resource: `${base}${path}`,
    authorization_servers: [base],
    scopes_supported: [...SCOPES],
    bearer_methods_supported: ['header'],
    resource_name: 'Maitred',
    resource_documentation: `${base}/docs`,
  });
  app.get(
    `${METADATA}${path}`,
    {
      config: {
        access: 'public',
        isCounted: true,
        example: { ...metadataOf('https://api.maitred.example'), scopes_supported: ['venue:read'] },
      },
      schema: {
        operationId: path === '' ? 'getProtectedResource' : 'getMcpResource',
        tags: ['Authentication'],
        summary: path === '' ? 'Who gives tokens for this service' : 'Who gives tokens for /mcp',
        description: 'Protected resource metadata (RFC 9728), which clients read to find the token endpoint.',
        response: { 200: Resource },
      },
    },
    async () => metadataOf(publicUrl),
  );
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** A page of another site must not make a browser call a node that it cannot reach itself (DNS rebinding). */
function siteCheck({ publicUrl, environment }: McpConfig): (request: FastifyRequest) => void {
  const own = new Set([new URL(publicUrl).hostname, ...(environment === 'live' ? [] : LOOPBACK)]);
  const isOwn = (url: string) => URL.canParse(url) && own.has(new URL(url).hostname);
  return ({ headers: { host, origin } }) => {
    if (host !== undefined && !isOwn(`http://${host}`))
      throw problem('HTTP-N-403', { detail: 'Host is not a name of this service.' });
    if (origin !== undefined && !isOwn(origin))
      throw problem('HTTP-N-403', { detail: 'Origin is a page of another site.' });
  };
}

/** A tool takes the scope that the same call takes over HTTP. */
function assertScope(request: FastifyRequest, mcp: Mcp): void {
  const { body } = request;
  if (!isObject(body) || body.method !== 'tools/call' || !isObject(body.params)) return;
  const tool = mcp.tools.get(String(body.params.name));
  if (tool && !callerOf(request).scopes.has(tool.scope)) throw missingScope(tool.scope);
}

/** The headers that the protocol reads; above all, not the token. */
const isOfProtocol = (name: string) =>
  name === 'accept' || name === 'content-type' || name.startsWith('mcp-');

/** Without its body, which is parsed already, within the limits of every route. */
function webRequest({ headers }: FastifyRequest, publicUrl: string): Request {
  const read = Object.entries(headers).filter(([name]) => isOfProtocol(name)) as [string, string][];
  return new Request(`${publicUrl}/mcp`, { method: 'POST', headers: read });
}
