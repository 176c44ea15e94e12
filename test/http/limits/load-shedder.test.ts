import assert from 'node:assert/strict';
import { Agent, type IncomingHttpHeaders, request as openRequest } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { Counter } from 'prom-client';
import { type AdmissionLimits, DEFAULT_LIMITS } from '../../../src/http/limits/admission.ts';
import { installLoadShedder } from '../../../src/http/limits/load-shedder.ts';
import { countRequest, createRateLimiter, type RateLimiter } from '../../../src/http/limits/rate-limit.ts';
import type { App } from '../../../src/http/route.ts';
import { startTestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { seenCode } from '../../support/seen-codes.ts';
import { smallApp } from '../small-app.ts';

/** One request in hand is enough, and no database is fast enough. */
const STRICT: AdmissionLimits = { ...DEFAULT_LIMITS, alwaysTaken: 1, maxDelayMs: -1, probeEveryMs: 1 };
const PUBLIC_URL = 'https://api.example.test';
const config = { access: 'public' } as const;
const DINNER = encodeURIComponent('1|house|soho-grill|dinner');
const DAY = Temporal.Now.plainDateISO().add({ days: 40 }).toString();

interface Reply {
  statusCode: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** That of the caller: the same one means the same connection. */
  port: number | undefined;
}

interface Ask {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Calls over one connection, unless another agent is given. */
async function callerOf(t: TestContext, app: App) {
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  return (path: string, { method = 'GET', headers = {}, body }: Ask = {}, by = agent): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const sent = openRequest(new URL(path, address), {
        agent: by,
        method,
        headers: { ...type, ...headers },
      });
      sent.on('response', async (response) => {
        const port = response.socket.localPort;
        const chunks = await response.toArray();
        const { statusCode = 0 } = response;
        resolve({ statusCode, headers: response.headers, body: Buffer.concat(chunks).toString(), port });
      });
      sent.on('error', reject);
      sent.end(body);
    });
}

type Call = Awaited<ReturnType<typeof callerOf>>;

/** A route that answers when it is told to; until then it keeps one request in hand, so that others are refused. */
function holdingRoute(app: App) {
  const held = Promise.withResolvers<void>();
  app.get('/hold', { config, schema: { hide: true } }, async () => {
    await held.promise;
    return { finished: true };
  });
  return {
    letGo: held.resolve,
    async fillUp(call: Call) {
      const holding = call('/hold', {}, new Agent());
      await eventually(async () => (await call('/work')).statusCode === 503);
      return () => {
        held.resolve();
        return holding;
      };
    },
  };
}

/** A door with nothing behind it but a few routes. */
async function smallNode(
  t: TestContext,
  { limits = STRICT, limiter, onSlow = () => {} }: SmallNodeOptions = {},
) {
  let hold: ReturnType<typeof holdingRoute> | undefined;
  let shed: Counter | undefined;
  const small = smallApp((app) => {
    const probe = async () => {};
    ({ shed } = installLoadShedder(app, { publicUrl: PUBLIC_URL, probe, nowMs: Date.now, limits }));
    hold = holdingRoute(app);
    app.addHook('onRequest', async (request, reply) => {
      if (!limiter || request.routeOptions.config.access === 'public') return;
      const clientId = String(request.headers.authorization);
      request.caller = { kind: 'platform', clientId, scopes: new Set() };
      await countRequest(limiter, clientId, reply);
    });
    app.get('/work', { config: { access: 'identified' } }, () => ({}));
    app.post('/work', { config: { access: 'identified' } }, () => ({}));
    app.get('/', { config }, () => ({}));
    app.get('/pages/:name', { config }, () => ({}));
    app.get('/slow', { config }, () => {
      onSlow();
      const until = performance.now() + 5;
      while (performance.now() < until);
      return {};
    });
    app.get('/watch', { config: { ...config, isNeverShed: true } }, () => ({}));
  });
  const call = await callerOf(t, small.app);
  t.after(() => {
    hold?.letGo();
    return small.app.close();
  });
  return {
    ...small,
    call,
    letGo: () => hold?.letGo(),
    fillUp: async () => (await hold?.fillUp(call)) ?? assert.fail(),
    shedFor: async (reason: string) =>
      (await shed?.get())?.values.find(({ labels }) => labels.reason === reason)?.value ?? 0,
  };
}

interface SmallNodeOptions {
  limits?: AdmissionLimits;
  limiter?: RateLimiter;
  /** Called when a request for `/slow` is begun, which then keeps the loop for a while. */
  onSlow?: () => void;
}

test('what is refused at the door is a problem like any other', async (t) => {
  const node = await smallNode(t);
  const release = await node.fillUp();
  const refused = await node.call('/work', { headers: { 'x-correlation-id': 'c-7' } });
  const { headers } = refused;
  assert.equal(refused.statusCode, 503);
  assert.equal(seenCode(refused), 'HTTP-R-503');
  assert.match(String(headers['content-type']), /^application\/problem\+json/);
  assert.equal(headers['retry-after'], '5');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['x-correlation-id'], 'c-7');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  const { type, status, isRetryable } = JSON.parse(refused.body);
  assert.deepEqual([type, status, isRetryable], [`${PUBLIC_URL}/problems/HTTP-R-503`, 503, true]);
  await release();
});

test('what was accepted is finished, what watches is answered, and then there is room again', async (t) => {
  const node = await smallNode(t);
  const release = await node.fillUp();
  assert.equal((await node.call('/watch?closely=1')).statusCode, 200);
  assert.equal((await node.call('/watchful')).statusCode, 503);
  assert.ok((await node.shedFor('queue')) > 0);
  const finished = await release();
  assert.deepEqual([finished.statusCode, JSON.parse(finished.body)], [200, { finished: true }]);
  assert.equal((await node.call('/work')).statusCode, 200);
});

test('whoever finds no room is taken on when there is some soon', async (t) => {
  const node = await smallNode(t, { limits: { ...STRICT, maxWaitMs: 60_000 } });
  const holding = node.call('/hold', {}, new Agent());
  const waiting: Promise<Reply>[] = [];
  const ask = (agent = new Agent()) => {
    const answer = node.call('/work', {}, agent);
    waiting.push(answer);
    return answer;
  };
  const moment = () => new Promise<true>((resolve) => setTimeout(resolve, 50, true));
  await eventually(() => Promise.race([ask().then(() => false), moment()]));
  const leaver = new Agent();
  const left = assert.rejects(node.call('/work', {}, leaver));
  for (let count = 0; count < 5; count += 1) void ask();
  assert.equal((await node.call('/watch')).statusCode, 200);
  leaver.destroy();
  await left;
  node.letGo();
  assert.equal((await holding).statusCode, 200);
  const statuses = (await Promise.all(waiting)).map(({ statusCode }) => statusCode);
  assert.deepEqual(new Set(statuses), new Set([200]));
  assert.equal((await node.call('/work')).statusCode, 200);
  assert.equal(await node.shedFor('queue'), 0);
});

test('whoever went away before it was refused is not counted, and missed by nobody', async (t) => {
  const node = await smallNode(t, { limits: { ...STRICT, maxWaitMs: 200 } });
  const release = await node.fillUp();
  const before = await node.shedFor('queue');
  const leaver = new Agent();
  const left = assert.rejects(node.call('/work', {}, leaver));
  await new Promise((resolve) => setTimeout(resolve, 50));
  leaver.destroy();
  await left;
  assert.equal((await node.call('/work')).statusCode, 503);
  assert.equal(await node.shedFor('queue'), before + 1);
  await release();
  assert.equal((await node.call('/work')).statusCode, 200);
});

test('the connection of a refused request stays, with whatever it still had to send', async (t) => {
  const node = await smallNode(t);
  const release = await node.fillUp();
  const body = JSON.stringify({ firstName: 'a'.repeat(300_000) });
  const refused = await node.call('/work', { method: 'POST', body });
  assert.equal(refused.statusCode, 503);
  await release();
  const next = await node.call('/work', { method: 'POST', body: '{}' });
  assert.equal(next.statusCode, 200);
  assert.equal(next.port, refused.port);
});

test('refusals are told in one line a second, with their reasons and nothing of the requests', async (t) => {
  const node = await smallNode(t);
  const release = await node.fillUp();
  const before = await node.shedFor('queue');
  for (let count = 0; count < 5; count += 1) await node.call('/work?lastName=Secret');
  const lines = () => node.log().filter(({ msg }) => String(msg).startsWith('requests refused'));
  const told = () => lines().reduce((sum, { refused }) => sum + Number(Object(refused).queue ?? 0), 0);
  await eventually(async () => told() >= before + 5);
  assert.ok(lines().length < told(), `${lines().length} lines for ${told()} refusals`);
  assert.doesNotMatch(node.logText(), /Secret/);
  await release();
});

test('a caller without calls left hears so at the door; others do not, and public pages are for all', async (t) => {
  const limiter = await createRateLimiter({ limit: 1, nowMs: Date.now, logger: { warn: () => {} } });
  const limits = { ...STRICT, maxDelayMs: 60_000, longestWorkMs: 60_000 };
  const node = await smallNode(t, { limits, limiter });
  const mine = { headers: { authorization: 'mine' } };
  assert.equal((await node.call('/work', mine)).statusCode, 200);
  const within = await node.call('/work', mine);
  assert.equal(within.statusCode, 429);
  assert.equal(await node.shedFor('limit'), 0);
  // One in hand is enough to be busy.
  const holding = node.call('/hold', {}, new Agent());
  await eventually(async () => {
    await node.call('/work', mine);
    return (await node.shedFor('limit')) > 0;
  });
  const atTheDoor = await node.call('/work', mine);
  const told = ({ statusCode, headers, body }: Reply) => [
    statusCode,
    ...['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`]),
    body,
  ];
  assert.deepEqual(told(atTheDoor), told(within));
  assert.ok(Number(atTheDoor.headers['retry-after']) > 0);
  assert.equal((await node.call('/pages/one', mine)).statusCode, 200);
  assert.equal((await node.call('/work', { headers: { authorization: 'other' } })).statusCode, 200);
  node.letGo();
  assert.equal((await holding).statusCode, 200);
});

/** One request to a turn. */
const ONE_BY_ONE: AdmissionLimits = { ...DEFAULT_LIMITS, maxTickMs: 0 };

/** Callers that are connected already, so that what they ask arrives at once. */
async function connected(t: TestContext, count: number, call: Call): Promise<Agent[]> {
  const agents = Array.from({ length: count }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  t.after(() => {
    for (const agent of agents) agent.destroy();
  });
  await Promise.all(agents.map((agent) => call('/watch', {}, agent)));
  return agents;
}

test('those that wait for their turn are all answered, and whoever watches does not wait behind them', async (t) => {
  let begun = 0;
  const node = await smallNode(t, {
    limits: ONE_BY_ONE,
    onSlow: () => {
      begun += 1;
    },
  });
  const [watcher, ...others] = await connected(t, 21, node.call);
  const waiting = others.map((agent) => node.call('/slow', {}, agent));
  assert.equal((await node.call('/watch', {}, watcher)).statusCode, 200);
  assert.ok(begun < 10, `${begun} came before`);
  const statuses = (await Promise.all(waiting)).map(({ statusCode }) => statusCode);
  assert.deepEqual(statuses, Array(20).fill(200));
});

test('whoever goes away while waiting is not begun', async (t) => {
  let agents: Agent[] = [];
  let begun = 0;
  const onSlow = () => {
    begun += 1;
    if (begun === 1) for (const agent of agents) agent.destroy();
  };
  const node = await smallNode(t, { limits: ONE_BY_ONE, onSlow });
  agents = await connected(t, 20, node.call);
  const calls = await Promise.allSettled(agents.map((agent) => node.call('/slow', {}, agent)));
  assert.deepEqual(new Set(calls.map(({ status }) => status)), new Set(['rejected']));
  const next = await node.call('/slow');
  assert.equal(next.statusCode, 200);
  assert.ok(begun < 10, `${begun} were begun`);
});

const draft = JSON.stringify({
  type: 'book',
  partySize: 2,
  date: DAY,
  time: '19:30',
  firstName: 'Ada',
  lastName: 'Lovelace',
  partnerBookingId: 'shed-1',
});

test('a refused booking changes nothing, and is made when it is sent again', async (t) => {
  let hold: ReturnType<typeof holdingRoute> | undefined;
  const maitred = await startTestApp({
    deps: { admissionLimits: STRICT },
    extend: (app) => {
      hold = holdingRoute(app);
    },
  });
  const authorization = `Bearer ${await maitred.token('demo-partner')}`;
  const call = await callerOf(t, maitred.app);
  t.after(() => maitred.close());
  const bookings = async () => Number((await maitred.sql`select count(*) from booking`)[0]?.count);
  const book = () =>
    call(`/venues/${DINNER}/booking`, { method: 'POST', headers: { authorization }, body: draft });
  const before = await bookings();
  const release = await hold?.fillUp(call);
  assert.equal((await book()).statusCode, 503);
  assert.equal((await call('/health/ready')).statusCode, 200);
  assert.match((await call('/metrics')).body, /^http_requests_shed_total\{reason="queue"\} [1-9]/m);
  assert.equal(await bookings(), before);
  await release?.();
  const made = await book();
  assert.equal(made.statusCode, 201, made.body);
  assert.equal(await bookings(), before + 1);
});

test('a client with calls left is served by a busy node, whatever its address has used up', async (t) => {
  const held = Promise.withResolvers<void>();
  let holding = 0;
  const maitred = await startTestApp({
    config: { rateLimit: 3 },
    deps: { admissionLimits: { ...DEFAULT_LIMITS, alwaysTaken: 2 } },
    extend: (app) => {
      app.get('/hold', { config, schema: { hide: true } }, async () => {
        holding += 1;
        await held.promise;
        return {};
      });
    },
  });
  t.after(() => maitred.close());
  const call = await callerOf(t, maitred.app);
  const headers = { authorization: `Bearer ${await maitred.token('demo-partner')}` };
  const statuses = [];
  for (let count = 0; count < 4; count += 1) statuses.push((await call('/nowhere', { headers })).statusCode);
  assert.deepEqual(statuses, [404, 404, 404, 429]);
  const hold = call('/hold', {}, new Agent());
  await eventually(() => holding === 1);
  const answer = await call('/venues', { headers });
  held.resolve();
  await hold;
  assert.equal(answer.statusCode, 200, answer.body);
});
