/** What the tools of MCP cost, each against the same call over HTTP, of the same node. */
import { inTransaction } from '../../src/db/database.ts';
import { addBookableVenues, guest, placeOf } from '../bookings/bookings-venues.ts';
import { addPartner, tokenOf } from '../caller.ts';
import { compare, type Side, UNDER_LOAD } from '../compare.ts';
import type { Context } from '../context.ts';
import type { Figure } from '../figure.ts';
import { getRequest, postRequest } from '../load.ts';
import type { ServerProcess } from '../servers/server-process.ts';

export const name = 'mcp';

const CLIENT = 'bench-agent';
const VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

type Headers = Record<string, string>;

export async function run(context: Context): Promise<Figure[]> {
  const { sql, url } = await context.createDatabase({ hasDemo: true });
  await inTransaction(sql, async (tx) => addBookableVenues(tx, await addPartner(tx, CLIENT)));
  await sql`vacuum analyze`;
  const server = await context.startOurs(url);
  const headers = { authorization: `Bearer ${await tokenOf(server, CLIENT)}` };
  return [
    await measure(context, 'mcp.availability', askFor(server, headers)),
    await measure(context, 'mcp.book', bookAt(server, headers)),
  ];
}

interface Sides {
  tool: Side;
  http: Side;
}

async function measure(context: Context, figure: string, { tool, http }: Sides): Promise<Figure> {
  context.progress(`${figure} …`);
  await assertAnswered(tool);
  const { ours, reference } = await compare(tool, http, UNDER_LOAD);
  return {
    name: figure,
    ours: ours.requestsPerSecond,
    reference: reference.requestsPerSecond,
    unit: 'calls/s',
    against: 'the same call over HTTP, made by the same node in turns with it',
    goal: { atLeast: 0.5 },
  };
}

/** A refusal of a tool is a 200 as well, and far quicker. */
async function assertAnswered({ server, nextRequest }: Side): Promise<void> {
  const [head = '', body = ''] = nextRequest().toString().split('\r\n\r\n');
  const headers = head
    .split('\r\n')
    .slice(1)
    .filter((line) => !/^(?:host|content-length):/.test(line))
    .map((line) => line.split(': ') as [string, string]);
  const answer = await fetch(new URL('/mcp', server.address), { method: 'POST', headers, body });
  const { result } = (await answer.json()) as { result?: { isError?: boolean } };
  if (result === undefined || result.isError)
    throw new Error(`A tool has refused: ${JSON.stringify(result)}`);
}

function toolRequest(headers: Headers, tool: string, args: object): Buffer {
  const all = {
    ...headers,
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': VERSION,
    'mcp-method': 'tools/call',
    'mcp-name': tool,
  };
  const params = { name: tool, arguments: args, _meta: META };
  return postRequest('/mcp', all, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}

function askFor(server: ServerProcess, headers: Headers): Sides {
  const { productId: compositeId, date } = placeOf(1);
  const tool = toolRequest(headers, 'check_venue_availability', { compositeId, date, partySize: 2 });
  const path = `/venues/${encodeURIComponent(compositeId)}/availability?date=${date}&partySize=2`;
  const http = getRequest(path, headers);
  return { tool: { server, nextRequest: () => tool }, http: { server, nextRequest: () => http } };
}

const { comments: notes, ...party } = guest;

/** Every booking has a place of its own. */
function bookAt(server: ServerProcess, headers: Headers): Sides {
  let places = 0;
  const next = () => {
    places += 1;
    const { productId, date, time } = placeOf(places);
    return {
      compositeId: productId,
      booking: { ...party, notes, date, time, partnerBookingId: `order-${places}` },
    };
  };
  const byTool = () => {
    const { compositeId, booking } = next();
    return toolRequest(headers, 'create_venue_booking', { compositeId, ...booking });
  };
  const byHttp = () => {
    const { compositeId, booking } = next();
    return postRequest(`/venues/${encodeURIComponent(compositeId)}/booking`, headers, booking);
  };
  return { tool: { server, nextRequest: byTool }, http: { server, nextRequest: byHttp } };
}
