/** What the client adds to single calls: lists, holds that are kept, signed webhooks, and feeds that are read by halves. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  FeedGoneError,
  FeedReader,
  type FeedState,
  isProblem,
  Maitred,
  signWebhook,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from '@maitred/client';
import { createFolderStorage } from '../../../src/features/feed/folder-storage.ts';
import { feedFolder } from '../../../src/features/feed/storage.ts';
import { tryPort } from '../../../src/kernel/network.ts';
import { makerOf } from '../../features/feed/support.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type FaultyProxy, problemAnswer, startFaultyProxy } from '../../support/databases/faulty-proxy.ts';
import { eventually } from '../../support/eventually.ts';
import { type Receiver, startReceiver } from '../../support/peers/receiver.ts';

const GRILL = '1|house|soho-grill';
const DINNER = `${GRILL}|dinner`;
const GUEST = { firstName: 'Ada', lastName: 'Lovelace' };
const dataDir = mkdtempSync(join(tmpdir(), 'maitred-client-'));

let service: TestApp;
let proxy: FaultyProxy;
let receiver: Receiver;
let maitred: Maitred;
before(async () => {
  receiver = await startReceiver();
  const port = await tryPort('127.0.0.1', 0);
  proxy = await startFaultyProxy(`http://127.0.0.1:${port}`);
  const config = { webhookAllowLoopback: true, dataDir, feedUrl: `${proxy.url}/feed` };
  service = await startTestApp({ config });
  await service.app.listen({ port, host: '127.0.0.1' });
  maitred = new Maitred({
    baseUrl: `${proxy.url}/`,
    clientId: 'demo-partner',
    clientSecret: 'demo-partner-secret',
  });
});
after(async () => {
  await proxy.close();
  await receiver.close();
  await service.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const dayIn = (days: number) => Temporal.Now.plainDateISO('Europe/London').add({ days }).toString();

test('lists are read to their end, as far as wanted, and with fewer fields', async () => {
  const whole = await maitred.venues.list({ pageSize: 100 }).all();
  proxy.seen.length = 0;
  const names: string[] = [];
  for await (const { name } of maitred.venues.list({ pageSize: 7 })) names.push(name);
  assert.deepEqual(names.sort(), whole.map(({ name }) => name).sort());
  assert.equal(proxy.seen.length, Math.ceil(whole.length / 7));
  proxy.seen.length = 0;
  assert.equal((await maitred.venues.list({ pageSize: 7 }).all(8)).length, 8);
  assert.equal((await maitred.venues.list({ pageSize: 7 }).all(0)).length, 0);
  assert.equal(proxy.seen.length, 2);
  const [selected] = await maitred.venues.list({ fields: 'name', pageSize: 2 }).all();
  assert.deepEqual(Object.keys(selected ?? {}), ['name']);
  const { meta } = await maitred.venues.list({ city: 'Nowhere & elsewhere' }).first();
  assert.equal(meta.totalItems, 0);
});

test('an agent names its partner, and answers come in TOON', async () => {
  const agent = new Maitred({
    baseUrl: proxy.url,
    clientId: 'demo-agent',
    clientSecret: 'demo-agent-secret',
    partnerReference: 'demo-partner',
    scopes: ['venue:read', 'agent:write'],
  });
  assert.equal((await agent.venues.get(GRILL)).name, 'Soho Grill');
  await assert.rejects(agent.bookings.list().first(), (error) => isProblem(error, 'USER-N-009'));
  const { body } = await agent.request<string>('GET', '/venues/category', { accept: 'text/toon' });
  assert.match(body, /^data\[\d+\]/);
});

test('a hold is extended while it is needed, given back, and not given back once booked', async () => {
  const slot = { date: dayIn(12), time: '19:00', partySize: 2, ttlSeconds: 2 };
  const kept = await maitred.holds.keep(DINNER, slot, async (hold) => {
    const { offerToken } = hold;
    await eventually(() => hold.isExtended);
    assert.notEqual(hold.offerToken, offerToken);
    return hold;
  });
  assert.equal((await maitred.holds.get(kept.id)).status, 'released');
  const failed = maitred.holds.keep(DINNER, slot, async ({ id }) => Promise.reject(new Error(id)));
  const { message: heldId } = await failed.then(assert.fail, (error: Error) => error);
  assert.equal((await maitred.holds.get(heldId)).status, 'released');

  proxy.seen.length = 0;
  const booking = await maitred.holds.keep(DINNER, { ...slot, children: 1 }, (hold) => {
    return maitred.holds.book(hold, { ...GUEST, notes: 'By the window' });
  });
  assert.deepEqual([booking.status, booking.children], ['confirmed', 1]);
  assert.ok(!proxy.seen.some(({ method }) => method === 'DELETE'));
});

test('what the service posts is verified, also while the secret changes; what is not from it is refused', async () => {
  const { webhookId, secretKey } = await maitred.webhooks.subscriptions.create({
    callbackUrl: `${receiver.url}/hooks`,
  });
  const dispatcher = service.services.webhooks.startDispatcher();
  const booking = await maitred.bookings.create(DINNER, {
    type: 'book',
    ...{ date: dayIn(13), time: '19:00', partySize: 2 },
    ...GUEST,
  });
  await eventually(() => receiver.received.length === 1);
  const { secretKey: newKey } = await maitred.webhooks.subscriptions.rotateSecret(webhookId);
  await maitred.bookings.cancel(booking.id);
  await eventually(() => receiver.received.length === 2);
  await maitred.webhooks.test({ eventType: 'webhook.ping' });
  await dispatcher.stop();

  const [made, cancelled, ping] = receiver.received;
  assert.ok(made && cancelled && ping);
  const seen = new Set<string>();
  const event = await verifyWebhook({ ...made, secrets: secretKey, seen });
  assert.ok(event.eventType === 'booking.updated');
  assert.deepEqual([event.subscriptionId, event.isTest, event.isDuplicate], [webhookId, false, false]);
  assert.equal(event.bookings[0]?.id, booking.id);
  seen.add(event.id);
  assert.equal((await verifyWebhook({ ...made, secrets: [newKey, secretKey], seen })).isDuplicate, true);
  for (const secrets of [secretKey, newKey]) {
    const { body } = cancelled;
    const changed = await verifyWebhook({
      headers: new Headers(cancelled.headers as never),
      body: String(body),
      secrets,
    });
    assert.ok(changed.eventType === 'booking.updated' && changed.bookings[0]?.status === 'cancelled');
  }
  assert.equal((await verifyWebhook({ ...ping, secrets: newKey })).isTest, true);

  const refused = [
    { ...made, secrets: newKey },
    { ...made, secrets: secretKey, body: `${made.body} ` },
    { ...made, secrets: secretKey, now: Date.now() + 301_000 },
    { ...made, secrets: secretKey, now: Date.now() - 400_000 },
    { ...made, secrets: secretKey, headers: { ...made.headers, 'webhook-timestamp': 'soon' } },
    { ...made, secrets: secretKey, headers: { ...made.headers, 'webhook-id': crypto.randomUUID() } },
    { ...made, secrets: secretKey, headers: { ...made.headers, 'webhook-signature': 'v1,not*base64 v2,x' } },
    { ...made, secrets: secretKey, headers: {} },
  ];
  for (const post of refused) await assert.rejects(verifyWebhook(post), WebhookVerificationError);
  await assert.rejects(verifyWebhook({ ...made, secrets: [] }), TypeError);
});

test('posts are signed as the service signs them', async () => {
  const secret = 'whsec_c2VjcmV0LW9mLXRoZS1leGFtcGxl';
  const body = '{"eventType":"webhook.ping","timestamp":"2026-01-01T00:00:00.000Z"}';
  const headers = await signWebhook({ id: 'an-id', body, secrets: secret, now: 1_700_000_000_500 });
  const key = Buffer.from(secret.slice(6), 'base64');
  const mac = createHmac('sha256', key).update(`an-id.1700000000.${body}`).digest('base64');
  assert.deepEqual(headers, {
    'content-type': 'application/json',
    'webhook-id': 'an-id',
    'webhook-timestamp': '1700000000',
    'webhook-signature': `v1,${mac}`,
    'x-api-key': createHmac('sha256', secret).update(body).digest('hex'),
  });
});

test('events are followed through an outage, from a cursor, and none comes twice', async () => {
  const [last] = (await maitred.webhooks.events().all()).slice(-1);
  const ending = new AbortController();
  const followed: WebhookEvent[] = [];
  const failures: string[] = [];
  const following = (async () => {
    const options = { cursor: last?.id ?? '', signal: ending.signal, intervalMs: 20 };
    const impatient = new Maitred({
      baseUrl: proxy.url,
      token: await service.token('demo-partner'),
      maxAttempts: 1,
    });
    const onError = (error: Error) => failures.push(error.name);
    for await (const event of impatient.webhooks.followEvents({ ...options, onError })) followed.push(event);
  })();
  const wanted = { type: 'book', date: dayIn(14), time: '19:00', partySize: 2, ...GUEST } as const;
  const first = await maitred.bookings.create(DINNER, wanted);
  await eventually(() => followed.length === 1);
  proxy.decide(({ path }) => (path.startsWith('/webhooks/events') ? { cut: 'before' } : undefined));
  await eventually(() => failures.length > 2);
  await maitred.bookings.cancel(first.id);
  proxy.decide(() => undefined);
  await eventually(() => followed.length === 2);
  assert.equal(new Set(failures.splice(0)).size, 1);
  // Asked to wait for an hour, it does.
  const refusal = problemAnswer(429, 'RATE-R-001');
  const answer = { ...refusal, headers: { ...refusal.headers, 'retry-after': '3600' } };
  proxy.decide(({ path }) => (path.startsWith('/webhooks/events') ? { answer } : undefined));
  await eventually(() => failures.length > 0);
  for (let count = 0; count < 30; count += 1) await maitred.venues.categories();
  assert.deepEqual(failures, ['ProblemError']);
  proxy.decide(() => undefined);
  ending.abort();
  await following;
  assert.deepEqual(
    followed.map(({ body }) => body?.bookings?.[0]?.status),
    ['confirmed', 'cancelled'],
  );
});

test('of a feed only what has changed is fetched, and nothing is lost when handling it fails', async () => {
  const storage = createFolderStorage(feedFolder({ dataDir }));
  const { make } = makerOf(service, { ...storage, files: new Map() }, `${proxy.url}/feed`);
  await make(GRILL);
  const { products } = await maitred.venues.get(GRILL);
  const feedUrl = products.find(({ compositeId }) => compositeId === DINNER)?.feedUrl ?? '';
  const states = new Map<string, FeedState>();
  const feeds = new FeedReader({ store: states, concurrency: 3 });
  const failedOnce = new Set<string>();
  proxy.decide(({ path }) => {
    if (failedOnce.size === 10 || failedOnce.has(path)) return undefined;
    failedOnce.add(path);
    return failedOnce.size % 2 === 0 ? { cut: 'middle' } : { answer: { status: 503 } };
  });
  await assert.rejects(
    feeds.read(feedUrl, () => Promise.reject(new Error('The table is full'))),
    { message: 'The table is full' },
  );
  proxy.decide(() => undefined);
  const whole = await feeds.read(feedUrl);
  assert.ok(whole.changed.length > 100 && whole.changed.every(({ slots }) => slots.length > 0));
  assert.equal(whole.changed.length, whole.index?.shards.length);
  const none = await feeds.read(feedUrl);
  assert.deepEqual(none, { index: null, changed: [], removed: [], bytes: { index: 0, shards: 0 } });

  const [{ date = '' } = {}] = whole.changed.slice(20);
  await maitred.bookings.create(DINNER, { type: 'book', date, time: '19:00', partySize: 2, ...GUEST });
  await make(GRILL);
  const later = new FeedReader({ store: new Map(JSON.parse(JSON.stringify([...states]))) });
  const change = await later.read(feedUrl);
  assert.deepEqual([change.changed.map((shard) => shard.date), change.removed], [[date], []]);
  assert.ok(change.bytes.shards < whole.bytes.shards / 50);

  // A shard that is gone means that the index was replaced meanwhile; it is read again.
  proxy.seen.length = 0;
  proxy.decide(({ path }) => {
    const isFirst = proxy.seen.filter(({ path: other }) => other.endsWith('.gz')).length === 1;
    return path.endsWith('.gz') && isFirst ? { answer: { status: 404 } } : undefined;
  });
  assert.equal((await new FeedReader().read(feedUrl)).changed.length, whole.changed.length);
  proxy.decide(() => ({ answer: { status: 404 } }));
  await assert.rejects(new FeedReader().read(feedUrl), FeedGoneError);
  proxy.decide(() => ({ answer: { status: 503, headers: { 'retry-after': '3600' } } }));
  await assert.rejects(new FeedReader().read(feedUrl), { status: 503 });
});

test('a feed that names other days than it has, or no days, is refused', async () => {
  const feedUrl = `${proxy.url}/feed/forged.json`;
  const shard = (date: unknown) => ({ date, url: `${proxy.url}/feed/day.json`, hash: 'new' });
  const refused: [object, RegExp][] = [
    [{ shards: [shard('../../../outside')] }, /forged\.json: not an index/],
    [{ shards: [shard('2027-03-04\n')] }, /not an index/],
    [{ shards: { length: 0 } }, /not an index/],
    [{ shards: [null] }, /not an index/],
    [{}, /not an index/],
    [{ shards: [shard('2027-03-04')] }, /day\.json: not the day that the index names/],
  ];
  for (const [index, message] of refused) {
    proxy.decide(({ path }) => {
      return {
        answer: { status: 200, body: path.endsWith('day.json') ? { date: '/etc/day', slots: [] } : index },
      };
    });
    await assert.rejects(new FeedReader().read(feedUrl), { name: 'ConnectionError', message });
  }
});
