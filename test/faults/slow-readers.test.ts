/** Callers that ask for much and never read it must cost a node neither memory nor connections. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { App } from '../../src/http/route.ts';
import { startTestApp, type TestAppOptions } from '../support/app.ts';
import { createTestDatabase } from '../support/databases/database.ts';
import { eventually } from '../support/eventually.ts';
import { FIXTURE, startNodeProcess } from '../support/node-process.ts';

/** The largest thing that anybody may ask for. */
const SCRIPT = '/docs/js/scalar.js';
const READERS = 200;
const AT_ONCE = 20;
const MOST_ATTEMPTS = 2000;
const MEGABYTE = 1024 ** 2;

/** Sends a request and leaves the answer in the socket: nothing listens for its data. */
async function askWithoutReading(port: number, host = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`GET ${SCRIPT} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return socket;
}

async function metric(address: string, name: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

test(`${READERS} callers that never read four megabytes cost a node less than half of one each`, async (t) => {
  const database = await createTestDatabase({ hasDemo: true });
  const node = await startNodeProcess({
    program: FIXTURE,
    env: {
      // None of them is disconnected before the last one has come.
      TEST_STALLED_AFTER_MS: '600000',
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      ROLE: 'api',
      RATE_LIMIT: '0',
    },
  });
  const sockets: Socket[] = [];
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    node.child.kill('SIGKILL');
    await node.exit;
    await database.drop();
  });
  const { hostname, port } = new URL(node.address);
  const { byteLength } = await (await fetch(`${node.address}${SCRIPT}`)).arrayBuffer();
  assert.ok(byteLength > 3 * MEGABYTE);
  const before = await metric(node.address, 'process_resident_memory_bytes');
  // A node that is busy refuses some of them, so others come until there are enough. The request for the metrics is in
  // flight itself.
  while ((await metric(node.address, 'http_requests_in_flight')) <= READERS) {
    assert.ok(sockets.length < MOST_ATTEMPTS, 'too few of the callers are served');
    const more = Array.from({ length: AT_ONCE }, () => askWithoutReading(Number(port), hostname));
    sockets.push(...(await Promise.all(more)));
  }
  const grown = (await metric(node.address, 'process_resident_memory_bytes')) - before;
  assert.ok(grown < (sockets.length * MEGABYTE) / 2, `${Math.round(grown / MEGABYTE)} MB more`);
});

async function listen(t: TestContext, options: TestAppOptions): Promise<{ port: number; app: App }> {
  const maitred = await startTestApp(options);
  t.after(() => maitred.close());
  await maitred.app.listen({ port: 0, host: '127.0.0.1' });
  // Made by the first who asks, which takes a while.
  await maitred.app.inject(SCRIPT);
  return { app: maitred.app, port: (maitred.app.server.address() as AddressInfo).port };
}

const connectionsOf = ({ server }: App) =>
  new Promise<number>((resolve) => {
    server.getConnections((_error, count) => resolve(count));
  });

test('a caller that stops reading is disconnected, one that reads slowly gets everything', async (t) => {
  const { app, port } = await listen(t, { deps: { stalledAfterMs: 1500 } });
  const stalled = await Promise.all(Array.from({ length: 5 }, () => askWithoutReading(port)));
  const slow = await askWithoutReading(port);
  t.after(() => [...stalled, slow].forEach((socket) => void socket.destroy()));
  let received = 0;
  const reading = setInterval(() => {
    received += (slow.read() as Buffer | null)?.length ?? 0;
  }, 20);
  t.after(() => clearInterval(reading));
  const closed = async () =>
    /^http_stalled_connections_closed_total (\d+)$/m.exec((await app.inject('/metrics')).body)?.[1];
  await eventually(async () => (await closed()) === '5');
  assert.equal(await connectionsOf(app), 1);
  const { rawPayload } = await app.inject(SCRIPT);
  await eventually(() => received > rawPayload.length);
});

test('a request that takes long to answer keeps its connection', async (t) => {
  let finish = () => {};
  const { app, port } = await listen(t, {
    deps: { stalledAfterMs: 100 },
    extend: (routes) =>
      routes.get('/test/slow', { config: { access: 'public' }, schema: { hide: true } }, async () => {
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return { isDone: true };
      }),
  });
  const answer = fetch(`http://127.0.0.1:${port}/test/slow`);
  await once(app.server, 'request');
  // Somebody who stops reading goes meanwhile, so this one would have gone too.
  const stalled = await askWithoutReading(port);
  t.after(() => stalled.destroy());
  await eventually(async () => (await connectionsOf(app)) === 1);
  finish();
  assert.deepEqual(await (await answer).json(), { isDone: true });
});
