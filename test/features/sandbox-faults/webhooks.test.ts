import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { eventually } from '../../support/eventually.ts';
import type { ReceivedPost } from '../../support/peers/receiver.ts';
import { patch, replacing, taken } from '../bookings/amend/amending.ts';
import { type Body, booked } from '../bookings/support.ts';
import {
  assertSigned,
  deliveriesTo,
  deliveringApp,
  freePath,
  type Subscribed,
  subscribe,
} from '../webhooks/delivering.ts';

const { maitred, time, receiver } = deliveringApp({ delivers: true });
beforeEach(() => maitred().sql`delete from webhook`);

const bookWith = (fault: string) => booked(maitred(), {}, { headers: { 'x-sandbox-fault': fault } });
const told = ({ posts }: Subscribed): Body[] =>
  posts().map(({ body }) => JSON.parse(body.toString()).bookings[0]);
const idsOf = (subscription: Subscribed) => told(subscription).map(({ id }) => id);

test('webhook=lost: the event is in the log and can be replayed; the next one arrives', async () => {
  const subscription = await subscribe(maitred(), receiver());
  const lost = await bookWith('webhook=lost');
  const next = await booked(maitred());
  await eventually(() => idsOf(subscription).includes(next.id));
  assert.deepEqual(idsOf(subscription), [next.id]);
  const [dropped] = (await maitred().call('/webhooks/deliveries?status=dropped')).json.data;
  assert.deepEqual([dropped.webhookId, dropped.attempts], [subscription.webhookId, []]);
  const replay = await maitred().call(`/webhooks/subscriptions/${subscription.webhookId}/replay`, {
    method: 'POST',
    body: { eventId: dropped.eventId },
  });
  assert.equal(replay.status, 202, replay.text);
  await eventually(() => idsOf(subscription).includes(lost.id));
});

test('webhook=twice: the same bytes arrive two times, under one id', async () => {
  const subscription = await subscribe(maitred(), receiver());
  await bookWith('webhook=twice');
  await eventually(() => subscription.posts().length >= 2);
  const [first, second] = subscription.posts();
  assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
  assert.deepEqual(first?.body, second?.body);
  for (const post of subscription.posts()) assertSigned(post, subscription.secretKey);
  await eventually(async () =>
    (await deliveriesTo(maitred().sql, subscription)).every(({ status }) => status === 'delivered'),
  );
  assert.equal(subscription.posts().length, 2);
});

test('webhook=late: what happens afterwards arrives before it', async () => {
  const subscription = await subscribe(maitred(), receiver());
  const { id } = await bookWith('webhook=late:60');
  time.move({ seconds: 1 });
  await taken(patch(maitred(), id, [replacing('/partySize', 3)]));
  await eventually(() => subscription.posts().length >= 1);
  assert.deepEqual(
    told(subscription).map(({ partySize }) => partySize),
    [3],
  );
  time.move({ seconds: 60 });
  await eventually(() => subscription.posts().length >= 2);
  assert.deepEqual(
    told(subscription).map(({ partySize }) => partySize),
    [3, 2],
  );
});

test('webhook=bad-signature: the first post is forged, and the retry is genuine', async () => {
  const path = freePath();
  const subscription = await subscribe(maitred(), receiver(), { path });
  const isGenuine = (post: ReceivedPost) => {
    try {
      assertSigned(post, subscription.secretKey);
      return true;
    } catch {
      return false;
    }
  };
  receiver().behave((response, post) => response.writeHead(isGenuine(post) ? 204 : 401).end(), path);
  const { id } = await bookWith('webhook=bad-signature');
  await eventually(async () => (await deliveriesTo(maitred().sql, subscription))[0]?.attempts === 1);
  assert.deepEqual(subscription.posts().map(isGenuine), [false]);
  time.move({ minutes: 1 });
  await eventually(() => subscription.posts().length >= 2);
  assert.deepEqual(subscription.posts().map(isGenuine), [false, true]);
  assert.deepEqual(idsOf(subscription), [id, id]);
  await eventually(async () => (await deliveriesTo(maitred().sql, subscription))[0]?.status === 'delivered');
});

test('a fault is for the partner that asks: operators are told as ever', async () => {
  const { sql } = maitred();
  const subscription = await subscribe(maitred(), receiver());
  const operators = await subscribe(maitred(), receiver(), { as: 'other-partner' });
  await sql`update webhook set partner_id = null, operator_id = 1 where id = ${operators.webhookId}`;
  const lost = await bookWith('webhook=lost');
  const twice = await bookWith('webhook=twice');
  await eventually(() => subscription.posts().length === 2 && operators.posts().length === 2);
  assert.deepEqual(idsOf(operators).sort(), [lost.id, twice.id].sort());
  assert.deepEqual(idsOf(subscription), [twice.id, twice.id]);
});
