/** What waits in the background, as whoever is on call sees it at /metrics. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { booked } from '../../features/bookings/support.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { metricOf } from '../../support/metrics.ts';
import { createRemote } from '../../support/remote-tms/connector.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp({
    config: { webhookAllowLoopback: true },
    // Nobody listens on that port, so every call fails at once.
    deps: { connectors: [createRemote('http://127.0.0.1:1', 'faraway')] },
  });
});
after(() => maitred.close());

const sample = (name: string) => metricOf(maitred, name);

const BACKLOG = [
  'webhook_deliveries_waiting',
  'webhook_deliveries_overdue_seconds',
  'mails_waiting',
  'booking_intents_open',
  'booking_intents_oldest_seconds',
  'feed_oldest_index_seconds',
];

async function subscribe(path: string): Promise<string> {
  const { json } = await maitred.call('/webhooks/subscriptions', {
    method: 'POST',
    body: { callbackUrl: `http://127.0.0.1:9/${path}` },
  });
  return json.webhookId;
}

test('nothing waits where nothing has happened', async () => {
  for (const name of BACKLOG) assert.equal(await sample(name), 0, name);
});

test('deliveries wait until they are made, and those of paused subscriptions do not count', async () => {
  const { sql } = maitred;
  await subscribe('one');
  const other = await subscribe('other');
  await booked(maitred);
  assert.equal(await sample('webhook_deliveries_waiting'), 2);
  const sinceMade = (await sample('webhook_deliveries_overdue_seconds')) ?? Infinity;
  assert.ok(sinceMade < 30, `${sinceMade} seconds, and it has just happened`);
  await sql`update delivery set created_at = now() - interval '90 seconds', due_at = now() - interval '90 seconds'
    where webhook_id = ${other}`;
  const overdue = (await sample('webhook_deliveries_overdue_seconds')) ?? 0;
  assert.ok(overdue >= 90 && overdue < 180, String(overdue));
  await maitred.call(`/webhooks/subscriptions/${other}`, { method: 'PUT', body: { active: false } });
  assert.equal(await sample('webhook_deliveries_waiting'), 1);
  await sql`update delivery set due_at = now() + interval '1 minute'`;
  assert.equal(await sample('webhook_deliveries_overdue_seconds'), 0, 'a retry that is not due yet');
  await sql`update delivery set status = 'delivered'`;
  assert.equal(await sample('webhook_deliveries_waiting'), 0);
});

test('mails wait until they are sent', async () => {
  const body = { email: 'new@lamp.example', role: 'staff' };
  const invited = await maitred.call('/manage/operators/1/invites', {
    method: 'POST',
    as: 'demo-operator',
    body,
  });
  assert.equal(invited.status, 201, invited.text);
  assert.equal(await sample('mails_waiting'), 1);
  await maitred.sql`delete from mail`;
  assert.equal(await sample('mails_waiting'), 0);
});

test('a call to a system is open once nobody is at work on it, and as old as it is', async () => {
  const { sql } = maitred;
  await sql`
    insert into booking_intent (booking_id, tms, partner_id, client_id, fingerprint, lease, leased_until,
      next_check_at, created_at)
    values (gen_random_uuid(), 'faraway', 1, 'demo-partner', '', gen_random_uuid(), now() + interval '1 minute',
      now(), now() - interval '1 hour')`;
  assert.equal(await sample('booking_intents_open'), 0, 'the caller is still waiting for its answer');
  await sql`update booking_intent set leased_until = '-infinity'`;
  assert.equal(await sample('booking_intents_open'), 1);
  const age = (await sample('booking_intents_oldest_seconds')) ?? 0;
  assert.ok(age >= 3600 && age < 3700, String(age));
});

test('the breaker of a system that fails is open, and closed before', async () => {
  const OPEN = 'tms_breaker_open{tms="faraway"}';
  assert.equal(await sample(OPEN), 0);
  const [system] = maitred.services.remoteSystems;
  for (let call = 0; call < 5; call++)
    await system?.find({ operatorId: 1, signal: new AbortController().signal, deadlineMs: 1000 }, 'anything');
  assert.equal(await sample(OPEN), 1);
});

test('without the database there are no values rather than old ones, and the rest is told', async () => {
  await maitred.sql.end();
  for (const name of BACKLOG) assert.equal(await sample(name), undefined, name);
  assert.equal(await sample('tms_breaker_open{tms="faraway"}'), 1);
  assert.ok(((await sample('process_start_time_seconds')) ?? 0) > 0);
});
