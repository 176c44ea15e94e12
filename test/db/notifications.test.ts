import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Notifications, openNotifications } from '../../src/db/notifications.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import { eventually } from '../support/eventually.ts';

let database: TestDatabase;

before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

/** What a subscriber was told, in order, with a way to wait for it. */
function record(notifications: Notifications) {
  const events: string[] = [];
  const unsubscribe = notifications.subscribe({
    changed: (topic) => events.push(topic),
    lost: () => events.push(notifications.isConnected() ? 'lost while connected' : 'lost'),
  });
  return { events, unsubscribe };
}

function notify(topic: string) {
  return database.sql`select pg_notify('changed', ${topic})`;
}

function cutConnection() {
  return database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'maitred notifications' and datname = current_database()`;
}

test('a topic reaches every subscriber, and none after it has left', async () => {
  const notifications = await openNotifications(database.url);
  const [stays, leaves] = [record(notifications), record(notifications)];
  await notify('venue:1|house|soho-grill');
  await eventually(() => stays.events.length === 1 && leaves.events.length === 1);
  leaves.unsubscribe();
  await notify('identity');
  await eventually(() => stays.events.length === 2);
  assert.deepEqual(stays.events, ['venue:1|house|soho-grill', 'identity']);
  assert.deepEqual(leaves.events, ['venue:1|house|soho-grill']);
  await notifications.close();
  assert.equal(notifications.isConnected(), false);
});

test('one subscriber that throws does not keep others from hearing', async () => {
  const notifications = await openNotifications(database.url);
  notifications.subscribe({
    changed() {
      throw new Error('on purpose');
    },
    lost: () => {},
  });
  const { events } = record(notifications);
  await notify('mapping:7');
  await eventually(() => events.length === 1);
  await notifications.close();
});

test('a broken connection is reported at once and again when it is back', async () => {
  const notifications = await openNotifications(database.url);
  const { events } = record(notifications);
  await cutConnection();
  await eventually(() => events.length === 1);
  assert.equal(notifications.isConnected(), false);
  await eventually(() => notifications.isConnected());
  // Both reports come while nothing may be trusted, so that a cache is empty before it is used again.
  assert.deepEqual(events, ['lost', 'lost']);
  await notify('after');
  await eventually(() => events.includes('after'));
  await notifications.close();
});

test('closing while the database is away gives up for good', async () => {
  const notifications = await openNotifications(database.url);
  const { events } = record(notifications);
  await cutConnection();
  await eventually(() => events.length === 1);
  await notifications.close();
  await sleep(300);
  assert.equal(notifications.isConnected(), false);
  const rows =
    await database.sql`select 1 from pg_stat_activity where application_name = 'maitred notifications'
    and datname = current_database()`;
  assert.equal(rows.length, 0);
});

test('a connection that has gone silent counts as broken', async (t) => {
  const tunnel = await openTunnel(database.url);
  t.after(() => tunnel.close());
  const notifications = await openNotifications(tunnel.url, { heartbeatMs: 100 });
  const { events } = record(notifications);
  await sleep(350);
  assert.deepEqual(events, []);
  tunnel.swallow();
  await eventually(() => events.length >= 1);
  assert.equal(events[0], 'lost');
  await eventually(() => notifications.isConnected());
  await notifications.close();
});

test('a connection that goes silent before it listens is given up, and another is made', async (t) => {
  const tunnel = await openTunnel(database.url);
  t.after(() => tunnel.close());
  const notifications = await openNotifications(tunnel.url);
  const { events } = record(notifications);
  tunnel.swallowAfter('listen changed');
  await cutConnection();
  await eventually(() => tunnel.swallowed() === 1);
  await eventually(() => notifications.isConnected());
  await notify('after');
  await eventually(() => events.includes('after'));
  await notifications.close();
});

/** A way to the database that can go dark without closing: what a dropped route looks like. */
async function openTunnel(target: string) {
  const { hostname, port } = new URL(target);
  const pairs: [Socket, Socket][] = [];
  let fatal: string | undefined;
  let swallowed = 0;
  const goDark = ([near, far]: [Socket, Socket]) => {
    near.unpipe(far);
    far.unpipe(near);
    near.resume();
    far.resume();
  };
  const server = createServer((near) => {
    const far = connectSocket(Number(port), hostname);
    const pair: [Socket, Socket] = [near, far];
    near.on('data', (sent: Buffer) => {
      if (fatal === undefined || !sent.includes(fatal)) return;
      fatal = undefined;
      swallowed += 1;
      goDark(pair);
    });
    near.pipe(far);
    far.pipe(near);
    for (const socket of pair) socket.on('error', () => {});
    pairs.push(pair);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    swallow: () => pairs.forEach(goDark),
    /** The next connection on which this is said goes dark with it, that one alone. */
    swallowAfter(statement: string) {
      fatal = statement;
    },
    swallowed: () => swallowed,
    close() {
      for (const socket of pairs.flat()) socket.destroy();
      server.close();
    },
  };
}
