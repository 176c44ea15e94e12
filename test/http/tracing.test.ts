/** Traces as a collector sees them, of a real node: from the call of a partner to the delivery of its webhook. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { startNodeProcess } from '../support/node-process.ts';
import { type CollectedSpan, treeOf } from '../support/peers/trace-collector.ts';
import { bookingBody, REMOTE_DINNER, startTracedWorld, type TracedWorld } from '../support/traced-world.ts';

let world: TracedWorld;
before(async () => {
  world = await startTracedWorld({
    OTEL_SERVICE_NAME: 'maitred-test',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=se%20cret,x-other=1',
  });
  const { receiver, call } = world;
  const body = JSON.stringify({ callbackUrl: `${receiver.url}/hooks` });
  assert.equal((await call('/webhooks/subscriptions', { method: 'POST', body })).status, 201);
});
after(() => world[Symbol.asyncDispose]());

const LOCAL = encodeURIComponent('1|house|soho-grill|dinner');
const REMOTE = encodeURIComponent(REMOTE_DINNER);
let traces = 0;
/** A trace of its own for each test, as a partner would send it. */
function newTrace(flags = '01') {
  traces += 1;
  const traceId = `${traces}`.padStart(32, 'a');
  return { traceId, traceparent: `00-${traceId}-00000000000000bb-${flags}` };
}

const spansOf = (traceId: string) => world.collector.spans.filter((span) => span.traceId === traceId);
const delivered = (traceId: string) =>
  world.receiver.received.filter(({ headers }) => String(headers.traceparent).includes(traceId));

function parentOf(spans: readonly CollectedSpan[], name: string): string | undefined {
  const span = spans.find((each) => each.name === name);
  assert.ok(span, `there is no span ${name}:\n${treeOf(spans).join('\n')}`);
  return spans.find(({ spanId }) => spanId === span.parentSpanId)?.name;
}

/** The system is also asked for its changes, in between and without a trace of a caller. */
const lastCallOf = (traceId: string) =>
  world.systemCalls.findLast(({ traceparent }) => String(traceparent).includes(traceId));

test('one trace leads from the call over service, SQL and remote system to the delivery', async () => {
  const { traceId, traceparent } = newTrace();
  const answer = await world.call(`/venues/${REMOTE}/booking`, {
    method: 'POST',
    body: bookingBody(),
    headers: { traceparent, tracestate: 'vendor=1' },
  });
  assert.equal(answer.status, 201, await answer.text());
  await eventually(() => spansOf(traceId).some(({ name }) => name === 'webhooks.deliver'));
  const spans = spansOf(traceId);
  const names = spans.map(({ name }) => name);
  const route = 'POST /venues/:compositeId/booking';
  const root = spans.find(({ name }) => name === route);
  assert.equal(root?.parentSpanId, '00000000000000bb', 'the span of the caller is the parent');
  assert.equal(root?.attributes['http.response.status_code'], 201);
  assert.equal(root?.attributes['maitred.client_id'], 'demo-partner');
  assert.equal(parentOf(spans, 'bookings.create'), route);
  assert.equal(parentOf(spans, 'bookings.plan'), 'bookings.create');
  assert.equal(parentOf(spans, 'bookings.place'), 'bookings.create');
  assert.equal(parentOf(spans, 'example.book'), 'bookings.place');
  const exchange = names.find((name) => name.startsWith('PUT http://127.0.0.1:'));
  assert.equal(parentOf(spans, exchange ?? 'PUT'), 'example.book');
  assert.equal(parentOf(spans, 'insert booking'), 'transaction');
  assert.equal(parentOf(spans, 'insert event'), 'transaction');
  const written = spans.find(({ name }) => name === 'insert event');
  const deliver = spans.find(({ name }) => name === 'webhooks.deliver');
  assert.equal(deliver?.parentSpanId, written?.parentSpanId, 'the delivery belongs to what caused it');

  const sent = spans.find(({ name }) => name === exchange);
  const { traceparent: told, tracestate } = lastCallOf(traceId) ?? {};
  assert.deepEqual([told, tracestate], [`00-${traceId}-${sent?.spanId}-01`, 'vendor=1']);
  assert.equal(delivered(traceId)[0]?.headers.traceparent, `00-${traceId}-${deliver?.spanId}-01`);
});

test('a span holds nothing of guests, queries or ids of paths', async () => {
  const { traceId, traceparent } = newTrace();
  const booked = await world.call(`/venues/${REMOTE}/booking`, {
    method: 'POST',
    body: bookingBody('20:00'),
    headers: { traceparent },
  });
  const { id } = (await booked.json()) as { id: string };
  await world.call(`/venues/bookings/${id}?fields=status`, { headers: { traceparent } });
  await eventually(() => spansOf(traceId).some(({ name }) => name === 'GET /venues/bookings/:bookingId'));
  const text = JSON.stringify(spansOf(traceId));
  for (const secret of ['Ada', 'Lovelace', 'ada@example.com', id, 'harbour-kitchen', 'fields'])
    assert.ok(!text.includes(secret), secret);
});

test('a refused call has its code, and does not count as a failure', async () => {
  const { traceId, traceparent } = newTrace();
  const missing = encodeURIComponent('1|house|nowhere');
  const answer = await world.call(`/venues/${missing}`, { headers: { traceparent } });
  const { code } = (await answer.json()) as { code: string };
  await eventually(() => spansOf(traceId).some(({ kind }) => kind === 2));
  const root = spansOf(traceId).find(({ kind }) => kind === 2);
  assert.equal(root?.attributes['maitred.problem_code'], code);
  assert.equal(root?.isFailed, false, 'a refusal is not a failure of the node');
});

test('bookings that share a transaction are each delivered in their own trace', async () => {
  const traced = Array.from({ length: 4 }, () => newTrace());
  const answers = await Promise.all(
    traced.map(({ traceparent }, index) =>
      world.call(`/venues/${LOCAL}/booking`, {
        method: 'POST',
        body: bookingBody(`${18 + index}:00`),
        headers: { traceparent },
      }),
    ),
  );
  for (const [index, answer] of answers.entries()) {
    assert.equal(answer.status, 201, await answer.clone().text());
    const { id } = (await answer.json()) as { id: string };
    await eventually(() => delivered(traced[index]?.traceId ?? '').length > 0);
    const [post] = delivered(traced[index]?.traceId ?? '');
    assert.ok(post?.body.includes(id), `the delivery of trace ${index} is of its own booking`);
  }
});

test('a trace that its caller does not record is not recorded, and told on as such', async () => {
  const { traceId, traceparent } = newTrace('00');
  const answer = await world.call(`/venues/${REMOTE}/booking`, {
    method: 'POST',
    body: bookingBody('18:00'),
    headers: { traceparent },
  });
  assert.equal(answer.status, 201, await answer.text());
  await eventually(() => delivered(traceId).length > 0);
  assert.match(String(delivered(traceId)[0]?.headers.traceparent), /-00$/);
  assert.match(String(lastCallOf(traceId)?.traceparent), new RegExp(`^00-${traceId}-.*-00$`));
  // A later trace has arrived, so that of this call would have, too.
  const later = newTrace();
  await world.call('/venues?pageSize=1', { headers: { traceparent: later.traceparent } });
  await eventually(() => spansOf(later.traceId).length > 0);
  assert.deepEqual(spansOf(traceId), []);
});

test('a traceparent that is none begins a new trace', async () => {
  const before = world.collector.spans.length;
  const traceparent = `00-${'0'.repeat(32)}-00000000000000bb-01`;
  await world.call('/venues?pageSize=2', { headers: { traceparent, tracestate: 'x'.repeat(2000) } });
  // Spans of the calls before may come late, and those have a parent.
  const isFirst = ({ name, parentSpanId }: CollectedSpan) => name === 'GET /venues' && parentSpanId === '';
  await eventually(() => world.collector.spans.slice(before).some(isFirst));
  const root = world.collector.spans.slice(before).find(isFirst);
  assert.notEqual(root?.traceId, '0'.repeat(32));
});

test('log lines name the trace, and monitoring is in neither', async () => {
  const { traceId, traceparent } = newTrace();
  await world.call('/venues?pageSize=3', { headers: { traceparent } });
  await fetch(`${world.node.address}/health/ready`, { headers: { traceparent } });
  await fetch(`${world.node.address}/metrics`, { headers: { traceparent } });
  await eventually(() => spansOf(traceId).some(({ name }) => name === 'GET /venues'));
  await eventually(() => world.node.stdout().includes(`"traceId":"${traceId}"`));
  assert.deepEqual(
    spansOf(traceId).filter(({ name }) => /health|metrics/.test(name)),
    [],
  );
});

test('an answer that is kept has a span like one that is made', async () => {
  const path = '/venues/1%7Chouse%7Csoho-grill';
  const traces = [newTrace(), newTrace(), newTrace('00')];
  for (const { traceparent } of traces)
    assert.equal((await world.call(path, { headers: { traceparent } })).status, 200);
  const [made, kept, unrecorded] = traces.map(({ traceId }) => () => {
    const root = spansOf(traceId).find(({ name }) => name === 'GET /venues/:venueId');
    return root && [root.parentSpanId, root.attributes['maitred.client_id'], root.attributes['http.route']];
  });
  await eventually(() => kept?.() !== undefined && made?.() !== undefined);
  assert.deepEqual(kept?.(), made?.());
  assert.equal(unrecorded?.(), undefined);
});

test('a call that is not recorded is in no trace, not even after one that is on the same connection', async (t) => {
  const node = await startNodeProcess({
    env: {
      DATABASE_URL: world.database.url,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      RATE_LIMIT: '0',
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: world.collector.url,
      OTEL_TRACES_SAMPLER_ARG: '0',
      ROLE: 'api',
    },
  });
  t.after(() => node.child.kill('SIGKILL'));
  const recorded = newTrace();
  for (const [path, headers] of [
    ['/problems?first', { traceparent: recorded.traceparent }],
    ['/problems?second', {}],
    ['/oauth/token', {}],
  ] as const)
    await (await fetch(`${node.address}${path}`, { headers })).text();
  node.child.kill('SIGTERM');
  assert.equal(await node.exit, 0);
  const roots = spansOf(recorded.traceId).filter(({ parentSpanId }) => parentSpanId === '00000000000000bb');
  assert.deepEqual(
    roots.map(({ name }) => name),
    ['GET /problems'],
  );
  assert.equal(node.stdout().split(`"traceId":"${recorded.traceId}"`).length, 2, 'one line names it');
});

test('the collector is told which service it is, and gets the headers it wants', () => {
  assert.equal(world.collector.resources[0]?.['service.name'], 'maitred-test');
  assert.equal(world.collector.headers[0]?.['x-collector-key'], 'se cret');
  assert.equal(world.collector.headers[0]?.['x-other'], '1');
});

const droppedIn = (metrics: string) => Number(/^otel_spans_dropped_total (\d+)$/m.exec(metrics)?.[1]);

test('while the collector is away calls are answered, and spans are dropped and counted', async (t) => {
  const node = await startNodeProcess({
    env: {
      DATABASE_URL: world.database.url,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      RATE_LIMIT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_TRACES_SAMPLER_ARG: '1',
      ROLE: 'api',
    },
  });
  t.after(() => node.child.kill('SIGKILL'));
  for (let times = 0; times < 20; times += 1) {
    const answer = await fetch(`${node.address}/problems`);
    assert.equal(answer.status, 200);
    await answer.text();
  }
  const dropped = async () => droppedIn(await (await fetch(`${node.address}/metrics`)).text());
  await eventually(async () => (await dropped()) >= 20);
  node.child.kill('SIGTERM');
  assert.equal(await node.exit, 0);
});
