import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { Agent, interceptors, request } from 'undici';
import type { Sender } from '../../../../src/features/webhooks/delivery/attempt.ts';
import { createSender, type SenderOptions } from '../../../../src/features/webhooks/delivery/sender.ts';
import { eventually } from '../../../support/eventually.ts';
import * as misbehaving from '../../../support/peers/receiver.ts';
import { answer, type Receiver, redirect, startReceiver } from '../../../support/peers/receiver.ts';
import { CERTIFICATE } from '../../../support/peers/receiver-certificate.ts';

let receiver: Receiver;
let sender: Sender;
const others: Sender[] = [];

before(async () => {
  receiver = await startReceiver();
  sender = createSender({ allowLoopback: true, ca: CERTIFICATE });
});
afterEach(() => {
  receiver.behave(answer(204));
  receiver.received.length = 0;
});
after(async () => {
  for (const each of [sender, ...others]) await each.close();
  await receiver.close();
});

const BODY = Buffer.from('{"eventType":"webhook.ping","text":"é"}');

async function post(url: string, { by = sender, timeoutMs = 5_000, headers = {} } = {}) {
  const { durationMs, answer: _, ...outcome } = await by.post({ url, headers, body: BODY, timeoutMs });
  assert.ok(Number.isInteger(durationMs) && durationMs >= 0);
  return outcome;
}

function anotherPoster(options: Partial<SenderOptions> = {}): Sender {
  const another = createSender({ allowLoopback: true, ...options });
  others.push(another);
  return another;
}

const DELIVERED = { isDelivered: true, statusCode: 204, error: null };
const failed = (error: string, statusCode: number | null = null) => ({
  isDelivered: false,
  statusCode,
  error,
});

test('the bytes, the headers and the path arrive as they were given', async () => {
  const headers = { 'content-type': 'application/json', 'X-Webhook-Id': 'w1' };
  assert.deepEqual(await post(`${receiver.url}/hooks/a%20b?c=d`, { headers }), DELIVERED);
  const [got] = receiver.received;
  assert.equal(got?.method, 'POST');
  assert.equal(got.path, '/hooks/a%20b?c=d');
  assert.deepEqual(got.body, BODY);
  const { connection, ...sent } = got.headers;
  const host = `127.0.0.1:${receiver.port}`;
  const length = String(BODY.length);
  assert.deepEqual(sent, {
    host,
    'content-type': 'application/json',
    'x-webhook-id': 'w1',
    'content-length': length,
  });
});

test('over TLS a receiver is told the name that it was called by', async () => {
  const secure = await startReceiver({ isSecure: true });
  const by = anotherPoster({ ca: CERTIFICATE, resolve: async () => ['127.0.0.1'] });
  assert.deepEqual(await post(`https://Receiver.Example:${secure.port}/`, { by }), DELIVERED);
  const [got] = secure.received;
  assert.equal(got?.servername, 'receiver.example');
  assert.equal(got.headers.host, `receiver.example:${secure.port}`);
  await secure.close();
});

test('any 2xx delivers, and no other status does', async () => {
  for (const status of [200, 201, 202, 204, 206, 226, 299]) {
    receiver.behave(answer(status));
    assert.deepEqual(await post(receiver.url), { ...DELIVERED, statusCode: status });
  }
  for (const status of [300, 304, 400, 401, 404, 410, 429, 500, 503, 599]) {
    receiver.behave(answer(status));
    assert.deepEqual(await post(receiver.url), failed('status', status));
  }
});

test('what goes wrong is told in one of five words', async () => {
  const nobody = await startReceiver();
  await nobody.close();
  const resolve = async (hostname: string) => (hostname.startsWith('lost') ? [] : ['10.0.0.1']);
  const by = anotherPoster({ resolve });
  assert.deepEqual(await post('https://lost.example/', { by }), failed('dns'));
  assert.deepEqual(await post('https://inside.example/', { by }), failed('refused'));
  assert.deepEqual(await post(nobody.url), failed('refused'));
  assert.deepEqual(await post(receiver.url.replace('http', 'https')), failed('tls'));
  for (const behaviour of [misbehaving.reset, misbehaving.cutInHead]) {
    receiver.behave(behaviour);
    assert.deepEqual(await post(receiver.url), failed('refused'));
  }
  for (const behaviour of [misbehaving.hang, misbehaving.dripHead]) {
    receiver.behave(behaviour);
    assert.deepEqual(await post(receiver.url, { timeoutMs: 100 }), failed('timeout'));
  }
});

test('time that is spent on names and handshakes counts', async () => {
  const silent = await misbehaving.startRawReceiver((socket) => socket.resume());
  const lost = anotherPoster({ resolve: () => new Promise(() => {}) });
  assert.deepEqual(await post(`https://127.0.0.1:${silent.port}/`, { timeoutMs: 100 }), failed('timeout'));
  assert.deepEqual(await post('https://lost.example/', { by: lost, timeoutMs: 100 }), failed('timeout'));
  await silent.close();
});

test('what nobody should post is refused without a throw', async () => {
  assert.deepEqual(await post('nonsense'), failed('refused'));
  assert.deepEqual(await post('http://user@127.0.0.1/'), failed('refused'));
  assert.deepEqual(await post(receiver.url, { headers: { 'x-split': 'a\r\nb: c' } }), failed('refused'));
  const closed = anotherPoster();
  await closed.close();
  assert.deepEqual(await post(receiver.url, { by: closed }), failed('refused'));
  assert.equal(receiver.received.length, 0);
});

test('the head of an answer decides, and the body is not read for ever', async () => {
  const fresh = await startReceiver();
  for (const behaviour of [misbehaving.drip, misbehaving.cutInBody, misbehaving.flood(50_000_000)]) {
    fresh.behave(behaviour);
    const by = anotherPoster();
    assert.deepEqual(await post(fresh.url, { by, timeoutMs: 1_000 }), { ...DELIVERED, statusCode: 200 });
  }
  await eventually(() => fresh.openConnections() === 0);
  await fresh.close();
});

test('a connection is used again after an answer of up to 64 KB, and given up after a longer one', async () => {
  const fresh = await startReceiver({ behaviour: answer(200, {}, 'a'.repeat(65_536)) });
  let asked = 0;
  const resolve = async () => {
    asked += 1;
    return ['127.0.0.1'];
  };
  const by = anotherPoster({ resolve, maxConnectionsPerOrigin: 1 });
  const url = `http://hooks.example:${fresh.port}/`;
  for (let round = 0; round < 5; round += 1) await post(url, { by });
  assert.equal(fresh.connections(), 1);
  fresh.behave(answer(200, {}, 'a'.repeat(200_000)));
  for (let round = 0; round < 2; round += 1) await post(url, { by });
  await eventually(() => fresh.openConnections() === 0);
  assert.equal(fresh.connections(), 2);
  assert.equal(asked, 2);
  await fresh.close();
});

test('an origin gets no more connections than it may have, and all posts', async () => {
  const fresh = await startReceiver();
  const by = anotherPoster({ maxConnectionsPerOrigin: 3 });
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => post(fresh.url, { by })));
  assert.deepEqual(outcomes, Array(100).fill(DELIVERED));
  assert.equal(fresh.received.length, 100);
  assert.ok(fresh.connections() <= 3);
  await fresh.close();
});

test('a post whose time ran out while it waited for a connection is never sent', async () => {
  const fresh = await startReceiver({ behaviour: misbehaving.hang });
  const by = anotherPoster({ maxConnectionsPerOrigin: 1 });
  const first = post(`${fresh.url}/first`, { by, timeoutMs: 300 });
  const late = post(`${fresh.url}/late`, { by, timeoutMs: 100 });
  assert.deepEqual(await late, failed('timeout'));
  assert.deepEqual(await first, failed('timeout'));
  fresh.behave(answer(204));
  assert.deepEqual(await post(`${fresh.url}/next`, { by }), DELIVERED);
  assert.deepEqual(
    fresh.received.map(({ path }) => path),
    ['/first', '/next'],
  );
  await fresh.close();
});

test('posts that are under way when it is closed end', async () => {
  receiver.behave(misbehaving.hang);
  const by = anotherPoster();
  const underWay = post(receiver.url, { by });
  await eventually(() => receiver.received.length === 1);
  await by.close();
  assert.deepEqual(await underWay, failed('refused'));
});

const REDIRECTS = 1_000;

test('of 1,000 redirects none is followed', async (t) => {
  const elsewhere = await startReceiver();
  const statuses = [300, 301, 302, 303, 305, 307, 308];
  const places = [
    elsewhere.url,
    `${elsewhere.url}/a`,
    `//127.0.0.1:${elsewhere.port}/`,
    '/again',
    '',
    'https://8.8.8.8/',
  ];
  for (let round = 0; round < REDIRECTS; round += 1) {
    const status = statuses[round % statuses.length] ?? 302;
    receiver.behave(redirect(places[round % places.length] ?? '', status));
    assert.deepEqual(await post(`${receiver.url}/once`), failed('status', status));
  }
  t.diagnostic(`${REDIRECTS} redirects, ${elsewhere.connections()} followed`);
  assert.equal(elsewhere.connections(), 0);
  assert.equal(receiver.received.length, REDIRECTS);
  assert.ok(receiver.received.every(({ path }) => path === '/once'));

  receiver.behave(redirect(elsewhere.url));
  const follower = new Agent().compose(interceptors.redirect({ maxRedirections: 1 }));
  await request(receiver.url, { method: 'POST', body: '{}', dispatcher: follower });
  assert.equal(elsewhere.received.length, 1, 'A client that follows redirects gets there.');
  await follower.destroy();
  await elsewhere.close();
});

test('the beginning of an answer is kept, of whatever status, and nothing waits long for it', async () => {
  const answerOf = async (behaviour: misbehaving.Behaviour) => {
    receiver.behave(behaviour);
    const { answer: kept, durationMs } = await sender.post({
      url: receiver.url,
      headers: {},
      body: BODY,
      timeoutMs: 5_000,
    });
    assert.ok(durationMs < 5_000);
    return kept;
  };
  assert.equal(await answerOf(answer(204)), '');
  assert.equal(await answerOf(answer(200, {}, 'thank you, é')), 'thank you, é');
  assert.equal(await answerOf(answer(500, {}, '{"error":"no tenant"}')), '{"error":"no tenant"}');
  assert.equal(await answerOf(answer(500, {}, 'é'.repeat(30_000))), 'é'.repeat(2000));
  assert.equal(await answerOf(misbehaving.flood(10_000_000)), '.'.repeat(2000));
  assert.match(await answerOf(misbehaving.drip), /^\.+$/);
  assert.equal(await answerOf(misbehaving.cutInBody), '{"ok":');
  assert.equal(await answerOf(misbehaving.reset), '');
});
