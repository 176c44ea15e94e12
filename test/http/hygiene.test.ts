import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Type } from 'typebox';
import { defaultThresholds, installLoadShedding } from '../../src/http/limits/memory-limit.ts';
import { measureJson, parseJsonBody } from '../../src/http/validation/body-parsers.ts';
import { seenCode } from '../support/seen-codes.ts';
import { smallApp } from './small-app.ts';

const config = { access: 'public' } as const;

const echo = () =>
  smallApp((app) => {
    app.post('/echo', { config, schema: { body: Type.Unknown() } }, (request) => ({ got: request.body }));
    app.post('/bodyless', { config }, (request) => ({ got: request.body ?? null }));
    app.get('/page', { config }, (_request, reply) => {
      reply.header('content-security-policy', "default-src 'self'").send('ok');
    });
  });

test('a correlation id of visible characters comes back, any other is replaced', async () => {
  const { app } = echo();
  const visible = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c)),
    minLength: 1,
    maxLength: 128,
  });
  const sent = async (id: string) =>
    (await app.inject({ url: '/page', headers: { 'x-correlation-id': id } })).headers['x-correlation-id'];
  await fc.assert(
    fc.asyncProperty(visible, async (id) => assert.equal(await sent(id), id)),
    { numRuns: 50 },
  );
  for (const refused of ['', 'a b', 'x'.repeat(129), 'é', 'a, b']) {
    assert.match(String(await sent(refused)), /^[0-9a-f-]{36}$/);
  }
});

test('the correlation id and one access line name each request in the log', async () => {
  const small = echo();
  await small.app.inject({
    url: '/page?email=ada@example.test',
    headers: { 'x-correlation-id': 'c-1', authorization: 'Bearer secret' },
  });
  const lines = small.log();
  assert.equal(lines.length, 1);
  const { method, route, status, durationMs, correlationId } = lines[0] ?? {};
  assert.deepEqual(
    { method, route, status, correlationId },
    { method: 'GET', route: '/page', status: 200, correlationId: 'c-1' },
  );
  assert.equal(typeof durationMs, 'number');
  assert.doesNotMatch(small.logText(), /ada|secret/);
});

test('names that give a guest or a secret away are blanked in any log line', async () => {
  const small = smallApp((app) => {
    app.get('/logs', { config }, (request) => {
      request.log.info(
        { email: 'ada@a.test', guest: { firstName: 'ada', phone: 'ada' }, headers: { authorization: 'ada' } },
        'x',
      );
      request.log.warn({ req: request, body: { lastName: 'ada' }, list: [{ deep: { token: 'ada' } }] }, 'x');
      return {};
    });
  });
  await small.app.inject('/logs?lastName=ada');
  assert.equal(small.log().length, 3);
  assert.doesNotMatch(small.logText(), /ada/);
});

test('every answer carries the security headers, and a page may bring a policy of its own', async () => {
  const { headers } = await echo().app.inject({ method: 'POST', url: '/bodyless' });
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['x-frame-options'], 'DENY');
  assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
  assert.match(String(headers['strict-transport-security']), /max-age=/);
  assert.equal((await echo().app.inject('/page')).headers['content-security-policy'], "default-src 'self'");
});

test('without https nothing is said about https', async () => {
  const { app } = smallApp(() => {}, { publicUrl: 'http://127.0.0.1:3000' });
  assert.equal((await app.inject('/')).headers['strict-transport-security'], undefined);
});

async function post(payload: string | Buffer, type = 'application/json', url = '/echo') {
  return echo().app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } });
}

test('JSON in its several types is read, anything else is 415', async () => {
  for (const type of [
    'application/json',
    'application/json; charset=UTF-8',
    'application/json-patch+json',
    'application/vnd.x+json',
  ]) {
    assert.deepEqual((await post('{"a":1}', type)).json(), { got: { a: 1 } }, type);
  }
  for (const type of [
    'text/plain',
    'application/xml',
    'application/jsonp',
    'application/json; charset=latin1',
    'nonsense',
  ]) {
    const answer = await post('{"a":1}', type);
    assert.equal(answer.statusCode, 415, type);
    assert.equal(seenCode(answer), 'HTTP-N-415');
  }
});

test('a compressed body is refused as such', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const answer = await echo().app.inject({ method: 'POST', url: '/echo', payload: '{}', headers });
  assert.equal(answer.json().code, 'HTTP-N-415');
});

test('a body above 64 kB is 413, one of exactly that size is read', async () => {
  const body = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
  assert.equal((await post(body(64 * 1024))).statusCode, 200);
  const answer = await post(body(64 * 1024 + 1));
  assert.equal(answer.statusCode, 413);
  assert.equal(seenCode(answer), 'HTTP-N-413');
});

test('a body that cannot be JSON is refused with a reason under errors.body', async () => {
  const bodies: [string | Buffer, RegExp][] = [
    ['{"a":1,}', /not valid JSON/],
    ['', /required/],
    ['   ', /not valid JSON/],
    ['\ufeff{}', /byte order mark/],
    [Buffer.from([0x22, 0xff, 0x22]), /UTF-8/],
    ['['.repeat(33) + ']'.repeat(33), /nested/],
    ['{"a":{"__proto__":{"admin":true}}}', /not allowed/],
    ['{"\\u005f_proto__":1}', /not allowed/],
    ['[{"constructor":{"prototype":{"x":1}}}]', /not allowed/],
  ];
  for (const [body, reason] of bodies) {
    const answer = await post(body);
    assert.equal(answer.statusCode, 400);
    assert.equal(seenCode(answer), 'VALID-N-001');
    assert.match(answer.json().errors.body[0], reason);
  }
});

test('harmless uses of the same words pass', async () => {
  const body = { name: '__proto__', constructor: 'Ada', note: 'constructor.prototype \u0416' };
  assert.deepEqual((await post(JSON.stringify(body))).json(), { got: body });
});

test('where no body is wanted an empty one that calls itself JSON passes', async () => {
  assert.deepEqual((await post('', 'application/json', '/bodyless')).json(), { got: null });
});

test('levels and members are counted as a parser would count them', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  const membersOf = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0;
    const inside = Object.values(value);
    return Math.max(1, inside.length) + inside.reduce((sum, member) => sum + membersOf(member), 0);
  };
  const whole = { members: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY };
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 0, max: 6 }), (value, limit) => {
      const json = Buffer.from(JSON.stringify(value));
      assert.deepEqual(measureJson(json, whole), { members: membersOf(value), depth: depthOf(value) });
      assert.equal(measureJson(json, { ...whole, depth: limit }).depth > limit, depthOf(value) > limit);
      assert.equal(measureJson(json, { ...whole, members: limit }).members > limit, membersOf(value) > limit);
    }),
  );
});

test('what is printed as JSON is read back', () => {
  const values = fc
    .jsonValue({ maxDepth: 5 })
    .filter((value) => !JSON.stringify(value).includes('__proto__'));
  fc.assert(
    fc.property(values, (value) => {
      const text = JSON.stringify(value);
      assert.deepEqual(parseJsonBody(Buffer.from(text)), JSON.parse(text));
    }),
  );
});

test('an overloaded node sheds work but still answers who watches it', async (t) => {
  const thresholds = { ...defaultThresholds(), maxRssBytes: 1, sampleIntervalMs: 10 };
  const { app } = smallApp((routes) => {
    installLoadShedding(routes, thresholds);
    routes.register(async (scope) => {
      scope.get('/work', { config }, () => ({}));
      scope.get('/watch', { config: { ...config, isNeverShed: true } }, () => ({}));
    });
  });
  t.after(() => app.close());
  await app.ready();
  while (!app.isUnderPressure()) await new Promise((resolve) => setTimeout(resolve, 5));
  const shed = await app.inject('/work');
  assert.equal(shed.statusCode, 503);
  assert.equal(seenCode(shed), 'HTTP-R-503');
  assert.equal(shed.headers['retry-after'], '5');
  assert.equal((await app.inject('/watch')).statusCode, 200);
});

test('a node at rest sheds nothing', async (t) => {
  const { app } = smallApp((routes) => {
    installLoadShedding(routes, { ...defaultThresholds(), sampleIntervalMs: 10 });
    routes.register(async (scope) => {
      scope.get('/work', { config }, () => ({}));
    });
  });
  t.after(() => app.close());
  await app.ready();
  while (app.memoryUsage().rssBytes === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal((await app.inject('/work')).statusCode, 200);
});
