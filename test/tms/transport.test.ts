import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createRawServer } from 'node:net';
import { after, test } from 'node:test';
import { createTransport, TransportError } from '../../src/tms/transport.ts';

const closing: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closing) await close();
});

async function serve(handle: RequestListener): Promise<{ url: string; connections(): number }> {
  const server = createServer(handle);
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
  };
}

function open(options: Partial<Parameters<typeof createTransport>[0]> = {}) {
  const transport = createTransport({ allowLoopback: true, isLoopbackOnly: true, ...options });
  closing.push(() => transport.close());
  return transport.fetch;
}

const get = (signal = AbortSignal.timeout(10_000)) => ({ method: 'GET', headers: {}, signal });

/** Fails unless it was refused so, and says whether anything was sent. */
async function failure(attempt: Promise<unknown>, message: RegExp): Promise<TransportError> {
  const error = await attempt.then(
    () => assert.fail('it was answered'),
    (thrown) => thrown,
  );
  assert.ok(error instanceof TransportError, String(error));
  assert.match(error.message, message);
  return error;
}

test('a body goes there and comes back, on a connection that is kept', async () => {
  const server = await serve((request, response) => {
    response.setHeader('X-Seen', String(request.headers.authorization));
    request.pipe(response);
  });
  const fetch = open();
  for (let round = 0; round < 10; round += 1) {
    const answer = await fetch(`${server.url}/a?b=c`, {
      method: 'PUT',
      headers: { authorization: 'Bearer t' },
      body: 'ä'.repeat(round),
      signal: AbortSignal.timeout(10_000),
    });
    assert.deepEqual([answer.status, answer.body.toString()], [200, 'ä'.repeat(round)]);
    assert.equal(answer.headers['x-seen'], 'Bearer t');
  }
  assert.ok(server.connections() <= 2, `${server.connections()} connections`);
});

test('redirects are answers like others', async () => {
  const server = await serve((_request, response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
  });
  assert.equal((await open()(server.url, get())).status, 302);
});

test('an answer is at most as long as it may be', async () => {
  const server = await serve((_request, response) => response.end('x'.repeat(2000)));
  const fetch = open({ maxBodyBytes: 2000 });
  assert.equal((await fetch(server.url, get())).body.length, 2000);
  const { isSent } = await failure(open({ maxBodyBytes: 1999 })(server.url, get()), /longer than 1999 bytes/);
  assert.equal(isSent, true);
});

test('what has certainly not been sent is told apart from what may have been', async () => {
  const cutting = await serve((request) => request.socket.destroy());
  assert.equal((await failure(open()(cutting.url, get()), /was cut/)).isSent, true);
  const garbage = createRawServer((socket) => {
    socket.once('data', () => socket.end('nonsense\r\n\r\n'));
  });
  garbage.listen(0, '127.0.0.1');
  await once(garbage, 'listening');
  closing.push(async () => garbage.close());
  const { port } = garbage.address() as AddressInfo;
  assert.equal((await failure(open()(`http://127.0.0.1:${port}`, get()), /not HTTP/)).isSent, true);
  assert.equal((await failure(open()('http://127.0.0.1:9', get()), /refused/)).isSent, false);
  const nameless = open({ isLoopbackOnly: false, resolve: async () => [] });
  assert.equal((await failure(nameless('https://gone.example', get()), /cannot be found/)).isSent, false);
});

test('addresses that the environment does not allow are not connected to', async () => {
  const server = await serve((_request, response) => response.end());
  const elsewhere = open({ allowLoopback: false, isLoopbackOnly: false, resolve: async () => ['10.0.0.7'] });
  for (const url of [server.url, 'https://127.0.0.1', 'http://93.184.215.14', 'https://inside.example'])
    assert.equal((await failure(elsewhere(url, get()), /refused/)).isSent, false);
  const sandbox = open();
  assert.equal((await failure(sandbox('https://93.184.215.14', get()), /refused/)).isSent, false);
  for (const url of ['ftp://127.0.0.1', 'http://user:word@127.0.0.1', 'nonsense'])
    assert.equal((await failure(sandbox(url, get()), /cannot be used/)).isSent, false);
  assert.equal(server.connections(), 0);
});

test('a caller that gives up is answered at once, and so is the server', async () => {
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const server = await serve((request) => {
    request.on('close', resolve);
    begin();
  });
  const controller = new AbortController();
  const answer = open()(server.url, get(controller.signal));
  await begun;
  controller.abort(new Error('The time is up.'));
  await assert.rejects(answer, /The time is up/);
  await gone;
  await assert.rejects(open()(server.url, get(AbortSignal.abort(new Error('Too late.')))), /Too late/);
});
