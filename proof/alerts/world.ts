/** What the alerts are about: two nodes that answer, one that works, a system, a receiver and callers. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnectServer } from '../../examples/connect-server/server.ts';
import { connectSystem } from '../../scripts/demo-remote/manage.ts';
import { openPool, type Sql } from '../../src/db/database.ts';
import { type HangingDatabase, startHangingDatabase } from '../../test/support/databases/hanging-database.ts';
import { type NodeProcess, startNodeProcess } from '../../test/support/node-process.ts';
import { answer, type Receiver, startReceiver } from '../../test/support/peers/receiver.ts';

export interface World extends AsyncDisposable {
  database: HangingDatabase;
  sql: Sql;
  /** Answers; reaches the database directly. */
  api: NodeProcess;
  /** Answers too, over a connection to the database that can be cut, and blocks its event loop on SIGUSR2. */
  second: NodeProcess;
  worker(): NodeProcess;
  stopWorker(): Promise<void>;
  startWorker(): Promise<void>;
  /** Of the second node to the database. */
  cut(isCut: boolean): void;
  system: { isFailing: boolean };
  receiver: Receiver;
  call(path: string, init?: RequestInit): Promise<Response>;
  book(product: string): Promise<Response>;
}

const KEY = Buffer.alloc(32, 7).toString('base64');
/** While it is on, each tick of the event loop takes a fifth of a second: slow, and Prometheus is still answered. */
const BLOCKING = `let on = false;
process.on('SIGUSR2', () => { on = !on; spin(); });
function spin() { const end = Date.now() + 200; while (Date.now() < end); if (on) setImmediate(spin); }`;

export async function startWorld(ports: { worker: number }): Promise<World> {
  await using started = new AsyncDisposableStack();
  const database = await startHangingDatabase();
  started.defer(() => database.close());
  const sql = openPool(database.url, { max: 4 });
  started.defer(() => sql.end({ timeout: 1 }));
  const receiver = await startReceiver({ behaviour: answer(204) });
  started.defer(() => receiver.close());
  const cable = await startCable(database.url);
  started.defer(() => cable.close());
  const env = {
    ENCRYPTION_KEY: KEY,
    RATE_LIMIT: '0',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    HOST: '127.0.0.1',
    // Nobody listens there: neither traces nor mails arrive.
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_TRACES_SAMPLER_ARG: '1',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'maitred@example.com',
    LOG_LEVEL: 'silent',
  };
  const api = await startNodeProcess({ env: { ...env, DATABASE_URL: database.url, ROLE: 'api' } });
  started.defer(() => end(api));
  const preload = `--import=data:text/javascript,${encodeURIComponent(BLOCKING)}`;
  const second = await startNodeProcess({
    env: { ...env, DATABASE_URL: cable.url, ROLE: 'api', NODE_OPTIONS: preload },
  });
  started.defer(() => end(second));
  let worker: NodeProcess | undefined;
  const startWorker = async () => {
    worker = await startNodeProcess({
      env: { ...env, DATABASE_URL: database.url, ROLE: 'worker', PORT: String(ports.worker) },
    });
  };
  const stopWorker = async () => {
    if (worker) await end(worker);
    worker = undefined;
  };
  await startWorker();
  started.defer(stopWorker);

  const system = { isFailing: false };
  const server = createConnectServer({
    token: 'let-me-in',
    wrap: (handle) => (call) => (system.isFailing ? { status: 500 } : handle(call)),
  });
  const url = await server.listen();
  started.defer(() => server.close());
  const webhookSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  await connectSystem({ node: api.address, system: url, token: 'let-me-in', webhookSecret, say: () => {} });
  const call = await signIn(api.address);
  const running = started.move();
  let minutes = 0;
  return {
    ...{ database, sql, api, second, stopWorker, startWorker, cut: cable.cut, system, receiver, call },
    worker: () => worker as NodeProcess,
    book(product) {
      minutes += 1;
      const date = Temporal.Now.plainDateISO('Europe/London')
        .add({ days: 7 + (minutes % 100) })
        .toString();
      const time = minutes % 2 === 0 ? '18:00' : '20:00';
      const body = JSON.stringify({
        type: 'book',
        partySize: 2,
        date,
        time,
        firstName: 'Ada',
        lastName: 'Lovelace',
      });
      return call(`/venues/${encodeURIComponent(product)}/booking`, { method: 'POST', body });
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function end(node: NodeProcess): Promise<void> {
  node.child.kill('SIGKILL');
  await node.exit;
}

async function signIn(address: string): Promise<World['call']> {
  const clients = { partner: 'demo-partner', manage: 'demo-admin' };
  const tokens = await Promise.all(
    Object.values(clients).map(async (client) => {
      const body = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: client,
        client_secret: `${client}-secret`,
        audience: 'maitred',
      });
      const token = await fetch(`${address}/oauth/token`, { method: 'POST', body });
      return ((await token.json()) as { access_token: string }).access_token;
    }),
  );
  return (path, init = {}) =>
    fetch(`${address}${path}`, {
      ...init,
      headers: {
        authorization: `Bearer ${tokens[path.startsWith('/manage') ? 1 : 0]}`,
        ...(init.body !== undefined && { 'content-type': 'application/json' }),
      },
    });
}

/** A way to the database that can be cut. */
async function startCable(databaseUrl: string) {
  const to = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(to.port), to.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut(next: boolean) {
      isCut = next;
      if (isCut) endAll();
    },
    async close() {
      endAll();
      server.close();
      await sleep(10);
    },
  };
}
