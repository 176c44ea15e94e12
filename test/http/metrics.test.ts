import assert from 'node:assert/strict';
import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { Gauge } from 'prom-client';
import { installMetrics } from '../../src/http/observability/metrics.ts';
import type { App } from '../../src/http/route.ts';
import { smallApp } from './small-app.ts';

const config = { access: 'public' } as const;

function measured(routes: (app: App) => void = () => {}): App {
  const { app } = smallApp((groundwork) => {
    installMetrics(groundwork);
    groundwork.get('/venues/:id', { config }, () => ({}));
    routes(groundwork);
  });
  return app;
}

async function sample(app: App, name: string): Promise<number | undefined> {
  const { body } = await app.inject('/metrics');
  const line = body.split('\n').find((text) => text.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

const count = (labels: string) => `http_requests_total{${labels}}`;

test('answers are counted by method, pattern of the route and status', async () => {
  const app = measured();
  await app.inject('/venues/1');
  await app.inject('/venues/2');
  await app.inject({ method: 'HEAD', url: '/venues/2' });
  await app.inject({ method: 'DELETE', url: '/venues/2' });
  assert.equal(await sample(app, count('method="GET",route="/venues/:id",status="200"')), 2);
  assert.equal(await sample(app, count('method="HEAD",route="/venues/:id",status="200"')), 1);
  assert.equal(await sample(app, count('method="DELETE",route="/venues/:id",status="405"')), 1);
});

test('durations are counted in buckets, each with all that were as quick, and summed', async () => {
  const app = measured((routes) => {
    routes.get('/slow', { config }, () => new Promise((resolve) => setTimeout(resolve, 30, {})));
  });
  for (let times = 0; times < 3; times += 1) await app.inject('/slow');
  const { body } = await app.inject('/metrics');
  assert.match(body, /^# TYPE http_request_duration_seconds histogram$/m);
  const labels = 'method="GET",route="/slow"';
  const inBucket = (le: string) => sample(app, `http_request_duration_seconds_bucket{le="${le}",${labels}}`);
  assert.equal(await inBucket('0.025'), 0);
  assert.equal(await inBucket('10'), 3);
  assert.equal(await inBucket('+Inf'), 3);
  const sum = await sample(app, `http_request_duration_seconds_sum{${labels}}`);
  assert.ok(sum !== undefined && sum > 3 * 0.025, String(sum));
});

test('unknown paths are one series, however many there are', async () => {
  const app = measured();
  for (const path of ['/a', '/b', '/c']) await app.inject(path);
  assert.equal(await sample(app, count('method="GET",route="unmatched",status="404"')), 3);
  assert.doesNotMatch((await app.inject('/metrics')).body, /"\/a"/);
});

test('anybody can call any route with any method, and there are no more than a few lines for each route', async () => {
  const app = measured((routes) => {
    for (let n = 0; n < 20; n += 1) routes.get(`/route-${n}`, { config }, () => ({}));
  });
  for (let n = 0; n < 20; n += 1)
    for (const method of METHODS)
      if (method !== 'CONNECT') await app.inject({ method: method as 'GET', url: `/route-${n}` });
  assert.equal(await sample(app, count('method="other",route="/route-7",status="405"')), METHODS.length - 8);
  const { body } = await app.inject('/metrics');
  const lines = body.split('\n').filter((line) => line.startsWith('http_request'));
  // A histogram of fifteen lines for GET and HEAD, and a count for each of eight methods.
  assert.ok(lines.length < 20 * (2 * 15 + 8) + 200, String(lines.length));
});

/** An app that counts how often its figures were collected, with words that make them as long as a test wants. */
function collecting(words = 'How often.') {
  const seen = { collected: 0 };
  const { app } = smallApp((groundwork) => {
    new Gauge({
      name: 'collected',
      help: words,
      registers: [installMetrics(groundwork)],
      async collect() {
        seen.collected += 1;
        await new Promise((resolve) => setImmediate(resolve));
        this.set(seen.collected);
      },
    });
  });
  return { app, seen };
}

test('those who ask while figures are collected share them, and the next one gets new ones', async () => {
  const { app, seen } = collecting();
  await Promise.all(Array.from({ length: 10 }, () => app.inject('/metrics')));
  assert.equal(seen.collected, 1);
  assert.equal(await sample(app, 'collected'), 2);
  assert.equal(await sample(app, 'collected'), 3);
});

test('callers that leave large figures unread do not have them made again and again', async (t) => {
  const { app, seen } = collecting('x'.repeat(16 * 1024 ** 2));
  await app.listen({ port: 0 });
  t.after(() => app.close());
  const { port } = app.server.address() as { port: number };
  for (let asked = 0; asked < 20; asked += 1) {
    const socket = connect(port, '127.0.0.1');
    t.after(() => socket.destroy());
    socket.write('GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(socket, 'readable');
  }
  assert.ok(seen.collected <= 8, String(seen.collected));
});

test('each app counts for itself', async () => {
  const [one, other] = [measured(), measured()];
  await one.inject('/venues/1');
  assert.equal(await sample(other, count('method="GET",route="/venues/:id",status="200"')), undefined);
});

test('the process is measured too, in the format that Prometheus reads', async () => {
  const { headers, body } = await measured().inject('/metrics');
  assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/);
  assert.match(body, /^nodejs_eventloop_lag_seconds /m);
  assert.match(body, /^process_resident_memory_bytes /m);
});

test('a request whose caller went away is not in flight for ever', async (t) => {
  const app = measured((routes) => {
    routes.get('/never', { config }, () => new Promise(() => {}));
  });
  await app.listen({ port: 0 });
  t.after(() => app.close());
  const socket = connect((app.server.address() as { port: number }).port, '127.0.0.1');
  socket.write('GET /never HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(app.server, 'request');
  // The request for the metrics is in flight itself.
  assert.equal(await sample(app, 'http_requests_in_flight'), 2);
  socket.destroy();
  while ((await sample(app, 'http_requests_in_flight')) !== 1)
    await new Promise((resolve) => setImmediate(resolve));
});
