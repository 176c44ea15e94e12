import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { openNotifications } from '../../../src/db/notifications.ts';
import { startJobs } from '../../../src/jobs/jobs.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import { createServices } from '../../../src/services.ts';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { createRemote } from '../../support/remote-tms/connector.ts';
import { type Body, booked } from '../bookings/support.ts';

let maitred: TestApp;
const connectors = [createRemote('http://127.0.0.1:9', 'dead')];
before(async () => {
  maitred = await startTestApp({ config: { webhookAllowLoopback: true }, deps: { connectors } });
});
after(() => maitred.close());

async function health(): Promise<Body> {
  const { status, json, text } = await maitred.call('/manage/health', { as: 'demo-admin' });
  assert.equal(status, 200, text);
  return json;
}

test('everything is found out on a database that has just been made', async () => {
  const { at, missing, database, nodes, queues, mails, webhooks, systems } = await health();
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000);
  assert.deepEqual([missing, nodes, queues], [[], [], []]);
  assert.ok(database.latencyMs >= 0 && database.sizeBytes > 1_000_000);
  assert.ok(database.connections >= 1 && database.maxConnections >= database.connections);
  assert.deepEqual(mails, { waiting: 0, retrying: 0, oldestDueAt: null });
  assert.deepEqual(webhooks, { waiting: 0, oldestDueAt: null, failing: [] });
  assert.deepEqual(systems, [{ tms: 'dead', isResting: false, restingOn: 0 }]);
});

test('operators, partners and their people are not shown it', async () => {
  for (const as of ['demo-operator', 'demo-partner'])
    assertProblem(await maitred.call('/manage/health', { as }), 403, 'USER-N-009');
});

/** Another node of the same database, as far as its heart is concerned. */
async function secondNode() {
  const notifications = await openNotifications(maitred.url);
  const services = await createServices({
    config: { ...readConfig({ LOG_LEVEL: 'silent' }), role: 'worker' },
    sql: maitred.sql,
    notifications,
    encryptionKeys: createKeyring([Buffer.alloc(32, 7)]),
    clock: systemClock,
  });
  const heartbeat = services.health.startHeartbeat();
  return {
    async stop() {
      await heartbeat.stop();
      await notifications.close();
    },
  };
}

test('two nodes are there while they run; one that dies is seen to be silent, one that stops is gone', async () => {
  const first = maitred.services.health.startHeartbeat();
  const second = await secondNode();
  await eventually(async () => (await health()).nodes.length === 2);
  const { nodes } = await health();
  assert.deepEqual(nodes.map(({ role, isUp }: Body) => [role, isUp]).toSorted(), [
    ['all', true],
    ['worker', true],
  ]);
  assert.match(nodes[0].version, /^\d+\.\d+\.\d+/);
  await second.stop();
  assert.deepEqual(
    (await health()).nodes.map(({ role }: Body) => role),
    ['all'],
  );
  await maitred.sql`insert into node select gen_random_uuid(), 'lost', role, version, started_at,
    now() - interval '1 minute', array['dead'] from node`;
  const after = await health();
  assert.deepEqual(after.nodes.map(({ host, isUp }: Body) => host === 'lost' && !isUp).toSorted(), [
    false,
    true,
  ]);
  assert.equal(after.systems[0].isResting, false, 'what a dead node thought does not count');
  await maitred.sql`update node set seen_at = now() where host = 'lost'`;
  assert.deepEqual((await health()).systems, [{ tms: 'dead', isResting: true, restingOn: 1 }]);
  await first.stop();
});

test('deliveries that wait and receivers that fail are counted', async () => {
  const body = { callbackUrl: 'http://127.0.0.1:9/hook', label: 'Till' };
  const made = await maitred.call('/webhooks/subscriptions', { method: 'POST', body });
  assert.equal(made.status, 201, made.text);
  await booked(maitred);
  const before = await health();
  assert.equal(before.webhooks.waiting, 1);
  assert.ok(before.webhooks.oldestDueAt !== null);
  assert.deepEqual(before.webhooks.failing, []);
  const dispatcher = maitred.services.webhooks.startDispatcher();
  const { webhookId } = made.json;
  await eventually(async () => (await health()).webhooks.failing.length === 1);
  await dispatcher.stop();
  const { webhooks } = await health();
  assert.deepEqual(webhooks.failing, [
    { webhookId, partnerId: 1, operatorId: null, label: 'Till', retrying: 1 },
  ]);
  await maitred.call(`/webhooks/subscriptions/${webhookId}`, { method: 'PUT', body: { active: false } });
  assert.deepEqual((await health()).webhooks, { waiting: 0, oldestDueAt: null, failing: [] });
});

test('mails that wait and feeds that are behind are counted', async () => {
  const invite = { email: 'ada@lamp.example', role: 'staff' };
  const made = await maitred.call('/manage/operators/1/invites', {
    method: 'POST',
    as: 'demo-operator',
    body: invite,
  });
  assert.equal(made.status, 201, made.text);
  const { mails, feeds } = await health();
  assert.equal(mails.waiting, 1);
  assert.ok(feeds.venues > 40 && feeds.behind === feeds.venues && feeds.failing === 0);
});

test('queues of jobs are there once a worker has started', async () => {
  const job = { name: 'health.test', schedule: '0 0 1 1 *', handle: async () => {} };
  const logger = { warn() {}, error() {} };
  const jobs = await startJobs({ url: maitred.url, logger, jobs: [job] });
  await jobs.stop();
  await maitred.sql`
    insert into jobs.job (name, start_after) values ('health.test', now() - interval '1 hour')`;
  const { queues } = await health();
  const [queue] = queues;
  assert.equal(queues.length, 1);
  assert.deepEqual([queue.name, queue.waiting, queue.failed], ['health.test', 1, 0]);
  assert.ok(Date.now() - Date.parse(queue.oldestDueAt) > 3_500_000);
});

test('a part that does not answer in time is named, and the others are shown', async () => {
  await maitred.sql.begin(async (tx) => {
    await tx`lock table mail in access exclusive mode`;
    const { missing, mails, nodes, database } = await health();
    assert.deepEqual([missing, mails], [['mails'], null]);
    assert.ok(nodes && database);
  });
});
