import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { nowOf, timestampOf } from '../../../../src/kernel/clock.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  answer,
  type Behaviour,
  cutInBody,
  cutInHead,
  drip,
  flood,
  hang,
  redirect,
  reset,
} from '../../../support/peers/receiver.ts';
import { callNow, operator } from '../../bookings/amend/amending.ts';
import { DINNER, freeDay, guest } from '../../bookings/support.ts';
import {
  assertSigned,
  deliveriesTo,
  deliveringApp,
  freePath,
  happen,
  impatientSender,
  openCourier,
  type Subscribed,
  subscribe,
} from '../delivering.ts';

const lines: string[] = [];
const { maitred, time, receiver } = deliveringApp({ delivers: false, lines });
beforeEach(() => maitred().sql`delete from webhook`);

const MINUTES = [1, 2, 4, 8, 16, 32];

interface AttemptRow {
  number: number;
  startedAt: string;
  statusCode: number | null;
  error: string | null;
}

async function attemptsAt({ webhookId }: Subscribed): Promise<AttemptRow[]> {
  const rows = await maitred().sql`
    select a.number, a.started_at as "startedAt", a.status_code as "statusCode", a.error
    from delivery_attempt a join delivery d on d.id = a.delivery_id
    where d.webhook_id = ${webhookId} order by a.number`;
  return rows.map(({ number, startedAt, statusCode, error }) => ({
    number,
    startedAt: timestampOf(startedAt),
    statusCode,
    error,
  }));
}

const now = () => timestampOf(nowOf(time.clock));

/** A booking whose updates fail, and a probe: when a message about it has come, everything due by now was begun before. */
async function failingBooking(path: string) {
  const subscription = await subscribe(maitred(), receiver(), { path, eventTypes: ['booking.updated'] });
  const probe = await subscribe(maitred(), receiver(), { eventTypes: ['message.received'] });
  const answered = await callNow(maitred(), `/venues/${encodeURIComponent(DINNER)}/booking`, {
    method: 'POST',
    body: { ...guest, date: freeDay(), time: '19:00' },
  });
  const { id } = answered.json;
  const looked = async () => {
    const before = probe.posts().length;
    const text = `Has anybody looked, ${before}?`;
    await maitred().services.bookings.sendMessage(operator(1), id, { text, replyTo: null });
    await eventually(() => probe.posts().length > before);
  };
  return { subscription, looked };
}

test('a delivery that fails is repeated 1, 2, 4, 8, 16 and 32 minutes after each failure, then dropped, logged and kept', async (t) => {
  const path = freePath();
  receiver().behave(answer(500), path);
  const dispatcher = maitred().services.webhooks.startDispatcher();
  t.after(() => dispatcher.stop());
  const { subscription, looked } = await failingBooking(path);
  const startedAt = [now()];
  for (const [index, minutes] of MINUTES.entries()) {
    await eventually(async () => (await attemptsAt(subscription)).length === index + 1);
    assert.equal(lines.length, 0);
    time.move({ milliseconds: minutes * 60_000 - 1 });
    await looked();
    assert.equal(subscription.posts().length, index + 1, `not before ${minutes} minutes have passed`);
    time.move({ milliseconds: 1 });
    startedAt.push(now());
    await eventually(() => subscription.posts().length === index + 2);
  }
  await eventually(async () => (await deliveriesTo(maitred().sql, subscription))[0]?.status !== 'pending');
  time.move({ hours: 100 });
  await looked();
  assert.deepEqual(await deliveriesTo(maitred().sql, subscription), [
    { status: 'dropped', attempts: 7, finishedAt: startedAt[6] },
  ]);
  assert.deepEqual(
    await attemptsAt(subscription),
    startedAt.map((at, index) => ({ number: index + 1, startedAt: at, statusCode: 500, error: 'status' })),
  );
  const said = lines.map((line) => JSON.parse(line));
  assert.deepEqual(
    said.map(({ msg, webhookId }) => [msg, webhookId]),
    [['A delivery was given up.', subscription.webhookId]],
  );

  const posts = subscription.posts();
  assert.equal(posts.length, 7);
  for (const post of posts) {
    assert.deepEqual(post.body, posts[0]?.body);
    assert.equal(post.headers['webhook-id'], posts[0]?.headers['webhook-id']);
    assertSigned(post, subscription.secretKey);
  }
  const seconds = startedAt.map((at) => String(Math.floor(Date.parse(at) / 1000)));
  assert.deepEqual(
    posts.map(({ headers }) => headers['webhook-timestamp']),
    seconds,
  );
});

test('a delivery that arrives in the end is not repeated', async (t) => {
  const path = freePath();
  receiver().behave(answer(503), path);
  const dispatcher = maitred().services.webhooks.startDispatcher();
  t.after(() => dispatcher.stop());
  const { subscription, looked } = await failingBooking(path);
  await eventually(async () => (await attemptsAt(subscription)).length === 1);
  time.move({ minutes: 1 });
  await eventually(async () => (await attemptsAt(subscription)).length === 2);
  receiver().behave(answer(204), path);
  time.move({ minutes: 2 });
  await eventually(async () => (await attemptsAt(subscription)).length === 3);
  const finishedAt = now();
  time.move({ hours: 100 });
  await looked();
  assert.equal(subscription.posts().length, 3);
  assert.deepEqual(await deliveriesTo(maitred().sql, subscription), [
    { status: 'delivered', attempts: 3, finishedAt },
  ]);
  assert.deepEqual(
    (await attemptsAt(subscription)).map(({ statusCode, error }) => [statusCode, error]),
    [
      [503, 'status'],
      [503, 'status'],
      [204, null],
    ],
  );
});

/** What a receiver does, and what is written down about it. */
const OUTCOMES: [string, Behaviour, number | null, string | null][] = [
  ['200 with a body', answer(200, {}, '{"ok":false,"error":"no"}'), 200, null],
  ['299', answer(299), 299, null],
  ['a body that breaks off', cutInBody, 200, null],
  ['a body without an end', drip, 200, null],
  ['a body that is far too long', flood(1_000_000), 200, null],
  ['301', redirect('http://127.0.0.1:9/', 301), 301, 'status'],
  ['307', redirect('/hooks/elsewhere'), 307, 'status'],
  ['400', answer(400), 400, 'status'],
  ['401', answer(401), 401, 'status'],
  ['410', answer(410), 410, 'status'],
  ['429', answer(429, { 'retry-after': '1' }), 429, 'status'],
  ['500', answer(500), 500, 'status'],
  ['a reset', reset, null, 'refused'],
  ['a head that breaks off', cutInHead, null, 'refused'],
  ['silence', hang, null, 'timeout'],
];

test('a 2xx delivers whatever its body does, and everything else is a failure', async (t) => {
  const { sql } = maitred();
  const subscriptions: Subscribed[] = [];
  for (const [index, [, behaviour]] of OUTCOMES.entries()) {
    const path = freePath();
    receiver().behave(behaviour, path);
    // Ten subscriptions are the most that a partner may have.
    const subscription = await subscribe(maitred(), receiver(), { path });
    subscriptions.push(subscription);
    if (index % 10 === 9 || index === OUTCOMES.length - 1) {
      await happen(maitred(), time.clock, index);
      await sql`update webhook set partner_id = 2`;
    }
  }
  const dispatcher = await openCourier(maitred(), { clock: time.clock, sender: impatientSender(500) });
  t.after(() => dispatcher.stop());
  for (const [index, [name, , statusCode, error]] of OUTCOMES.entries()) {
    const subscription = subscriptions[index] as Subscribed;
    await eventually(async () => (await attemptsAt(subscription)).length === 1);
    const [attempted] = await attemptsAt(subscription);
    assert.deepEqual([attempted?.statusCode, attempted?.error], [statusCode, error], name);
    const [delivery] = await deliveriesTo(sql, subscription);
    assert.equal(delivery?.status, error === null ? 'delivered' : 'pending', name);
    assert.equal(subscription.posts().length, 1, name);
  }
  assert.equal(
    receiver().received.some(({ path }) => path === '/hooks/elsewhere'),
    false,
  );
});
