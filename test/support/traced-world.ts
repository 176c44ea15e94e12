/** A node that sends its traces to a collector, with a table system over the network and a receiver of webhooks. */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createConnectServer } from '../../examples/connect-server/server.ts';
import { connectSystem, SLUG } from '../../scripts/demo-remote/manage.ts';
import { createTestDatabase, type TestDatabase } from './databases/database.ts';
import { type NodeProcess, startNodeProcess } from './node-process.ts';
import { type Receiver, startReceiver } from './peers/receiver.ts';
import { type Collector, startCollector } from './peers/trace-collector.ts';

/** A product of the system over the network. */
export const REMOTE_DINNER = `1|${SLUG}|harbour-kitchen|dinner`;

export interface TracedWorld extends AsyncDisposable {
  node: NodeProcess;
  database: TestDatabase;
  collector: Collector;
  receiver: Receiver;
  /** Headers of the calls that the system got, the latest last. */
  systemCalls: IncomingHttpHeaders[];
  call(path: string, init?: RequestInit): Promise<Response>;
}

export async function startTracedWorld(env: Record<string, string> = {}): Promise<TracedWorld> {
  await using started = new AsyncDisposableStack();
  const collector = await startCollector();
  started.defer(() => collector.close());
  const receiver = await startReceiver();
  started.defer(() => receiver.close());
  const database = await createTestDatabase({ hasDemo: true });
  started.defer(() => database.drop());
  const systemCalls: IncomingHttpHeaders[] = [];
  const token = randomBytes(12).toString('base64url');
  const server = createConnectServer({
    token,
    wrap: (handle) => (call) => {
      systemCalls.push(call.headers);
      return handle(call);
    },
  });
  const system = await server.listen();
  started.defer(() => server.close());
  const node = await startNodeProcess({
    env: {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      RATE_LIMIT: '0',
      WEBHOOK_ALLOW_LOOPBACK: 'true',
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER_ARG: '1',
      ...env,
    },
  });
  started.defer(async () => {
    node.child.kill('SIGTERM');
    await node.exit;
  });
  const webhookSecret = `whsec_${randomBytes(32).toString('base64')}`;
  await connectSystem({ node: node.address, system, token, webhookSecret, say: () => {} });
  const call = await signIn(node.address);
  const running = started.move();
  return {
    ...{ node, database, collector, receiver, systemCalls, call },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function signIn(address: string): Promise<TracedWorld['call']> {
  const answer = await fetch(`${address}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'demo-partner',
      client_secret: 'demo-partner-secret',
      audience: 'maitred',
    }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return (path, init = {}) =>
    fetch(`${address}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers },
    });
}

/** A week from now; `time` keeps one booking of a test from taking the table of another. */
export const bookingBody = (time = '19:30') =>
  JSON.stringify({
    type: 'book',
    partySize: 2,
    date: Temporal.Now.plainDateISO('Europe/London').add({ days: 7 }).toString(),
    time,
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
  });
