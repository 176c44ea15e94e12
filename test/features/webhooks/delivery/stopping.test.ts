import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { beforeEach, type TestContext, test } from 'node:test';
import type { Notifications } from '../../../../src/db/notifications.ts';
import type { DispatcherDeps } from '../../../../src/features/webhooks/delivery/dispatcher.ts';
import { eventually } from '../../../support/eventually.ts';
import { answer } from '../../../support/peers/receiver.ts';
import {
  assertSigned,
  change,
  deliveriesTo,
  deliveringApp,
  freePath,
  happen,
  holding,
  marksOf,
  openCourier,
  rotate,
  type Subscribed,
  subscribe,
  unsubscribe,
} from '../delivering.ts';

const { maitred, time, receiver } = deliveringApp({ delivers: false });
beforeEach(() => maitred().sql`delete from webhook`);

/** As many as are posted at a time to a subscription that has not answered yet. */
const AT_ONCE_EACH = 4;

async function deliver(t: TestContext, deps: Partial<DispatcherDeps> = {}) {
  const dispatcher = await openCourier(maitred(), { clock: time.clock, ...deps });
  t.after(() => dispatcher.stop());
  return dispatcher;
}

const tell = (mark: string | number) => happen(maitred(), time.clock, mark);
const subscribeHere = (path?: string) => subscribe(maitred(), receiver(), path === undefined ? {} : { path });
const toldTo = ({ posts }: Subscribed) => marksOf(posts()).toSorted();
const statusesOf = async (subscription: Subscribed) =>
  (await deliveriesTo(maitred().sql, subscription)).map(({ status }) => status);

/** When this has come, everything that was due before was begun. */
async function looked(): Promise<void> {
  const probe = await subscribeHere();
  await tell('probe');
  await eventually(() => probe.posts().length === 1);
  await unsubscribe(maitred(), probe);
}

test('a paused subscription gets nothing, and what waited for it when it is active again', async (t) => {
  const subscription = await subscribeHere();
  await tell('before');
  await change(maitred(), subscription, { active: false });
  await tell('while paused');
  await deliver(t);
  await looked();
  assert.deepEqual(toldTo(subscription), []);
  await change(maitred(), subscription, { active: true });
  await eventually(() => subscription.posts().length === 1);
  await looked();
  assert.deepEqual(toldTo(subscription), ['before', 'probe']);
});

/** More than are posted at once, so that some wait in the dispatcher while the first ones are held. */
async function heldAtWork() {
  const path = freePath();
  const gate = holding();
  receiver().behave(gate.behaviour, path);
  const subscription = await subscribeHere(path);
  for (let mark = 1; mark <= 20; mark += 1) await tell(mark);
  const { sql } = maitred();
  const areHeld = async () => {
    await eventually(() => gate.held.length === AT_ONCE_EACH);
    await eventually(async () => {
      const [row] = await sql`select count(*) from delivery
        where webhook_id = ${subscription.webhookId} and claim is not null`;
      return row?.count === 20;
    });
  };
  const nobodyHolds = () =>
    eventually(async () => {
      const [row] = await sql`select count(*) from delivery
        where webhook_id = ${subscription.webhookId} and claim is not null and status = 'pending'`;
      return row?.count === 0;
    });
  return { subscription, gate, areHeld, nobodyHolds };
}

test('what a dispatcher has claimed and not begun is not posted once the subscription is paused', async (t) => {
  const { subscription, gate, areHeld, nobodyHolds } = await heldAtWork();
  await deliver(t);
  await areHeld();
  await change(maitred(), subscription, { active: false });
  await looked();
  gate.letGo();
  await nobodyHolds();
  await looked();
  assert.equal(subscription.posts().length, AT_ONCE_EACH);
  await change(maitred(), subscription, { active: true });
  await eventually(() => subscription.posts().length === 20);
  await eventually(async () => (await statusesOf(subscription)).every((status) => status === 'delivered'));
});

test('a dispatcher that does not hear of it posts them in spite of the pause', async (t) => {
  const deaf: Notifications = { isConnected: () => true, subscribe: () => () => {}, close: async () => {} };
  const { subscription, gate, areHeld, nobodyHolds } = await heldAtWork();
  await deliver(t, { notifications: deaf });
  await areHeld();
  await change(maitred(), subscription, { active: false });
  gate.letGo();
  await nobodyHolds();
  assert.equal(subscription.posts().length, 20);
});

test('a deleted subscription gets nothing more, ever, and what was on its way is given up', async (t) => {
  const { subscription, gate, areHeld } = await heldAtWork();
  await deliver(t);
  await areHeld();
  await unsubscribe(maitred(), subscription);
  await looked();
  gate.letGo();
  time.move({ hours: 2 });
  await looked();
  assert.equal(subscription.posts().length, AT_ONCE_EACH);
  assert.deepEqual(new Set(await statusesOf(subscription)), new Set(['dropped']));
});

test('a delivery written while its subscription was being deleted is given up as well', async (t) => {
  const { sql } = maitred();
  const subscription = await subscribeHere();
  await tell('too late');
  await sql`delete from webhook where id = ${subscription.webhookId}`;
  await deliver(t);
  await eventually(async () => (await statusesOf(subscription))[0] === 'dropped');
  assert.deepEqual(subscription.posts(), []);
});

test('a changed address gets the next attempt, with the same words', async (t) => {
  const [before, after] = [freePath(), freePath()];
  receiver().behave(answer(500), before);
  const subscription = await subscribeHere(before);
  const words = await tell('moved');
  await deliver(t);
  await eventually(async () => (await deliveriesTo(maitred().sql, subscription))[0]?.attempts === 1);
  await change(maitred(), subscription, { callbackUrl: receiver().url + after });
  time.move({ minutes: 1 });
  const arrived = () => receiver().received.filter(({ path }) => path === after);
  await eventually(() => arrived().length === 1);
  assert.equal(arrived()[0]?.body.toString(), words);
  assert.equal(subscription.posts().length, 1);
});

test('a rotated secret signs at once, for a day with the one before beside it', async (t) => {
  const subscription = await subscribeHere();
  const { secretKey: first, posts } = subscription;
  await deliver(t);
  await tell(1);
  await eventually(() => posts().length === 1);
  const second = await rotate(maitred(), subscription);
  await tell(2);
  await eventually(() => posts().length === 2);
  time.move({ hours: 23, minutes: 59 });
  await tell(3);
  await eventually(() => posts().length === 3);
  time.move({ minutes: 1 });
  await tell(4);
  await eventually(() => posts().length === 4);
  const [before, during, almost, after] = posts();
  assert.ok(before && during && almost && after);
  assertSigned(before, first);
  assertSigned(during, second, first);
  assertSigned(almost, second, first);
  assertSigned(after, second);
});

test('while secrets are rotated under load, everything arrives once, signed with one that was shown', async (t) => {
  const subscription = await subscribeHere();
  await deliver(t);
  const secrets = [subscription.secretKey];
  const marks = Array.from({ length: 300 }, (_, index) => index);
  const telling = Promise.all(
    [0, 1, 2, 3].map(async (lane) => {
      for (const mark of marks) if (mark % 4 === lane) await tell(mark);
    }),
  );
  for (let count = 0; count < 15; count += 1) secrets.push(await rotate(maitred(), subscription));
  await telling;
  await eventually(() => subscription.posts().length >= marks.length);
  await looked();
  const posts = subscription.posts().filter(({ body }) => !body.includes('probe'));
  assert.deepEqual(
    marksOf(posts).toSorted((a, b) => a - b),
    marks,
  );
  const usedSecrets = new Set<number>();
  for (const { headers, body } of posts) {
    const used = secrets.findIndex(
      (secret) => createHmac('sha256', secret).update(body).digest('hex') === headers['x-api-key'],
    );
    assert.ok(used >= 0, 'signed with a secret that nobody was shown');
    usedSecrets.add(used);
  }
  t.diagnostic(`${usedSecrets.size} of ${secrets.length} secrets were used`);
  assert.ok(usedSecrets.size > 1);
});

test('a dispatcher that stops finishes what it has begun and gives back the rest, which another takes at once', async (t) => {
  const { subscription, gate, areHeld } = await heldAtWork();
  const dispatcher = await openCourier(maitred(), { clock: time.clock });
  await areHeld();
  const stopped = dispatcher.stop();
  await eventually(async () => {
    const [row] = await maitred().sql`select count(*) from delivery
      where webhook_id = ${subscription.webhookId} and claim is not null`;
    return row?.count === AT_ONCE_EACH;
  });
  gate.letGo();
  await stopped;
  assert.equal(subscription.posts().length, AT_ONCE_EACH);
  const statuses = await statusesOf(subscription);
  assert.equal(statuses.filter((status) => status === 'delivered').length, AT_ONCE_EACH);
  await deliver(t);
  await eventually(() => subscription.posts().length === 20);
  assert.equal(new Set(marksOf(subscription.posts())).size, 20);
});
