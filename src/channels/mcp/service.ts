/** Maitred for agents that speak MCP, on the same services as the rest of the interface. It keeps no sessions. */

import {
  type AuthInfo,
  type CallToolResult,
  createMcpHandler,
  INVALID_PARAMS,
  type InputRequiredResult,
  type McpRequestContext,
  METHOD_NOT_FOUND,
  ProtocolError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { Counter, type Registry } from 'prom-client';
import type { Caller } from '../../http/auth/caller.ts';
import { asProblemOfWrite } from '../../http/problems/framework-errors.ts';
import { isObject, type JsonObject } from '../../http/validation/schema-helpers.ts';
import type { Keyring } from '../../kernel/crypto.ts';
import type { Problem } from '../../kernel/problem.ts';
import { currentScope } from '../../kernel/request-scope.ts';
import {
  cancelVenueBooking,
  createVenueBooking,
  getVenueBookingById,
  getVenueBookings,
  holdTable,
  updateVenueBooking,
} from './booking-tools.ts';
import { askFor, authInfoOf, createAskedCodec, DECLINED, withAnswers } from './elicitation.ts';
import { toolError } from './errors.ts';
import { explainBooking, getBookingRules, getMandate } from './rule-tools.ts';
import type { Tool, ToolServices } from './tool.ts';
import { checkVenueAvailability, findTables, getVenueById, getVenues } from './venue-tools.ts';

export interface Mcp {
  /** Answers a request in the form of the web's `fetch`; its body is parsed already. */
  answer(exchange: Exchange, request: Request, body: unknown): Promise<Response>;
  /** The tools, by name. */
  tools: ReadonlyMap<string, Tool>;
  register(registry: Registry): void;
}

/** An HTTP request, and what its log has to be told, as a refusal of a tool is an answer like others. */
export interface Exchange {
  caller: Caller;
  correlationId: string;
  onCall(tool: string): void;
  onRefusal(refusal: Problem): void;
}

export interface McpDeps extends ToolServices {
  encryptionKeys: Keyring;
  version: string;
  /** Told of what the protocol's own code could not answer, or would not. */
  onError(error: unknown): void;
}

const TOOLS: readonly Tool[] = [
  ...[findTables, getVenues, getVenueById, checkVenueAvailability],
  ...[holdTable, createVenueBooking, updateVenueBooking, cancelVenueBooking],
  ...[getVenueBookings, getVenueBookingById, getBookingRules, explainBooking, getMandate],
];

const INSTRUCTIONS =
  'Books restaurant tables and event tickets. find_tables names free tables; pass its compositeId, date, time and type to create_venue_booking. Dates are YYYY-MM-DD and times HH:MM, local to the venue; money is in pence. An error says what to change.';

/** The list is the same for every caller until the next release. */
const LIST_CACHED = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

type Result = CallToolResult | InputRequiredResult;
type Outcome = 'answered' | 'asked' | 'declined' | 'refused' | 'failed';

export function createMcp(deps: McpDeps): Mcp {
  const codec = createAskedCodec(deps.encryptionKeys);
  const tools = new Map(TOOLS.map((tool) => [tool.name, tool]));
  const list = { tools: TOOLS.map(({ listed }) => listed) };
  const counter = new Counter({
    name: 'mcp_tool_calls_total',
    help: 'Calls of MCP tools on this node; asked and declined: of the user, failed: unexpectedly.',
    labelNames: ['tool', 'outcome'],
    registers: [],
  });

  async function call(
    tool: Tool,
    exchange: Exchange,
    given: JsonObject,
    context: ServerContext,
  ): Promise<Result> {
    exchange.onCall(tool.name);
    const count = (outcome: Outcome) => counter.inc({ tool: tool.name, outcome });
    const args = withAnswers(given, context);
    if (args === undefined) {
      count('declined');
      return DECLINED;
    }
    const toolCall = { ...deps, caller: exchange.caller };
    try {
      const { text, data } = await tool.run(toolCall, args);
      count('answered');
      return { content: [{ type: 'text', text }], structuredContent: data };
    } catch (error) {
      const refusal = asProblemOfWrite(error, !tool.isRead && (currentScope()?.mayHaveWritten ?? true));
      const question = await askFor(refusal, toolCall, { args, given, codec, context });
      if (question) {
        count('asked');
        return question;
      }
      exchange.onRefusal(refusal);
      count(refusal.code === 'HTTP-R-500' ? 'failed' : 'refused');
      return toolError(refusal, exchange.correlationId);
    }
  }

  function serverFor({ authInfo }: McpRequestContext): Server {
    const exchange = exchangeIn(authInfo);
    const server = new Server(
      { name: 'maitred', title: 'Maitred', version: deps.version },
      {
        capabilities: { tools: {} },
        instructions: INSTRUCTIONS,
        cacheHints: { 'tools/list': LIST_CACHED, 'server/discover': LIST_CACHED },
        requestState: { verify: codec.verify },
      },
    );
    server.setRequestHandler('tools/list', () => list);
    server.setRequestHandler('tools/call', ({ params }, context) => {
      const tool = tools.get(params.name);
      if (tool === undefined) throw new ProtocolError(INVALID_PARAMS, `Unknown tool: ${params.name}`);
      return call(tool, exchange, params.arguments ?? {}, context);
    });
    return server;
  }

  const handler = createMcpHandler(serverFor, { onerror: deps.onError });

  return {
    tools,
    answer: async (exchange, request, body) =>
      isSubscription(body)
        ? notFound(body)
        : handler.fetch(request, { parsedBody: body, authInfo: authInfoOf(exchange) }),
    register: (registry) => registry.registerMetric(counter),
  };
}

/** `answer` has put it there. */
function exchangeIn(authInfo: AuthInfo | undefined): Exchange {
  if (authInfo?.extra?.exchange === undefined) throw new Error('A request of MCP has no caller.');
  return authInfo.extra.exchange as Exchange;
}

/** Nothing here changes while a node runs, so there is nothing to listen for, and no stream to keep open. */
const isSubscription = (body: unknown): body is { id?: unknown } =>
  isObject(body) && body.method === 'subscriptions/listen';

const notFound = ({ id = null }: { id?: unknown }) =>
  Response.json(
    { jsonrpc: '2.0', id, error: { code: METHOD_NOT_FOUND, message: 'Method not found' } },
    { status: 404 },
  );
