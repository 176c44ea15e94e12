import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import Fastify from 'fastify';
import { countRequest, createRateLimiter, type RateLimiter } from '../../../src/http/limits/rate-limit.ts';
import { createMemoryCounter } from '../../../src/http/limits/request-counter.ts';
import { serverOptions } from '../../../src/http/server.ts';
import { startTestApp } from '../../support/app.ts';
import { seenCode } from '../../support/seen-codes.ts';
import { loopbackRedis } from '../loopback-redis.ts';
import { smallApp } from '../small-app.ts';

const START_MS = 1_700_000_000_500;

function handClock() {
  let now = START_MS;
  return { nowMs: () => now, pass: (ms: number) => (now += ms) };
}

function warnings() {
  const messages: string[] = [];
  return {
    messages,
    logger: { warn: (_bindings: unknown, message?: string) => void messages.push(String(message)) },
  };
}

function limited(limiter: RateLimiter) {
  return smallApp((app) => {
    app.addHook(
      'onRequest',
      (request, reply) => countRequest(limiter, String(request.headers.client), reply) ?? Promise.resolve(),
    );
    app.get('/call', { config: { access: 'public' } }, () => ({}));
  }).app;
}

const limitHeaders = (headers: Record<string, unknown>) =>
  ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`]);

test('calls are counted down to the limit, then refused until the window ends', async () => {
  const { nowMs, pass } = handClock();
  const app = limited(await createRateLimiter({ limit: 2, nowMs, logger: warnings().logger }));
  const call = (client: string, url = '/call') => app.inject({ url, headers: { client } });
  const reset = String(Math.ceil((START_MS + 60_000) / 1000));

  assert.deepEqual(limitHeaders((await call('a')).headers), ['2', '1', reset]);
  pass(20_000);
  const notFound = await call('a', '/nowhere');
  assert.equal(notFound.statusCode, 404);
  assert.deepEqual(limitHeaders(notFound.headers), ['2', '0', reset]);

  const refused = await call('a');
  assert.equal(refused.statusCode, 429);
  assert.equal(seenCode(refused), 'RATE-R-001');
  assert.equal(refused.headers['retry-after'], '40');
  assert.deepEqual(limitHeaders(refused.headers), ['2', '0', reset]);
  assert.equal((await call('b')).statusCode, 200);

  pass(40_000);
  assert.deepEqual(limitHeaders((await call('a')).headers).slice(0, 2), ['2', '1']);
});

test('a limit of 0 is no limit and shows no headers', async () => {
  const app = limited(
    await createRateLimiter({ limit: 0, nowMs: handClock().nowMs, logger: warnings().logger }),
  );
  for (let i = 0; i < 5; i++) {
    const answer = await app.inject({ url: '/call', headers: { client: 'a' } });
    assert.equal(answer.statusCode, 200);
    assert.deepEqual(limitHeaders(answer.headers), [undefined, undefined, undefined]);
  }
});

test('in any 60 s from its first call a key is counted once per call', () => {
  const step = fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    waitMs: fc.integer({ min: 0, max: 40_000 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { nowMs, pass } = handClock();
      const counter = createMemoryCounter({ nowMs });
      const windows = new Map<string, { begin: number; count: number }>();
      for (const { key, waitMs } of steps) {
        pass(waitMs);
        const known = windows.get(key);
        const expected = known && nowMs() < known.begin + 60_000 ? known : { begin: nowMs(), count: 0 };
        expected.count++;
        windows.set(key, expected);
        assert.deepEqual(
          { ...counter.hit(key) },
          { count: expected.count, resetMs: expected.begin + 60_000 },
        );
      }
    }),
  );
});

test('memory is bounded, and windows that have ended are forgotten', () => {
  const { nowMs, pass } = handClock();
  const counter = createMemoryCounter({ nowMs, maxKeys: 10 });
  for (let i = 0; i < 1000; i++) counter.hit(`key ${i}`);
  assert.equal(counter.size(), 10);
  assert.equal(counter.hit('key 999').count, 2);
  pass(60_000);
  counter.hit('later');
  assert.equal(counter.size(), 1);
});

test('nodes that share a Redis share the count', async (t) => {
  const { nowMs, pass } = handClock();
  const redis = await loopbackRedis(nowMs);
  t.after(redis.close);
  const { logger, messages } = warnings();
  const options = { limit: 3, nowMs, redisUrl: redis.url, logger };
  const nodes = [await createRateLimiter(options), await createRateLimiter(options)] as const;
  t.after(() => Promise.all(nodes.map((node) => node.close())));
  for (const [node, expected] of [
    [nodes[0], 1],
    [nodes[1], 2],
    [nodes[0], 3],
  ] as const) {
    assert.deepEqual(await node.hit('a'), { count: expected, resetMs: START_MS + 60_000 });
  }
  assert.equal((await limited(nodes[1]).inject({ url: '/call', headers: { client: 'a' } })).statusCode, 429);
  pass(60_000);
  assert.equal((await nodes[1].hit('a')).count, 1);
  assert.deepEqual(messages, []);
});

test('while Redis hangs calls are counted in memory, nobody is refused, and it is said once a minute', async (t) => {
  const { nowMs, pass } = handClock();
  const redis = await loopbackRedis(nowMs);
  t.after(redis.close);
  const { logger, messages } = warnings();
  const limiter = await createRateLimiter({ limit: 5, nowMs, redisUrl: redis.url, logger });
  t.after(() => limiter.close());
  await limiter.hit('warm up');
  redis.hang(true);

  const before = redis.calls();
  assert.equal((await limiter.hit('a')).count, 1);
  assert.equal((await limiter.hit('a')).count, 2);
  assert.equal(redis.calls() - before, 1, 'a Redis that hangs is left alone for a while');
  pass(6000);
  assert.equal((await limiter.hit('a')).count, 3);
  assert.equal(messages.length, 1);
  pass(60_000);
  await limiter.hit('a');
  assert.equal(messages.length, 2);

  redis.hang(false);
  pass(6000);
  const other = await createRateLimiter({ limit: 5, nowMs, redisUrl: redis.url, logger });
  t.after(() => other.close());
  assert.equal((await limiter.hit('b')).count, 1);
  assert.equal((await other.hit('b')).count, 2, 'they count together again');
  assert.equal(messages.length, 2);
});

test('a node starts and serves when there is no Redis at its address', async (t) => {
  const silent = createServer();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  silent.close();
  await once(silent, 'close');
  const { logger, messages } = warnings();
  const { nowMs } = handClock();
  const limiter = await createRateLimiter({ limit: 1, nowMs, redisUrl: `redis://127.0.0.1:${port}`, logger });
  t.after(() => limiter.close());
  const call = () => limited(limiter).inject({ url: '/call', headers: { client: 'a' } });
  assert.equal((await call()).statusCode, 200);
  assert.equal((await call()).statusCode, 429);
  assert.equal(messages.length, 1);
});

test('a real Redis runs the script', async (t) => {
  const port = 20_000 + (process.pid % 10_000);
  const server = spawn('redis-server', ['--port', String(port), '--save', ''], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const started = await Promise.race([
    once(server, 'error').then(() => false),
    new Promise<boolean>((resolve) =>
      server.stdout.on('data', (text) => /ready to accept/i.test(String(text)) && resolve(true)),
    ),
  ]);
  if (!started) return t.skip('there is no redis-server on this machine');
  t.after(() => server.kill());
  const nowMs = () => Date.now();
  const limiter = await createRateLimiter({
    limit: 2,
    nowMs,
    redisUrl: `redis://127.0.0.1:${port}`,
    logger: warnings().logger,
  });
  t.after(() => limiter.close());
  const first = await limiter.hit('a');
  const second = await limiter.hit('a');
  assert.equal(second.count, 2);
  assert.equal(second.resetMs, first.resetMs);
  assert.ok(Math.abs(first.resetMs - Date.now() - 60_000) < 5000);
});

test('behind proxies the address that the outermost one saw is counted, and callers cannot make one up', async () => {
  const addressSeenBy = async (trustedProxies: number, forwarded: string) => {
    const app = Fastify(serverOptions({ publicUrl: 'http://x', logLevel: 'silent', trustedProxies }));
    app.get('/', async (request) => request.ip);
    return (await app.inject({ url: '/', headers: { 'x-forwarded-for': forwarded } })).body;
  };
  assert.equal(await addressSeenBy(0, '203.0.113.7'), '127.0.0.1');
  assert.equal(await addressSeenBy(1, '198.51.100.9, 203.0.113.7'), '203.0.113.7');
  assert.equal(await addressSeenBy(2, '198.51.100.9, 203.0.113.7'), '198.51.100.9');
});

test('public pages take three times as many calls from one network as a client has; health is counted apart', async (t) => {
  const maitred = await startTestApp({ config: { rateLimit: 2 } });
  t.after(() => maitred.close());
  const ask = (url: string, remoteAddress = '192.0.2.1') => maitred.app.inject({ url, remoteAddress });
  const pages = [
    '/docs',
    '/problems',
    '/problems/RATE-R-001',
    '/openapi.json',
    '/.well-known/jwks.json',
    '/docs',
  ];
  for (const url of pages) {
    const answer = await ask(url);
    assert.ok(answer.statusCode < 400, `${url}: ${answer.statusCode}`);
    assert.equal(answer.headers['x-ratelimit-limit'], undefined, 'a shared cache would show it to others');
  }
  const refused = await ask('/problems');
  assert.equal(refused.statusCode, 429);
  assert.equal(seenCode(refused), 'RATE-R-001');
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.equal((await ask('/problems', '192.0.2.2')).statusCode, 200);

  for (const url of ['/health/live', '/health/ready', '/metrics', '/health/live', '/metrics', '/health/live'])
    assert.equal((await ask(url)).statusCode, 200, url);
  assert.equal((await ask('/health/live')).statusCode, 429);
  assert.equal((await ask('/feed/none/index.json')).statusCode, 404);
  // Files of the console are many, and the screens of a restaurant share an address.
  assert.equal((await ask('/console/files/none/main.ts')).statusCode, 404);
  assert.equal((await ask('/console')).statusCode, 429);
});
