/** Maitred for agents that speak MCP, on the same services as the rest of the interface. It keeps no sessions. */
import {
  type AuthInfo,
  type CallToolResult,
  createMcpHandler,
  type McpRequestContext,
  Server,
} from '@modelcontextprotocol/server';
import { Counter, type Registry } from 'prom-client';
import type { Caller } from '../../http/auth/caller.ts';
import { asProblem } from '../../http/problems/framework-errors.ts';
import { invalid, type Problem } from '../../kernel/problem.ts';
import {
  cancelVenueBooking,
  createVenueBooking,
  getVenueBookingById,
  getVenueBookings,
  holdTable,
  updateVenueBooking,
} from './booking-tools.ts';
import { toolError } from './errors.ts';
import { explainBooking, getBookingRules } from './rule-tools.ts';
import type { Tool, ToolServices } from './tool.ts';
import { checkVenueAvailability, getVenueById, getVenues } from './venue-tools.ts';

export interface Mcp {
  /** Answers a request in the form of the web's `fetch`; its body is parsed already. */
  answer(caller: Caller, request: Request, body: unknown): Promise<Response>;
  /** The tools, by name. */
  tools: ReadonlyMap<string, Tool>;
  register(registry: Registry): void;
}

export interface McpDeps extends ToolServices {
  version: string;
  /** Told of errors that are no refusal. */
  onError(error: unknown): void;
}

const TOOLS: readonly Tool[] = [
  ...[getVenues, getVenueById, checkVenueAvailability],
  ...[holdTable, createVenueBooking, updateVenueBooking, cancelVenueBooking],
  ...[getVenueBookings, getVenueBookingById, getBookingRules, explainBooking],
];

const INSTRUCTIONS =
  'Books restaurant tables and event tickets. find_tables names free tables; pass its compositeId, date, time and type to create_venue_booking. Dates are YYYY-MM-DD and times HH:MM, local to the venue; money is in pence. An error says what to change.';

/** The list is the same for every caller until the next release. */
const LIST_CACHED = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

export function createMcp(deps: McpDeps): Mcp {
  const tools = new Map(TOOLS.map((tool) => [tool.name, tool]));
  const list = { tools: TOOLS.map(({ listed }) => listed) };
  const counter = new Counter({
    name: 'mcp_tool_calls_total',
    help: 'Calls of MCP tools on this node; refused: with a problem, failed: unexpectedly.',
    labelNames: ['tool', 'outcome'],
    registers: [],
  });

  async function call(tool: Tool, caller: Caller, args: unknown): Promise<CallToolResult> {
    const count = (outcome: 'answered' | 'refused' | 'failed') => counter.inc({ tool: tool.name, outcome });
    try {
      const { text, data } = await tool.run({ ...deps, caller }, args);
      count('answered');
      return { content: [{ type: 'text', text }], structuredContent: data };
    } catch (error) {
      const refusal = asProblem(error);
      const isFailure = refusal.code === 'HTTP-R-500';
      if (isFailure) deps.onError(error);
      count(isFailure ? 'failed' : 'refused');
      return toolError(refusal);
    }
  }

  function serverFor({ authInfo }: McpRequestContext): Server {
    const caller = callerIn(authInfo);
    const server = new Server(
      { name: 'maitred', title: 'Maitred', version: deps.version },
      {
        capabilities: { tools: {} },
        instructions: INSTRUCTIONS,
        cacheHints: { 'tools/list': LIST_CACHED, 'server/discover': LIST_CACHED },
      },
    );
    server.setRequestHandler('tools/list', () => list as never);
    server.setRequestHandler('tools/call', ({ params }) => {
      const tool = tools.get(params.name);
      return tool ? call(tool, caller, params.arguments ?? {}) : toolError(noSuchTool(params.name));
    });
    return server;
  }

  const handler = createMcpHandler(serverFor);

  return {
    tools,
    answer: (caller, request, body) =>
      handler.fetch(request, {
        parsedBody: body,
        // Tools know their caller; none of them sees the token.
        authInfo: { token: '', clientId: caller.clientId, scopes: [...caller.scopes], extra: { caller } },
      }),
    register: (registry) => registry.registerMetric(counter),
  };
}

/** `answer` has put it there. */
function callerIn(authInfo: AuthInfo | undefined): Caller {
  if (authInfo?.extra?.caller === undefined) throw new Error('A request of MCP has no caller.');
  return authInfo.extra.caller as Caller;
}

const noSuchTool = (name: string): Problem => invalid('name', `names no tool: ${name.slice(0, 64)}`);
