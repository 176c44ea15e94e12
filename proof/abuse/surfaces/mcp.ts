/** The tools of MCP, in both versions of the protocol, with arguments that fit and others, and broken messages. */
import { Compile } from 'typebox/schema';
import type { Outcome } from '../../../test/abuse/support/target.ts';
import type { Caller } from '../callers.ts';
import type { Schema } from '../document.ts';
import { viewOf } from '../known.ts';
import { type Json, told } from '../requests/bodies.ts';
import { hostileText, MEDIA_TYPES } from '../requests/hostile-values.ts';
import { bent, spoilt, written } from '../requests/mutations.ts';
import type { Send } from '../wire.ts';
import type { Probe, ProbeSetting, Surface } from './probe.ts';

interface Tool {
  name: string;
  inputSchema: Schema;
  faultsOf(data: unknown): unknown[];
}

type Version = '2025-11-25' | '2026-07-28';

const BOTH = 'application/json, text/event-stream';
const SHARES = { tool: 0.75, hostileArguments: 0.4, optional: 0.25 };

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'abuse', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Reads which tools there are, as an agent does. */
export async function openTools(send: Send, caller: Caller): Promise<Surface> {
  const wire = message('2026-07-28', caller, { id: 1, method: 'tools/list', params: {} });
  const { text } = await send(wire);
  const tools = JSON.parse(text).result.tools.map(({ name, inputSchema, outputSchema }: Json): Tool => {
    const output = Compile(outputSchema);
    return {
      name,
      inputSchema,
      faultsOf(data) {
        const [isValid, faults] = output.Errors(data);
        return isValid ? [] : faults.slice(0, 3);
      },
    };
  });
  return {
    next: (setting) =>
      setting.chances.happens(SHARES.tool)
        ? toolCall(setting, setting.chances.pick(tools))
        : garbage(setting),
  };
}

function message(version: Version, caller: Caller, { id, method, params }: Json) {
  const isNew = version === '2026-07-28';
  const headers: Record<string, string> = {
    ...caller.headers,
    accept: BOTH,
    'content-type': 'application/json',
    'mcp-protocol-version': version,
    ...(isNew && { 'mcp-method': method }),
    ...(isNew && params?.name !== undefined && { 'mcp-name': encodeURIComponent(params.name) }),
  };
  const body = { jsonrpc: '2.0', id, method, params: isNew ? { ...params, _meta: META } : params };
  return { method: 'POST', path: '/mcp', headers, body: Buffer.from(JSON.stringify(body)) };
}

const callers = ({ callers }: ProbeSetting) => callers.filter(({ isPerson }) => !isPerson);

function toolCall(setting: ProbeSetting, tool: Tool): Probe {
  const { chances, known } = setting;
  const caller = chances.pick(callers(setting));
  const isGood = !chances.happens(SHARES.hostileArguments);
  const made = argumentsFor(setting, caller, tool.inputSchema);
  const given = isGood ? made : bent(chances, made);
  const params = { name: tool.name, arguments: given };
  const version = chances.pick(['2025-11-25', '2026-07-28'] as const);
  return {
    name: `tool ${tool.name}`,
    caller,
    wire: message(version, caller, { id: chances.below(1e6), method: 'tools/call', params }),
    isGood,
    faultsIn(outcome) {
      if (outcome.status !== 200) return [];
      const { result, error } = messageIn(outcome);
      if (error) return isInternal(error) ? [`fails inside: ${error.message}`] : [];
      if (result?.resultType === 'input_required' || result?.inputRequests) return [];
      const [{ text = '' } = {}] = result?.content ?? [];
      if (result?.isError) return faultsOfRefusal(text);
      learn(known, viewOf(caller), result.structuredContent);
      const faults = tool.faultsOf(result.structuredContent);
      return faults.length === 0 ? [] : [`does not fit the schema of the tool: ${JSON.stringify(faults)}`];
    },
  };
}

/** Asked again after `error`: the protocol's own code may say that it does not know a tool or its arguments. */
const INTERNAL = -32_603;
const isInternal = ({ code }: { code: number }) => code === INTERNAL;

function faultsOfRefusal(text: string): string[] {
  const code = /^([A-Z]+-[NR]-\d+): ./.exec(text)?.[1];
  // A guest who is asked may also decline.
  if (code === undefined) return ['refuses without a code'];
  return /-R-50\d$/.test(code) ? [`fails with ${code}`] : [];
}

/** As JSON, or as the one event of a stream. */
function messageIn({ headers, text }: Outcome): Json {
  const isStream = String(headers['content-type']).startsWith('text/event-stream');
  return JSON.parse(isStream ? (/^data: (.*)$/m.exec(text)?.[1] ?? '{}') : text);
}

function learn(known: ProbeSetting['known'], view: string, data: Json): void {
  if (typeof data?.bookingId === 'string') known.add(`${view} bookings`, data.bookingId);
  if (typeof data?.holdId === 'string') known.add(`${view} holds`, data.holdId);
}

function argumentsFor(setting: ProbeSetting, caller: Caller, schema: Schema): Json {
  const { chances, known, victim, operations, receiverUrl } = setting;
  const operation = operations.find(({ path }) => path === '/mcp');
  if (!operation) throw new Error('/mcp is not in the document.');
  const required: readonly string[] = schema.required ?? [];
  const members = Object.entries(schema.properties ?? {}).filter(
    ([name]) => required.includes(name) || chances.happens(SHARES.optional),
  );
  const example = Object.fromEntries(members.map(([name, member]) => [name, plain(setting, member)]));
  const address = { plain: '/mcp', encoded: '/mcp', operatorId: victim.operatorId };
  return told({ asking: { chances, known, victim, operation, caller }, address, receiverUrl }, example);
}

/** A value of the kind; what is named by others is told afterwards. */
function plain(setting: ProbeSetting, schema: Schema): Json {
  const { chances } = setting;
  if (schema.enum) return chances.pick(schema.enum);
  switch ([schema.type].flat()[0]) {
    case 'integer':
    case 'number':
      return 1 + chances.below(4);
    case 'boolean':
      return chances.happens(0.5);
    case 'array':
      return [plain(setting, schema.items ?? {})];
    case 'object':
      return {};
    default:
      return schema.format === 'date' ? '2026-12-05' : chances.pick(['London', '19:30', 'book', 'Soho']);
  }
}

const METHODS = [
  ...['tools/list', 'tools/call', 'initialize', 'ping', 'server/discover', 'subscriptions/listen'],
  ...[
    'resources/read',
    'prompts/get',
    'notifications/initialized',
    'notifications/cancelled',
    '__proto__',
    '',
  ],
];
const VERSIONS = [
  '2026-07-28',
  '2025-11-25',
  '2024-10-07',
  '1999-01-01',
  'latest',
  '',
  '2026-07-28, 2025-11-25',
];
const IDS = [1, 0, -1, 1.5, 2 ** 53, '', 'x'.repeat(20_000), null, [1], { a: 1 }, true];

/** Other versions, unknown methods, batches, ids of every kind, sessions that are not there, other content types. */
function garbage(setting: ProbeSetting): Probe {
  const { chances } = setting;
  const caller = chances.pick(setting.callers);
  const odd = (): Json => ({
    ...(chances.happens(0.9) && { jsonrpc: chances.pick(['2.0', '2.0', '2.0', '1.0', 2]) }),
    ...(chances.happens(0.8) && { id: chances.pick(IDS) }),
    ...(chances.happens(0.9) && { method: chances.pick(METHODS) }),
    ...(chances.happens(0.7) && { params: oddParams(setting) }),
    ...(chances.happens(0.05) && { result: {} }),
  });
  const value = chances.happens(0.15) ? Array.from({ length: chances.below(60) }, odd) : odd();
  const clean = written(chances, value, 'application/json');
  const { type, bytes, encoding } = chances.happens(0.3) ? spoilt(chances, clean) : clean;
  const headers: Record<string, string> = {
    ...caller.headers,
    accept: chances.pick([BOTH, BOTH, BOTH, 'application/json', 'text/event-stream', '*/*', 'text/html']),
    'content-type': chances.happens(0.9) ? type : chances.pick(MEDIA_TYPES),
    ...(encoding && { 'content-encoding': encoding }),
    ...(chances.happens(0.6) && { 'mcp-protocol-version': chances.pick(VERSIONS) }),
    ...(chances.happens(0.3) && { 'mcp-session-id': chances.uuid() }),
    ...(chances.happens(0.3) && { 'mcp-method': chances.pick(METHODS) }),
    ...(chances.happens(0.2) && { 'last-event-id': String(chances.below(1000)) }),
    ...(chances.happens(0.2) && {
      origin: chances.pick(['https://evil.example', 'null', 'http://localhost:1']),
    }),
  };
  const method = chances.happens(0.9) ? 'POST' : chances.pick(['GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD']);
  const isBare = method !== 'POST' && method !== 'PUT';
  return {
    name: 'garbage to /mcp',
    caller,
    wire: { method, path: '/mcp', headers, body: isBare ? undefined : bytes },
    isGood: false,
    faultsIn({ status }) {
      const isForeign = headers.origin === 'https://evil.example' && method !== 'OPTIONS';
      return isForeign && status < 400 ? [`answers ${status} to a page of another site`] : [];
    },
  };
}

function oddParams({ chances }: ProbeSetting): Json {
  switch (chances.below(5)) {
    case 0:
      return { name: hostileText(chances), arguments: {} };
    case 1:
      return { name: 'get_venues', arguments: chances.pick([null, [], 'x', 1, { page: 1e9 }]) };
    case 2:
      return {
        protocolVersion: chances.pick(VERSIONS),
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      };
    case 3:
      return {
        _meta: chances.pick([null, {}, META, { ...META, 'io.modelcontextprotocol/protocolVersion': 7 }]),
      };
    default:
      return chances.pick([null, [], 'x', 7, { cursor: hostileText(chances) }]);
  }
}
