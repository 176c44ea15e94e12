import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestApp } from '../../support/app.ts';

/** Those that the server speaks, the newest first. */
export const VERSIONS = ['2026-07-28', '2025-11-25'] as const;
export type Version = (typeof VERSIONS)[number];

/** The demo's agent, which acts for its partner. */
export const AGENT = { as: 'demo-agent', headers: { 'x-partner-reference': 'demo-partner' } };

export interface ClientOptions {
  version?: Version;
  /** Client id of the demo data. */
  as?: string;
  headers?: Record<string, string>;
  /** Makes the client able to ask its user. */
  elicit?: Elicit;
}

export type Elicit = (question: { message: string; requestedSchema: unknown }) => {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, string | number | boolean>;
};

/** The official client, whose requests are injected into the application. */
export async function connect(
  target: TestApp,
  { version = '2026-07-28', as = 'demo-partner', headers = {}, elicit }: ClientOptions = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: version === '2026-07-28' ? { mode: { pin: version } } : { mode: 'legacy' },
      capabilities: elicit ? { elicitation: { form: {} } } : {},
    },
  );
  if (elicit)
    client.setRequestHandler('elicitation/create', ({ params }) => elicit(params as Parameters<Elicit>[0]));
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1:3000/mcp'), {
    requestInit: { headers: { authorization: `Bearer ${await target.token(as)}`, ...headers } },
    fetch: injected(target),
  });
  await client.connect(transport);
  // From then on it holds every answer against the schema of its tool.
  await client.listTools();
  return client;
}

function injected({ app }: TestApp): typeof fetch {
  return async (url, init = {}) => {
    const answer = await app.inject({
      method: (init.method ?? 'GET') as 'GET' | 'POST',
      url: new URL(url as URL).pathname,
      headers: { host: '127.0.0.1:3000', ...Object.fromEntries(new Headers(init.headers)) },
      ...(init.body != null && { payload: init.body as string }),
    });
    const isEmpty = answer.statusCode === 202 || answer.statusCode === 204;
    return new Response(isEmpty ? null : answer.body, {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
    });
  };
}

export interface ToolResult {
  isError: boolean;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape and assert what they find.
  data: any;
}

export async function callTool(client: Client, name: string, args: object = {}): Promise<ToolResult> {
  const result = await client.callTool({ name, arguments: args as Record<string, unknown> });
  const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return { isError: result.isError === true, text, data: result.structuredContent };
}
