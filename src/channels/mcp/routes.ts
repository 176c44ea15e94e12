import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { missingScope } from '../../http/auth/caller.ts';
import { callerOf } from '../../http/auth/identify.ts';
import { sendOnce } from '../../http/format/render.ts';
import type { App } from '../../http/route.ts';
import { isObject } from '../../http/validation/schema-helpers.ts';
import { mcpForm } from './errors.ts';
import type { Mcp } from './service.ts';

const message = Type.Object({}, { description: 'A message of JSON-RPC 2.0' });

export function mcpRoutes(app: App, mcp: Mcp, { publicUrl }: { publicUrl: string }): void {
  app.post(
    '/mcp',
    {
      config: { access: 'identified', problemForm: mcpForm, isLive: true },
      schema: {
        operationId: 'mcp',
        tags: ['MCP'],
        summary: 'Speak MCP',
        description: 'The tools of this service for agents, by the Model Context Protocol.',
        body: message,
        response: { 200: Type.Object({}, { description: 'What the protocol says' }) },
      },
    },
    async (request, reply) => {
      const { body } = request;
      assertScope(request, mcp);
      const answer = await mcp.answer(callerOf(request), webRequest(request, publicUrl), body);
      // The type of the route knows the statuses of its schema alone.
      (reply as FastifyReply).code(answer.status);
      for (const [name, value] of answer.headers) reply.header(name, value);
      return sendOnce(reply.header('cache-control', 'no-store'), await answer.text());
    },
  );
}

/** A tool takes the scope that the same call takes over HTTP. */
function assertScope(request: FastifyRequest, mcp: Mcp): void {
  const { body } = request;
  if (!isObject(body) || body.method !== 'tools/call' || !isObject(body.params)) return;
  const tool = mcp.tools.get(String(body.params.name));
  if (tool && !callerOf(request).scopes.has(tool.scope)) throw missingScope(tool.scope);
}

const webRequest = (request: FastifyRequest, publicUrl: string) =>
  new Request(`${publicUrl}/mcp`, { method: 'POST', headers: request.headers as Record<string, string> });
