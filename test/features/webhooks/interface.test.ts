/** What the interface promises of webhooks and no test beside this one would miss. */
import assert from 'node:assert/strict';
import { beforeEach, type TestContext, test } from 'node:test';
import { parseVenueId } from '../../../src/kernel/ids.ts';
import { type Answer, assertProblem, type CallOptions, startTestApp } from '../../support/app.ts';
import { closeVenue, reopenVenue } from '../../support/closing.ts';
import { eventually } from '../../support/eventually.ts';
import { answer, type Behaviour, startReceiver } from '../../support/peers/receiver.ts';
import { callNow, cancel, patch, replacing } from '../bookings/amend/amending.ts';
import { type Body, booked } from '../bookings/support.ts';
import {
  assertSigned,
  deliveringApp,
  freePath,
  instantOf,
  type Subscribed,
  subscribe,
  unsubscribe,
} from './delivering.ts';
import { UNKNOWN_ID } from './testing.ts';

const { maitred, time, receiver } = deliveringApp({ delivers: true });
beforeEach(() => maitred().sql`delete from webhook`);

const PING = { eventType: 'webhook.ping' };
const HOOK = 'https://partner.example/hook';

async function listed(path: string): Promise<Body[]> {
  const answer = await callNow(maitred(), path);
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data;
}

test('the one webhook of a partner, as the interface had it before, is not there', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
    const body = method === 'POST' || method === 'PUT' ? { body: { callbackUrl: HOOK } } : {};
    assertProblem(await callNow(maitred(), '/webhooks', { method, ...body }), 404, 'HTTP-N-404');
  }
});

test('whoever has no right to partner:create neither manages, reads nor tests anything', async () => {
  const { webhookId } = await subscribe(maitred(), receiver());
  const before = await listed('/webhooks/subscriptions');
  const call = await callWithScope('venue:read listing:read');
  assert.equal((await call('/venues')).status, 200);
  const one = `/webhooks/subscriptions/${webhookId}`;
  const calls: [string, CallOptions][] = [
    ['/webhooks/subscriptions', {}],
    ['/webhooks/subscriptions', { method: 'POST', body: { callbackUrl: `${receiver().url}/another` } }],
    [one, {}],
    [one, { method: 'PUT', body: { active: false } }],
    [`${one}/secret`, { method: 'POST' }],
    [`${one}/replay`, { method: 'POST', body: { since: instantOf(time.clock) } }],
    ['/webhooks/test', { method: 'POST', body: PING }],
    ['/webhooks/events', {}],
    ['/webhooks/deliveries', {}],
    [`/webhooks/deliveries/${UNKNOWN_ID}`, {}],
    [one, { method: 'DELETE' }],
  ];
  for (const [path, options] of calls) assertProblem(await call(path, options), 403, 'USER-N-009');
  assert.deepEqual(await listed('/webhooks/subscriptions'), before);
});

/** Calls of the demo partner with a token that carries no more than this. */
async function callWithScope(
  scope: string,
): Promise<(path: string, options?: CallOptions) => Promise<Answer>> {
  const issued = await maitred().call('/oauth/token', {
    method: 'POST',
    as: null,
    body: {
      grant_type: 'client_credentials',
      audience: 'maitred',
      client_id: 'demo-partner',
      client_secret: 'demo-partner-secret',
      scope,
    },
  });
  const headers = { authorization: `Bearer ${issued.json.access_token}` };
  return (path, options = {}) => maitred().call(path, { ...options, as: null, headers });
}

test('a subscription that is deleted takes nothing along that waits for another', async () => {
  const path = freePath();
  receiver().behave(answer(500), path);
  const gone = await subscribe(maitred(), receiver());
  const other = await subscribe(maitred(), receiver(), { path });
  await booked(maitred());
  const [waiting] = await attempted(other);
  assert.equal(waiting?.status, 'pending');
  receiver().behave(answer(204), path);
  await unsubscribe(maitred(), gone);
  time.move({ minutes: 1 });
  await eventually(() => other.posts().length === 2);
  await eventually(async () => (await attempted(other))[0]?.status === 'delivered');
});

/** The deliveries to a subscription, once the last of them was attempted. */
async function attempted({ webhookId }: Subscribed): Promise<Body[]> {
  const path = `/webhooks/deliveries?webhookId=${webhookId}`;
  await eventually(async () => (await listed(path))[0]?.attempts.length > 0);
  return listed(path);
}

test('a venue that closes is posted to everybody who distributes it and wants to hear of it', async (t) => {
  const venueId = parseVenueId('1|house|soho-grill');
  const mine = await subscribe(maitred(), receiver(), { eventTypes: ['venue.updated'] });
  const theirs = await subscribe(maitred(), receiver(), { as: 'other-partner' });
  const timestamp = instantOf(time.clock);
  t.after(() => reopenVenue(maitred(), venueId));
  await closeVenue(maitred(), venueId);
  for (const { posts, secretKey, webhookId } of [mine, theirs]) {
    await eventually(() => posts().length === 1);
    const [post] = posts();
    assert.ok(post);
    assertSigned(post, secretKey);
    assert.equal(post.headers['x-webhook-id'], webhookId);
    assert.deepEqual(JSON.parse(post.body.toString()), {
      eventType: 'venue.updated',
      timestamp,
      venues: [{ compositeId: venueId, active: false }],
    });
  }
});

/** Takes its time. */
function answerAfter(t: TestContext, seconds: number): Behaviour {
  return (response) => {
    const timer = setTimeout(() => response.writeHead(204).end(), seconds * 1000);
    t.after(() => clearTimeout(timer));
  };
}

test('receivers have ten seconds: eight are in time and twelve are not, in deliveries and in tests', async (t) => {
  const [slow, tooSlow] = [freePath(), freePath()];
  receiver().behave(answerAfter(t, 8), slow);
  receiver().behave(answerAfter(t, 12), tooSlow);
  const inTime = await subscribe(maitred(), receiver(), { path: slow });
  const late = await subscribe(maitred(), receiver(), { path: tooSlow });
  await booked(maitred());
  const report = await callNow(maitred(), '/webhooks/test', { method: 'POST', body: PING });
  assert.deepEqual(
    report.json.deliveries.map(({ delivered, statusCode, error }: Body) => [delivered, statusCode, error]),
    [
      [true, 204, null],
      [false, null, 'timeout'],
    ],
  );
  for (const [subscription, status, error] of [
    [inTime, 'delivered', null],
    [late, 'pending', 'timeout'],
  ] as const) {
    const [delivery] = await attempted(subscription);
    assert.deepEqual([delivery?.status, delivery?.attempts[0].error], [status, error]);
  }
});

test('a callback whose name leads inside by the time of the post is not dialled', async (t) => {
  const inside = await startReceiver({ isSecure: true });
  t.after(() => inside.close());
  let address = '93.184.215.14';
  const app = await startTestApp({ deps: { resolve: async () => [address] } });
  t.after(() => app.close());
  const callbackUrl = `https://partner.example:${inside.port}/hook`;
  const made = await app.call('/webhooks/subscriptions', { method: 'POST', body: { callbackUrl } });
  assert.equal(made.status, 201, made.text);
  address = '127.0.0.1';
  const { deliveries } = (await app.call('/webhooks/test', { method: 'POST', body: PING })).json;
  assert.deepEqual([deliveries[0].delivered, deliveries[0].error], [false, 'refused']);
  assert.equal(inside.connections(), 0);
});

for (const environment of ['live', 'staging', 'sandbox'] as const)
  test(`in ${environment} partners are told of what they do themselves`, async (t) => {
    const resolve = async () => ['93.184.215.14'];
    const app = await startTestApp({ config: { environment }, deps: { resolve } });
    t.after(() => app.close());
    const made = await app.call('/webhooks/subscriptions', { method: 'POST', body: { callbackUrl: HOOK } });
    assert.equal(made.status, 201, made.text);
    const { id } = await booked(app);
    await patch(app, id, [replacing('/comments', 'Late')]);
    await cancel(app, id);
    const { data } = (await app.call('/webhooks/deliveries')).json;
    assert.deepEqual(
      data.map(({ webhookId, eventType }: Body) => [webhookId, eventType]),
      Array(3).fill([made.json.webhookId, 'booking.updated']),
    );
  });
