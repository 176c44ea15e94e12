import assert from 'node:assert/strict';
import { beforeEach, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NotificationListener, Notifications } from '../../../../src/db/notifications.ts';
import type { DispatcherDeps } from '../../../../src/features/webhooks/delivery/dispatcher.ts';
import { eventually } from '../../../support/eventually.ts';
import { booked } from '../../bookings/support.ts';
import {
  change,
  deliveriesTo,
  deliveringApp,
  freePath,
  happen,
  holding,
  interceptedSql,
  marksOf,
  openCourier,
  type Subscribed,
  subscribe,
  undone,
} from '../delivering.ts';

const { maitred, time, receiver } = deliveringApp({ delivers: false });
beforeEach(() => maitred().sql`delete from webhook`);

async function deliver(t: TestContext, deps: Partial<DispatcherDeps> = {}): Promise<void> {
  const dispatcher = await openCourier(maitred(), { clock: time.clock, ...deps });
  t.after(() => dispatcher.stop());
}

const tell = (mark: string | number) => happen(maitred(), time.clock, mark);
const subscribeHere = () => subscribe(maitred(), receiver());
const deliveries = (subscription: Subscribed) => deliveriesTo(maitred().sql, subscription);

/** Lines of the log, as they are said. */
function memo() {
  const said: string[] = [];
  const note = (_details: object, message: string) => void said.push(message);
  return { said, log: { warn: note, error: note } };
}

test('a booking, its event and the deliveries of it are written by one transaction', async () => {
  const subscription = await subscribeHere();
  const { id } = await booked(maitred());
  const [row] = await maitred().sql`
    select b.xmin::text = e.xmin::text and e.xmin::text = d.xmin::text as "isOne"
    from booking b join event e on e.booking_id = b.id join delivery d on d.event_id = e.id
    where b.id = ${id} and d.webhook_id = ${subscription.webhookId}`;
  assert.equal(row?.isOne, true);
});

const MARKS = Array.from({ length: 300 }, (_, index) => index);

test('two dispatchers side by side deliver everything once', async (t) => {
  const subscriptions = await Promise.all([1, 2, 3].map(subscribeHere));
  await Promise.all([deliver(t), deliver(t)]);
  for (const mark of MARKS) await tell(mark);
  for (const subscription of subscriptions) {
    await eventually(() => subscription.posts().length >= MARKS.length);
    await eventually(async () =>
      (await deliveries(subscription)).every(({ status }) => status === 'delivered'),
    );
    assert.deepEqual(
      marksOf(subscription.posts()).toSorted((a, b) => a - b),
      MARKS,
    );
  }
});

test('dispatchers whose claims are not kept deliver everything more than once', async (t) => {
  const { sql } = maitred();
  const forgetful = interceptedSql(sql, (statement, run) =>
    statement === 'claim' ? undone(sql, run) : run(sql),
  );
  const subscription = await subscribeHere();
  const marks = MARKS.slice(0, 30);
  for (const mark of marks) await tell(mark);
  await Promise.all([deliver(t, { sql: forgetful }), deliver(t, { sql: forgetful })]);
  const times = () => Map.groupBy(marksOf(subscription.posts()), (mark) => mark);
  await eventually(() => marks.every((mark) => (times().get(mark)?.length ?? 0) > 1));
});

test('a subscription that is paused while it is claimed for gets nothing', async (t) => {
  const { sql } = maitred();
  const subscription = await subscribeHere();
  const other = await subscribeHere();
  await tell('too late');
  let isPaused = false;
  const slow = interceptedSql(sql, async (statement, run) => {
    const outcome = await run(sql);
    if (statement === 'claim' && !isPaused) {
      isPaused = true;
      await change(maitred(), subscription, { active: false });
      // Until the dispatcher has heard of it, which nothing outside can see.
      await sleep(200);
    }
    return outcome;
  });
  await deliver(t, { sql: slow });
  await eventually(() => other.posts().length === 1);
  assert.deepEqual(subscription.posts(), []);
  await eventually(
    async () => (await sql`select from delivery where claim is not null and status = 'pending'`).length === 0,
  );
  await change(maitred(), subscription, { active: true });
  await eventually(() => subscription.posts().length === 1);
});

test('what was claimed while the connection for news broke is claimed again, as the subscription is by then', async (t) => {
  const { sql } = maitred();
  const subscription = await subscribeHere();
  await tell('too late');
  const listeners: NotificationListener[] = [];
  const notifications: Notifications = {
    isConnected: () => false,
    subscribe(listener) {
      listeners.push(listener);
      return () => {};
    },
    close: async () => {},
  };
  let claims = 0;
  const cut = interceptedSql(sql, async (statement, run) => {
    const outcome = await run(sql);
    if (statement !== 'claim') return outcome;
    claims += 1;
    if (claims === 1) {
      for (const listener of listeners) listener.lost();
      await change(maitred(), subscription, { active: false });
    }
    return outcome;
  });
  await deliver(t, { sql: cut, notifications });
  await eventually(() => claims > 1);
  await eventually(
    async () => (await sql`select from delivery where claim is not null and status = 'pending'`).length === 0,
  );
  assert.deepEqual(subscription.posts(), []);
});

test('an event that cannot be opened is logged and waits, and keeps nobody else waiting', async (t) => {
  const { sql } = maitred();
  const subscription = await subscribeHere();
  await tell('broken');
  await sql`update event set body = set_byte(body, length(body) - 1, (get_byte(body, length(body) - 1) + 1) % 256)
    where id = (select event_id from delivery where webhook_id = ${subscription.webhookId})`;
  await tell('sound');
  const { said, log } = memo();
  await deliver(t, { log });
  await eventually(() => subscription.posts().length === 1 && said.length === 1);
  await tell('later');
  await eventually(() => subscription.posts().length === 2);
  assert.deepEqual(marksOf(subscription.posts()), ['sound', 'later']);
  assert.deepEqual(said, ['A delivery could not be read, and is tried again later.']);
});

test('an event whose guest was forgotten meanwhile is not sent', async (t) => {
  const { sql } = maitred();
  const subscription = await subscribeHere();
  await tell('forgotten');
  await sql`update event set body = null
    where id = (select event_id from delivery where webhook_id = ${subscription.webhookId})`;
  await tell('remembered');
  await deliver(t);
  await eventually(() => subscription.posts().length === 1);
  await eventually(async () => (await deliveries(subscription)).every(({ status }) => status !== 'pending'));
  assert.deepEqual(marksOf(subscription.posts()), ['remembered']);
  assert.deepEqual((await deliveries(subscription)).map(({ status }) => status).toSorted(), [
    'delivered',
    'dropped',
  ]);
});

test('what waited too long in a dispatcher is left to whoever comes when its lease has ended', async (t) => {
  const { sql } = maitred();
  const subscription = await subscribeHere();
  await tell('late');
  let claims = 0;
  const slow = interceptedSql(sql, async (statement, run) => {
    const outcome = await run(sql);
    if (statement === 'claim') claims += 1;
    if (claims === 1) time.move({ seconds: 16 });
    return outcome;
  });
  await deliver(t, { sql: slow });
  await eventually(() => claims > 2);
  assert.deepEqual(subscription.posts(), []);
  time.move({ seconds: 14 });
  await eventually(() => subscription.posts().length === 1);
});

test('an attempt that ends when its lease has is not written over what the next claimant does', async (t) => {
  const path = freePath();
  const gate = holding();
  receiver().behave(gate.behaviour, path);
  const subscription = await subscribe(maitred(), receiver(), { path });
  await tell('slow');
  await deliver(t);
  await eventually(() => gate.held.length === 1);
  time.move({ seconds: 30 });
  await deliver(t);
  await eventually(() => gate.held.length === 2);
  gate.held[0]?.writeHead(500).end();
  const probe = await subscribeHere();
  await tell('probe');
  await eventually(async () => (await deliveries(probe))[0]?.status === 'delivered');
  assert.deepEqual(await deliveries(subscription), [
    { status: 'pending', attempts: 0, finishedAt: null },
    { status: 'pending', attempts: 0, finishedAt: null },
  ]);
  for (const response of gate.held.slice(1)) response.writeHead(204).end();
  await eventually(async () =>
    (await deliveries(subscription)).every(({ status }) => status === 'delivered'),
  );
});

test('a database that fails for a moment delays deliveries, and an attempt that could not be written down is', async (t) => {
  const { sql } = maitred();
  const subscription = await subscribeHere();
  await tell('patient');
  const failures = { claim: 2, record: 2, other: 0 };
  const flaky = interceptedSql(sql, async (statement, run) => {
    if (failures[statement] === 0) return run(sql);
    failures[statement] -= 1;
    throw new Error('The database is away.');
  });
  const { said, log } = memo();
  await deliver(t, { sql: flaky, log });
  await eventually(async () => (await deliveries(subscription))[0]?.status === 'delivered');
  assert.equal(subscription.posts().length, 1);
  assert.deepEqual(said, [
    ...Array(2).fill('Deliveries could not be claimed.'),
    ...Array(2).fill('Attempts to deliver could not be written down.'),
  ]);
});

test('a dispatcher whose connection for news broke still delivers', async (t) => {
  const { sql } = maitred();
  const subscription = await subscribeHere();
  await deliver(t);
  await tell('heard');
  await eventually(() => subscription.posts().length === 1);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'maitred notifications' and datname = current_database()`;
  await tell('looked up');
  await eventually(() => subscription.posts().length === 2);
});
