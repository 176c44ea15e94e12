import assert from 'node:assert/strict';
import { Agent, type IncomingHttpHeaders, request as openRequest } from 'node:http';
import { type TestContext, test } from 'node:test';
import { startTestApp, type TestApp, type TestAppOptions } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { metricOf } from '../support/metrics.ts';

const SOHO = '/venues/1%7Chouse%7Csoho-grill';

interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  /** Names and values in turn, as they came. */
  rawHeaders: string[];
  body: string;
  /** Fastify saw the request. */
  isRouted: boolean;
}

type Read = (path: string, headers?: Record<string, string>, method?: string) => Promise<Reply>;

/** An application that listens: requests that are injected never come to what is tested here. */
async function startListening(
  t: TestContext,
  options: TestAppOptions = {},
): Promise<{ maitred: TestApp; read: Read }> {
  let routed = 0;
  const maitred = await startTestApp({
    ...options,
    extend: (app) =>
      void app.addHook('onRequest', (_request, _reply, done) => {
        routed += 1;
        done();
      }),
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(async () => {
    agent.destroy();
    await maitred.close();
  });
  const authorization = `Bearer ${await maitred.token('demo-partner')}`;
  const address = await maitred.app.listen({ host: '127.0.0.1', port: 0 });
  const read: Read = (path, headers = {}, method = 'GET') =>
    new Promise((resolve, reject) => {
      const before = routed;
      const sent = openRequest(new URL(path, address), {
        agent,
        method,
        headers: { authorization, ...headers },
      });
      sent.on('error', reject);
      sent.on('response', async (response) => {
        const body = Buffer.concat(await response.toArray()).toString('latin1');
        const { statusCode: status = 0, headers, rawHeaders } = response;
        resolve({ status, headers, rawHeaders, body, isRouted: routed > before });
      });
      sent.end();
    });
  return { maitred, read };
}

/** Without what differs between any two answers. */
function comparable({ status, rawHeaders, body }: Reply) {
  const differing = ['Date', 'x-ratelimit-remaining'];
  const head = rawHeaders.map((text, index) =>
    differing.includes(rawHeaders[index - 1] ?? '') ? '…' : text,
  );
  return { status, body, head };
}

test('a repeated answer is the first one, byte by byte and header by header', async (t) => {
  const { read } = await startListening(t, { config: { rateLimit: 100 } });
  const id = { 'x-correlation-id': 'same' };
  const tag = String((await read(SOHO, id)).headers.etag);
  const variants: [string, Record<string, string>][] = [
    ['/venues', {}],
    ['/venues?fields=id,name&pageSize=2', {}],
    ['/venues/category', {}],
    [`${SOHO}?fields=id`, {}],
    [SOHO, { accept: 'text/toon' }],
    [SOHO, { 'accept-encoding': 'gzip' }],
    [SOHO, { 'accept-encoding': 'br', accept: 'text/toon' }],
    [SOHO, { 'if-none-match': '"other"' }],
    ['/v1/listings', {}],
    ['/v1/listings', { accept: 'text/toon' }],
  ];
  for (const [path, headers] of variants) {
    const sent = { ...id, ...headers };
    const first = await read(path, sent);
    const again = await read(path, sent);
    assert.deepEqual(comparable(again), comparable(first), `${path} ${JSON.stringify(headers)}`);
    assert.equal(again.status, 200);
    assert.equal(again.isRouted, false, path);
    assert.ok(Math.abs(Date.parse(String(again.headers.date)) - Date.now()) < 5000, path);
  }
  const known = await read(SOHO, { ...id, 'if-none-match': tag });
  const full = await read(SOHO, { ...id, 'if-none-match': tag, 'if-match': '*' });
  assert.deepEqual(comparable(known), comparable(full));
  assert.deepEqual([known.status, known.body, known.isRouted], [304, '', false]);
  assert.notEqual((await read(SOHO)).headers['x-correlation-id'], 'same');
});

test('a caller that ends its connection with a repeated answer is told so', async (t) => {
  const { read } = await startListening(t);
  await read(SOHO);
  const last = await read(SOHO, { connection: 'close' });
  assert.deepEqual([last.headers.connection, last.headers['keep-alive']], ['close', undefined]);
  assert.deepEqual([last.isRouted, last.body], [false, (await read(SOHO)).body]);
});

test('an address of listings is answered in the format that listings prefer', async (t) => {
  const { read } = await startListening(t);
  await read('/v1/listings');
  const accept = 'application/vnd.service.toon+json, application/json;q=0.5';
  for (let count = 0; count < 2; count += 1) {
    const { headers } = await read('/v1/listings', { accept });
    assert.equal(headers['content-type'], 'application/vnd.service.toon+json; charset=utf-8');
  }
});

test('what may end otherwise than in the kept answer is left to the hooks', async (t) => {
  const { maitred, read } = await startListening(t);
  const token = async (client: string) => ({ authorization: `Bearer ${await maitred.token(client)}` });
  await read('/venues');
  const outcomes: [Record<string, string>, number][] = [
    [{ 'if-match': '"other"' }, 412],
    [{ 'x-sandbox-fault': 'answer=HTTP-R-503' }, 503],
    [{ host: 'not a host' }, 400],
    [{ accept: 'image/png' }, 406],
    [{ 'x-partner-reference': 'somebody-else' }, 403],
    [{ authorization: 'Bearer made-up' }, 401],
    [await token('demo-agent'), 403],
  ];
  for (const [headers, status] of outcomes) {
    assert.equal((await read('/venues', headers)).status, status, JSON.stringify(headers));
  }
  const head = await read('/venues', {}, 'HEAD');
  assert.deepEqual([head.status, head.body, head.isRouted], [200, '', true]);
});

test('each caller is given what it may see', async (t) => {
  const { maitred, read } = await startListening(t);
  const asOperator = { authorization: `Bearer ${await maitred.token('demo-operator')}` };
  const path = '/venues?pageSize=50';
  for (let count = 0; count < 2; count += 1) {
    const mine = await read(path);
    const theirs = await read(path, asOperator);
    assert.notEqual(mine.body, theirs.body);
    const { text } = await maitred.call(path, { as: 'demo-operator' });
    assert.equal(theirs.body, Buffer.from(text).toString('latin1'));
  }
});

test('an answer is not repeated once its venue has changed', async (t) => {
  const { maitred, read } = await startListening(t);
  await read(SOHO);
  assert.equal((await read(SOHO)).isRouted, false);
  await maitred.sql`update venue set name = 'Soho Grill and Bar' where resource_id = 'soho-grill'`;
  await eventually(async () => (await read(SOHO)).body.includes('Soho Grill and Bar'));
});

test('repeated answers count against the limit of their caller', async (t) => {
  const { read } = await startListening(t, { config: { rateLimit: 4 } });
  const remaining = [];
  for (let count = 0; count < 4; count += 1)
    remaining.push((await read(SOHO)).headers['x-ratelimit-remaining']);
  assert.deepEqual(remaining, ['3', '2', '1', '0']);
  const refused = await read(SOHO);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers['retry-after']) > 0);
});

test('repeated answers are in the log, the request log and the metrics like any other', async (t) => {
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const { maitred, read } = await startListening(t, { config: { logLevel: 'info' }, deps: { logStream } });
  const headers = { 'x-correlation-id': 'twice' };
  const isRouted = [await read(SOHO, headers), await read(SOHO, headers)].map((reply) => reply.isRouted);
  assert.deepEqual(isRouted, [true, false]);

  const answered = () =>
    lines.map((line) => JSON.parse(line)).filter(({ correlationId }) => correlationId === 'twice');
  await eventually(() => answered().length === 2);
  const [first, second] = answered().map(({ time: _, durationMs, ...line }) => {
    assert.ok(durationMs >= 0);
    return Object.entries(line);
  });
  assert.deepEqual(second, first);

  await maitred.services.requestLog.recorder.flush();
  const rows = await maitred.sql`
    select partner_id, client_id, method, route, venue_id, status, code, duration_ms >= 0 as lasted
    from request_log where correlation_id = 'twice'`;
  assert.equal(rows.length, 2);
  assert.deepEqual(rows[0], rows[1]);
  assert.equal(rows[0]?.venue_id, '1|house|soho-grill');

  const labels = '{method="GET",route="/venues/:venueId"';
  assert.equal(await metricOf(maitred, `http_requests_total${labels},status="200"}`), 2);
  assert.equal(await metricOf(maitred, `http_request_duration_seconds_count${labels}}`), 2);
  await eventually(async () => (await metricOf(maitred, 'http_requests_in_flight')) === 1);
});
