import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { decode } from '@toon-format/toon';
import { assertProblem } from '../../../support/app.ts';
import { answer, hang, startReceiver } from '../../../support/peers/receiver.ts';
import { addOperatorClient } from '../../bookings/amend/amending.ts';
import { type Body, booked, traces } from '../../bookings/support.ts';
import { SOHO, testingApp, UNKNOWN_ID } from '../testing.ts';

const { maitred, receiver, send, sent, subscribe } = testingApp();

const pause = (id: string) =>
  maitred().call(`/webhooks/subscriptions/${id}`, { method: 'PUT', body: { active: false } });
const pathsHit = () =>
  receiver()
    .received.map(({ path }) => path)
    .sort();

test('a ping says nothing but what it is and when, is marked as a test, and is signed like every delivery', async () => {
  const { webhookId, secretKey, callbackUrl } = await subscribe('/hook?a=b');
  const [delivery] = await sent({ eventType: 'webhook.ping' });
  const [post] = receiver().received;
  assert.ok(post && delivery);
  const signature = createHmac('sha256', secretKey).update(post.body).digest('hex');
  const { headers } = post;
  assert.equal(headers['x-api-key'], signature);
  assert.equal(headers['x-webhook-id'], webhookId);
  assert.equal(headers['x-webhook-test'], 'true');
  assert.equal(headers['content-type'], 'application/json');
  const key = Buffer.from(secretKey.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${post.body}`;
  const standard = createHmac('sha256', key).update(signed).digest('base64');
  assert.equal(headers['webhook-signature'], `v1,${standard}`);
  assert.deepEqual([post.method, post.path], ['POST', '/hook?a=b']);
  const { eventType, timestamp, ...rest } = JSON.parse(post.body.toString());
  assert.deepEqual([eventType, rest], ['webhook.ping', {}]);
  assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  const { durationMs, ...report } = delivery;
  assert.ok(Number.isInteger(durationMs) && durationMs >= 0);
  assert.deepEqual(report, {
    webhookId,
    callbackUrl,
    delivered: true,
    statusCode: 204,
    signature,
    skipped: null,
    error: null,
  });
});

test('without an id every active subscription is a target, and those that filter the type out are named', async () => {
  const all = await subscribe('/all');
  const bookings = await subscribe('/bookings', { eventTypes: ['booking.updated'] });
  const venues = await subscribe('/venues', { eventTypes: ['venue.updated', 'message.received'] });
  const paused = await subscribe('/paused');
  await pause(paused.webhookId);
  await subscribe('/other', {}, 'other-partner');
  const deliveries = await sent({ eventType: 'booking.updated' });
  assert.deepEqual(
    deliveries.map(({ webhookId, delivered, skipped }) => [webhookId, delivered, skipped]),
    [
      [all.webhookId, true, null],
      [bookings.webhookId, true, null],
      [venues.webhookId, false, 'filtered'],
    ],
  );
  const [, , { webhookId: _, callbackUrl: __, ...skipped }] = deliveries as [Body, Body, Body];
  const nothing = { statusCode: null, durationMs: null, signature: null, error: null };
  assert.deepEqual(skipped, { delivered: false, skipped: 'filtered', ...nothing });
  assert.deepEqual(pathsHit(), ['/all', '/bookings']);
});

test('a ping cannot be filtered', async () => {
  await subscribe('/bookings', { eventTypes: ['booking.updated'] });
  const [delivery] = await sent({ eventType: 'webhook.ping' });
  assert.deepEqual([delivery?.delivered, delivery?.skipped], [true, null]);
});

test('with an id that subscription alone is told, paused and filtered as it may be', async () => {
  await subscribe('/other');
  const { webhookId } = await subscribe('/this', { eventTypes: ['booking.updated'] });
  await pause(webhookId);
  for (const id of [webhookId, webhookId.toUpperCase()]) {
    const deliveries = await sent({ eventType: 'venue.updated' }, id);
    assert.deepEqual(
      deliveries.map((each) => [each.webhookId, each.delivered]),
      [[webhookId, true]],
    );
  }
  assert.deepEqual(pathsHit(), ['/this', '/this']);
});

test('an id of nobody, of another partner or of no subscription at all is WHK-N-001, and nothing is written', async () => {
  const { id } = await booked(maitred());
  const before = await traces(maitred().sql);
  const [booking] = await maitred().sql`select b::text from booking b where id = ${id}`;
  const { webhookId: theirs } = await subscribe('/theirs', {}, 'other-partner');
  const body = { eventType: 'booking.updated', bookingId: id, changes: { status: 'cancelled' } };
  for (const webhookId of [UNKNOWN_ID, theirs, 'x', ''])
    assertProblem(await send(body, webhookId), 404, 'WHK-N-001');
  assert.deepEqual(await traces(maitred().sql), before);
  const [after] = await maitred().sql`select b::text from booking b where id = ${id}`;
  assert.deepEqual(after, booking);
});

test('nobody to tell is an empty list', async () => {
  assert.deepEqual(await sent({ eventType: 'booking.updated' }), []);
  const { webhookId } = await subscribe('/paused');
  await pause(webhookId);
  assert.deepEqual(await sent({ eventType: 'webhook.ping' }), []);
});

test('receivers that fail are reported and tried once, and what they do is told in one word', async () => {
  const gone = await startReceiver();
  await gone.close();
  receiver().behave(answer(500), '/broken');
  receiver().behave(answer(302, { location: `${receiver().url}/elsewhere` }), '/moved');
  const made = [await subscribe('/broken'), await subscribe('/moved'), await subscribe('/fine')];
  await maitred().sql`update webhook set callback_url = ${gone.url} where id = ${made[2]?.webhookId}`;
  const deliveries = await sent({ eventType: 'webhook.ping' });
  assert.deepEqual(
    deliveries.map(({ delivered, statusCode, error }) => [delivered, statusCode, error]),
    [
      [false, 500, 'status'],
      [false, 302, 'status'],
      [false, null, 'refused'],
    ],
  );
  for (const { signature } of deliveries) assert.match(signature, /^[0-9a-f]{64}$/);
  assert.deepEqual(pathsHit(), ['/broken', '/moved']);
});

test('a receiver that never answers is given up', async () => {
  receiver().behave(hang, '/hanging');
  await subscribe('/hanging');
  const [delivery] = await sent({ eventType: 'webhook.ping' });
  assert.deepEqual([delivery?.delivered, delivery?.statusCode, delivery?.error], [false, null, 'timeout']);
});

test('targets are told side by side: each answers only once all have been asked', async () => {
  const waiting: (() => void)[] = [];
  const paths = ['/first', '/second', '/third'];
  for (const path of paths) {
    await subscribe(path);
    receiver().behave((response) => {
      waiting.push(() => response.writeHead(204).end());
      if (waiting.length === paths.length) for (const go of waiting) go();
    }, path);
  }
  const deliveries = await sent({ eventType: 'webhook.ping' });
  assert.deepEqual(
    deliveries.map(({ delivered }) => delivered),
    [true, true, true],
  );
});

test('a test is neither in the event log nor among the deliveries', async () => {
  await subscribe('/hook');
  const { id } = await booked(maitred());
  const count = async () => {
    const [row] = await maitred().sql`
      select (select count(*) from event) as events, (select count(*) from delivery) as deliveries`;
    return { ...row };
  };
  const before = await count();
  for (const changes of [undefined, {}, { status: 'cancelled' }])
    await sent({ eventType: 'booking.updated', bookingId: id, ...(changes && { changes }) });
  await sent({ eventType: 'message.received', bookingId: id });
  await sent({ eventType: 'venue.updated', venueId: SOHO });
  assert.deepEqual(await count(), before);
  assert.equal(receiver().received.length, 5);
});

test('an agent tests for its partner, operators may not, and the platform has nobody to tell', async () => {
  const { webhookId } = await subscribe('/hook');
  const headers = { 'x-partner-reference': 'demo-partner' };
  const ping = { eventType: 'webhook.ping' };
  const [delivery] = await sent(ping, undefined, { as: 'demo-agent', headers });
  assert.equal(delivery?.webhookId, webhookId);
  assertProblem(await send(ping, undefined, { as: 'demo-admin' }), 403, 'IDENT-N-002');
  const operator = await addOperatorClient(maitred().sql, 2);
  assertProblem(await send(ping, undefined, { as: operator }), 403, 'USER-N-009');
});

test('the report is there in both forms, and nobody may keep it', async () => {
  await subscribe('/hook');
  const toon = await send({ eventType: 'webhook.ping' }, undefined, { headers: { accept: 'text/toon' } });
  assert.equal((decode(toon.text) as { deliveries: Body[] }).deliveries[0]?.delivered, true);
  assert.equal(toon.headers['cache-control'], 'no-store');
});
