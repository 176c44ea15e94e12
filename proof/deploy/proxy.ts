/** Runs `deploy/haproxy.cfg` in front of two real nodes, with a certificate and a bucket that are made up. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request as plainRequest } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HangingDatabase } from '../../test/support/databases/hanging-database.ts';
import { type NodeProcess, startNodeProcess } from '../../test/support/node-process.ts';
import { CERTIFICATE, PRIVATE_KEY } from '../../test/support/peers/receiver-certificate.ts';
import { bookAsPartner, type Caller, tokenOf } from './booking.ts';
import { DEPLOY, type Finding, finding, run } from './tools.ts';

export interface ProxyCheck {
  work: string;
  database: HangingDatabase;
  /** The first of six that are free. */
  port: number;
}

/** How a caller may write the addresses that are not for the outside. */
const INSIDE = [
  ...['/metrics', '/health/ready', '/health/live', '/metrics?a=b', '/metrics/', '//metrics', '/METRICS'],
  ...[
    '/%6detrics',
    '/%6D%65trics',
    '/health%2Fready',
    '/%68ealth/ready',
    '/metrics;a',
    '/metrics#a',
    '/metrics%23',
    '/metrics%3Fa',
  ],
  ...['/./metrics', '/a/../metrics', '/health//ready', '/health/./ready'],
];

export async function checkProxy({ work, database, port }: ProxyCheck): Promise<Finding[]> {
  const [http, https, first, second, bucketPort] = [port, port + 1, port + 2, port + 3, port + 4];
  const publicUrl = `https://localhost:${https}`;
  const certificates = join(work, 'certs');
  mkdirSync(certificates);
  writeFileSync(join(certificates, 'site.pem'), CERTIFICATE + PRIVATE_KEY);
  const env = {
    BIND_HTTP: `127.0.0.1:${http}`,
    BIND_HTTPS: `127.0.0.1:${https}`,
    CERTIFICATES: certificates,
    RUN_AS: 'haproxy',
    API_1: `127.0.0.1:${first}`,
    API_2: `127.0.0.1:${second}`,
    FEED_SERVER: `127.0.0.1:${bucketPort}`,
  };
  const config = join(DEPLOY, 'haproxy.cfg');
  const valid = await finding('`haproxy -c`', () => {
    const { stdout, stderr } = run('haproxy', ['-c', '-f', config], { env: { ...process.env, ...env } });
    assert.doesNotMatch(stdout + stderr, /WARNING/);
    return 'valid, without warnings';
  });

  console.error('  starting two nodes');
  await using started = new AsyncDisposableStack();
  const settings = {
    DATABASE_URL: database.url,
    HOST: '127.0.0.1',
    PUBLIC_URL: publicUrl,
    TRUST_PROXY: '1',
    RATE_LIMIT: '0',
  };
  const nodes: NodeProcess[] = [];
  for (const own of [first, second]) {
    const node = await startNodeProcess({
      env: {
        ...settings,
        PORT: String(own),
        ROLE: 'api',
        ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      },
    });
    nodes.push(node);
    started.defer(async () => {
      node.child.kill('SIGTERM');
      await node.exit;
    });
  }
  const asked: IncomingMessage[] = [];
  const bucket = createServer((message, answer) => {
    asked.push(message);
    answer.end('a file of the feed');
  });
  bucket.listen(bucketPort, '127.0.0.1');
  started.defer(() => void bucket.close());
  const proxy = spawn('haproxy', ['-db', '-f', config], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  proxy.stdout.on('data', (bytes) => {
    said += bytes;
  });
  started.defer(async () => {
    proxy.kill('SIGTERM');
    if (proxy.exitCode === null) await once(proxy, 'exit');
  });
  const call = callerOf(https);
  console.error('  waiting for the proxy to find the nodes ready');
  while ((await call('/llms.txt').catch(() => undefined))?.status !== 200) {
    assert.equal(proxy.exitCode, null, 'The proxy has ended');
    await sleep(200);
  }

  return [
    valid,
    await finding('plain HTTP', async () => {
      const answer = await ask(plainRequest({ port: http, path: '/venues', host: '127.0.0.1' }));
      assert.equal(answer.status, 308);
      assert.equal(answer.headers.location, `https://127.0.0.1:${http}/venues`);
      return '308 to `https`';
    }),
    await finding('a booking over TLS, with `|` as it is in the path', () => bookAsPartner(call)),
    await finding('`|` over HTTP/2', () => overHttp2(https, call)),
    await finding('`/metrics` and `/health`', () => hidden(call, first)),
    await finding('`Host` is passed on', async () => {
      const { token } = await tokenOf(call, 'demo-agent');
      const own = await mcp(call, token, `localhost:${https}`);
      const other = await mcp(call, token, 'evil.example');
      assert.equal(other.status, 403);
      assert.match(other.text, /HTTP-N-403/);
      assert.equal(own.status, 200, own.text);
      return '`/mcp` answers 200, and 403 with another `Host`';
    }),
    await finding('the address of the caller', () => countedByAddress(https)),
    await finding('the feed', async () => {
      const answer = await call('/feed/token-1/index.json?list-type=2', {
        headers: { Authorization: 'Bearer secret' },
      });
      assert.equal(answer.text, 'a file of the feed');
      assert.equal(asked[0]?.url, '/maitred/feed/token-1/index.json');
      assert.equal(asked[0]?.headers.authorization, undefined);
      for (const path of [
        '/feed/',
        '/feed/token-1/',
        '/feed/token-1/../',
        '/feed/a/b/c',
        '/feed?list-type=2',
      ])
        await call(path);
      await call('/feed/token-1/index.json', { method: 'PUT', body: 'x' });
      assert.equal(asked.length, 1);
      return 'files come from the bucket, without query and token; lists and writes do not reach it';
    }),
    await finding('no node ready', () =>
      noneReady(call, database, () => said.includes('backend api has no server available')),
    ),
    await finding('no node at all', () => noneAtAll(call, nodes)),
  ];
}

interface Answer {
  status: number;
  text: string;
  headers: IncomingMessage['headers'];
}

async function ask(sent: ReturnType<typeof plainRequest>, body?: string): Promise<Answer> {
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, text: await text(answer), headers: answer.headers };
}

type ProxyCaller = (...sent: Parameters<Caller>) => Promise<Answer>;

/** Calls with paths as they are, which `fetch` would write anew. */
function callerOf(port: number, localAddress = '127.0.0.1'): ProxyCaller {
  return (path, { method = 'GET', headers = {}, body } = {}) => {
    const where = {
      host: '127.0.0.1',
      port,
      path,
      method,
      localAddress,
      ca: CERTIFICATE,
      servername: 'localhost',
    };
    return ask(request({ ...where, headers: { Host: `localhost:${port}`, ...headers }, agent: false }), body);
  };
}

async function overHttp2(port: number, call: Caller): Promise<string> {
  const { token } = await tokenOf(call, 'demo-partner');
  const session = connectHttp2(`https://localhost:${port}`, { ca: CERTIFICATE });
  try {
    const stream = session.request({
      ':path': '/venues/1|house|soho-grill',
      authorization: `Bearer ${token}`,
    });
    const [headers] = await once(stream, 'response');
    stream.resume();
    assert.equal(headers[':status'], 200);
    return '200';
  } finally {
    session.close();
  }
}

/** The control is a node without the proxy: it answers some of these spellings. */
async function hidden(call: Caller, nodePort: number): Promise<string> {
  let open = 0;
  for (const path of INSIDE) {
    const direct = await ask(plainRequest({ host: '127.0.0.1', port: nodePort, path, agent: false }));
    if (direct.status === 200) open++;
    const { status } = await call(path);
    assert.ok([400, 404].includes(status), `${path} is answered with ${status}`);
  }
  assert.ok(open > 3);
  return `${INSIDE.length} spellings refused; without the proxy a node answers ${open} of them`;
}

/** The database stands still until the proxy has taken both nodes out. */
async function noneReady(call: ProxyCaller, database: HangingDatabase, isNoneReady: () => boolean) {
  const { token } = await tokenOf(call, 'demo-partner');
  database.hang();
  try {
    while (!isNoneReady()) await sleep(200);
    assert.equal((await call('/llms.txt')).status, 200);
    const refused = await call('/venues/bookings', { headers: { Authorization: `Bearer ${token}` } });
    assert.equal(refused.status, 503, refused.text);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    assert.ok(JSON.parse(refused.text).type.endsWith('/problems/HTTP-R-503'));
    return 'with the database standing still: pages 200, lists of bookings 503 of a node, with `Retry-After`';
  } finally {
    database.wake();
  }
}

async function noneAtAll(call: ProxyCaller, nodes: readonly NodeProcess[]): Promise<string> {
  for (const { child } of nodes) child.kill('SIGKILL');
  await Promise.all(nodes.map(({ exit }) => exit));
  const answer = await call('/docs');
  assert.equal(answer.status, 503);
  assert.ok(Number(answer.headers['retry-after']) > 0);
  assert.equal(answer.headers['content-type'], 'application/problem+json');
  assert.equal(JSON.parse(answer.text).code, 'HTTP-R-503');
  return '503 `HTTP-R-503` with `Retry-After`, as a problem';
}

const mcp = (call: Caller, token: string, host: string) =>
  call('/mcp', {
    method: 'POST',
    headers: {
      Host: host,
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'X-Partner-Reference': 'demo-partner',
      'MCP-Protocol-Version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });

/** Who guesses secrets is made to wait, by address. One who makes an address up gains nothing by it. */
async function countedByAddress(port: number): Promise<string> {
  const guess = async (from: string, forwardedFor?: string) => {
    const call = callerOf(port, from);
    const claiming: Caller = (path, sent = {}) =>
      call(path, {
        ...sent,
        headers: { ...sent.headers, ...(forwardedFor && { 'X-Forwarded-For': forwardedFor }) },
      });
    return (await tokenOf(claiming, 'demo-operator', 'wrong')).status;
  };
  // Ten at each of two nodes.
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 40; attempt++) statuses.push(await guess('127.0.0.2', `10.0.0.${attempt}`));
  assert.equal(statuses.at(0), 401);
  assert.equal(statuses.at(-1), 429);
  assert.equal(await guess('127.0.0.3'), 401);
  return `one caller that guesses secrets is blocked after ${statuses.indexOf(429)} attempts, whatever \`X-Forwarded-For\` it sends; another one is not`;
}
