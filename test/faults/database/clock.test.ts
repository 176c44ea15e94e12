import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { DINNER, freeDay, guest } from '../../features/bookings/support.ts';
import { createTestDatabase } from '../../support/databases/database.ts';
import { eventually } from '../../support/eventually.ts';
import { answer, startReceiver } from '../../support/peers/receiver.ts';
import { startMortalNode, tokenFrom } from '../booking-clients.ts';

const AHEAD = join(import.meta.dirname, 'clock-ahead.ts');
/** How far a receiver lets the timestamp of a webhook be from its own time. */
const WINDOW_SECONDS = 300;

test('a node whose machine is fifty minutes ahead says so, and works by the clock of the database', async (t) => {
  const database = await createTestDatabase({ hasDemo: true });
  t.after(() => database.drop());
  const receiver = await startReceiver({ behaviour: answer(500) });
  t.after(() => receiver.close());
  const env = { WEBHOOK_ALLOW_LOOPBACK: 'true', NODE_OPTIONS: `--import=${AHEAD}` };
  const node = await startMortalNode(database.url, env);
  t.after(async () => {
    node.child.kill();
    await node.exit;
  });

  const ready = await fetch(`${node.address}/health/ready`);
  assert.equal(ready.status, 503);
  const { detail, checks } = (await ready.json()) as { detail: string; checks: object };
  assert.equal(detail, "Not ready: clock. The clock of this node is 3000 s ahead of the database's.");
  assert.deepEqual(checks, {
    database: true,
    writes: true,
    notifications: true,
    clock: false,
    staying: true,
  });

  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${await tokenFrom(node.address)}`,
  };
  const post = async (path: string, body: object) => {
    const response = await fetch(node.address + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 201, await response.text());
  };
  await post('/webhooks/subscriptions', { callbackUrl: receiver.url });
  const dinner = { ...guest, date: freeDay(), time: '19:00' };
  await post(`/venues/${encodeURIComponent(DINNER)}/booking`, dinner);

  await eventually(() => receiver.received.length > 0);
  const stamped = Number(receiver.received[0]?.headers['webhook-timestamp']);
  assert.ok(Math.abs(Date.now() / 1000 - stamped) < WINDOW_SECONDS);
  const { sql } = database;
  await eventually(async () => (await sql`select from delivery_attempt`).length > 0);
  const [row] = await sql`
    select d.created_at <= clock_timestamp() + interval '5 seconds' as "isMadeNow",
      d.due_at between d.created_at and clock_timestamp() + interval '65 seconds' as "isRetriedInAMinute",
      (select max(b.created_at) <= clock_timestamp() + interval '5 seconds' from booking b) as "isBookedNow"
    from delivery d`;
  assert.deepEqual({ ...row }, { isMadeNow: true, isRetriedInAMinute: true, isBookedNow: true });
});
