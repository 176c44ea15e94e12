/** The calls that an agent can make: routes of the HTTP interface and of OCTO by the document, tools of MCP by their list. */
import { type Operation, readOperations, type Schema } from '../abuse/document.ts';
import { madeUp, type Setting, type TakenStay } from './arguments.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are added to.
type Body = any;

export type Door = 'http' | 'octo' | 'mcp';

export interface Request {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Call {
  door: Door;
  /** As in `POST /v1/orders`, or the name of a tool. */
  name: string;
  /** How often it is picked. */
  weight: number;
  /** Undefined: the agent knows nothing yet that it could be about. */
  make(setting: Setting): Request | undefined;
  /** Whether a success has made or changed something, other than by ending it. */
  isMaking: boolean;
}

type Known = 'bookings' | 'holds' | 'orders' | 'entries' | 'reservations';

/** Routes, how often they are picked, and what the id in their path is. */
const ROUTES: Record<string, { weight: number; of?: Known; isMaking?: boolean }> = {
  'POST /venues/{compositeId}/booking': { weight: 20, isMaking: true },
  'PATCH /venues/bookings/{bookingId}': { weight: 10, of: 'bookings', isMaking: true },
  'PUT /venues/bookings/{bookingId}': { weight: 4, of: 'bookings', isMaking: true },
  'DELETE /venues/bookings/{bookingId}': { weight: 7, of: 'bookings' },
  'GET /venues/bookings/{bookingId}': { weight: 1, of: 'bookings' },
  'POST /venues/bookings/{bookingId}/payments': { weight: 4, of: 'bookings', isMaking: true },
  'POST /venues/{compositeId}/holds': { weight: 8, isMaking: true },
  'POST /venues/holds/{holdId}/extend': { weight: 1, of: 'holds', isMaking: true },
  'DELETE /venues/holds/{holdId}': { weight: 4, of: 'holds' },
  'POST /venues/{compositeId}/waitlist': { weight: 3, isMaking: true },
  'DELETE /venues/waitlist/{entryId}': { weight: 1, of: 'entries' },
  'POST /v1/orders': { weight: 10, isMaking: true },
  'PATCH /v1/orders/{orderId}': { weight: 4, of: 'orders', isMaking: true },
  'DELETE /v1/orders/{orderId}': { weight: 3, of: 'orders' },
  'POST /octo/bookings': { weight: 8, isMaking: true },
  'PATCH /octo/bookings/{uuid}': { weight: 4, of: 'reservations', isMaking: true },
  'POST /octo/bookings/{uuid}/confirm': { weight: 6, of: 'reservations', isMaking: true },
  'POST /octo/bookings/{uuid}/extend': { weight: 1, of: 'reservations', isMaking: true },
  'POST /octo/bookings/{uuid}/cancel': { weight: 4, of: 'reservations' },
};

export function routeCalls(): Call[] {
  const operations = new Map(readOperations().map((operation) => [operation.name, operation]));
  return Object.entries(ROUTES).map(([name, { weight, of, isMaking = false }]) => {
    const operation = operations.get(name);
    if (!operation) throw new Error(`${name} is not in the document.`);
    const door = name.includes(' /octo/') ? 'octo' : 'http';
    return { door, name, weight, isMaking, make: (setting) => requestOf(operation, of, setting) };
  });
}

function requestOf(operation: Operation, of: Known | undefined, setting: Setting): Request | undefined {
  const { chances, memory, product } = setting;
  const id = of ? chances.maybe(memory[of]) : product.id;
  if (id === undefined) return undefined;
  const about = { ...setting, product: memory.stays.get(id)?.product ?? product };
  const { method, bodySchema } = operation;
  const isPatch = method === 'PATCH' && bodySchema.type === 'array';
  const body = isPatch ? patchOf(about) : bodySchema && madeUp(about, bodySchema);
  const held = of ? undefined : heldStay(setting, body);
  const subject = held?.product.id ?? id;
  const path = operation.path.replace(/\{\w+\}/, encodeURIComponent(subject));
  return { method, path, ...(body !== undefined && { body: held ? asHeld(body, held) : body }) };
}

/** A booking with a hold is mostly for what was held. */
function heldStay({ memory, chances }: Setting, body: Body): TakenStay | undefined {
  return typeof body?.holdId === 'string' && chances.happens(0.8) ? memory.stays.get(body.holdId) : undefined;
}

const asHeld = (body: Body, { product, ...stay }: TakenStay): Body => ({
  ...body,
  ...stay,
  ...('compositeId' in body && { compositeId: product.id }),
});

/** Members of a booking that a patch may change, and the schemas of their values. */
const PATCHED: Record<string, Schema> = {
  ...{ partySize: { type: 'integer' }, children: { type: 'integer' }, depositAmount: { type: 'integer' } },
  ...{ date: { type: 'string' }, time: { type: 'string' }, notes: { type: 'string' } },
  ...{ compositeId: { type: 'string' }, confirmationToken: { type: 'string' } },
};

function patchOf(setting: Setting): unknown[] {
  const { chances } = setting;
  const names = Object.keys(PATCHED).filter(() => chances.happens(0.3));
  return names.flatMap((name) => {
    const value = madeUp(setting, PATCHED[name], name);
    const op = name === 'confirmationToken' ? 'add' : 'replace';
    return value === undefined ? [] : [{ op, path: `/${name}`, value }];
  });
}

export interface ListedTool {
  name: string;
  inputSchema: Schema;
  annotations?: { readOnlyHint?: boolean };
}

/** Tools that write are picked more often than those that read. */
export function toolCalls(tools: readonly ListedTool[]): Call[] {
  return tools.map(({ name, inputSchema, annotations }) => {
    const isWriting = annotations?.readOnlyHint !== true;
    const isEnding = name.startsWith('cancel');
    return {
      door: 'mcp',
      name,
      weight: isWriting ? 9 : 2,
      isMaking: isWriting && !isEnding,
      make(setting) {
        const args: Body = madeUp(setting, inputSchema);
        const held = heldStay(setting, args);
        const { chances } = setting;
        return rpc('tools/call', { name, arguments: held ? asHeld(args, held) : args }, chances.happens(0.5));
      },
    };
  });
}

const VERSION = '2026-07-28';
const OLDER_VERSION = '2025-11-25';
const ABOUT_CLIENT = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'simulated-agent', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Since the newer version every request says for itself what it is and which version it speaks. */
export function rpc(method: string, params: { name?: string; arguments?: unknown }, isNewer = true): Request {
  const accept = 'application/json, text/event-stream';
  const message = { jsonrpc: '2.0', id: 1, method };
  if (!isNewer)
    return {
      ...{ method: 'POST', path: '/mcp', body: { ...message, params } },
      headers: { accept, 'mcp-protocol-version': OLDER_VERSION },
    };
  return {
    ...{ method: 'POST', path: '/mcp', body: { ...message, params: { ...params, _meta: ABOUT_CLIENT } } },
    headers: {
      accept,
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      ...(params.name !== undefined && { 'mcp-name': params.name }),
    },
  };
}
