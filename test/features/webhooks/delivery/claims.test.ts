import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { inTransaction } from '../../../../src/db/database.ts';
import { claimDue } from '../../../../src/features/webhooks/delivery/store.ts';
import { callNow } from '../../bookings/amend/amending.ts';
import { change, deliveringApp, happen, subscribe } from '../delivering.ts';

const WAITING = 5000;
const FEW = 100;

const { maitred, time, receiver } = deliveringApp({ delivers: false });

/** What a dispatcher with nothing to do claims, and how many rows of deliveries were read for that. */
function claim(): Promise<{ ids: string[]; undeliverable: string[]; rowsRead: number }> {
  return inTransaction(maitred().sql, async (tx) => {
    const now = time.clock();
    const { deliveries, undeliverable } = await claimDue(tx, {
      claim: randomUUID(),
      now,
      leaseUntil: now.add({ seconds: 30 }),
      room: WAITING,
      roomEach: WAITING,
      rooms: new Map(),
    });
    const [{ rowsRead }] = await tx<[{ rowsRead: number }]>`
      select sum(seq_tup_read + idx_tup_fetch)::int as "rowsRead" from pg_stat_xact_user_tables
      join pg_inherits on inhrelid = relid where inhparent = 'delivery'::regclass`;
    return { ids: deliveries.map(({ id }) => id), undeliverable, rowsRead };
  });
}

test('what waits for a paused subscription is not looked through by every claim, and its replays are found', async () => {
  const { sql } = maitred();
  const paused = await subscribe(maitred(), receiver());
  await happen(maitred(), time.clock, 'waits');
  await sql`
    insert into delivery (id, event_id, webhook_id, partner_id, due_at, created_at)
    select gen_random_uuid(), event_id, webhook_id, partner_id, due_at, created_at
    from delivery, generate_series(1, ${WAITING - 1})`;
  await sql`analyze delivery`;
  await change(maitred(), paused, { active: false });
  const idle = await claim();
  assert.deepEqual(idle.ids, []);
  assert.ok(idle.rowsRead < FEW, `${idle.rowsRead} rows were read`);

  const body = { since: time.clock().subtract({ hours: 1 }).toString() };
  const path = `/webhooks/subscriptions/${paused.webhookId}/replay`;
  assert.equal((await callNow(maitred(), path, { method: 'POST', body })).status, 202);
  const [replay] = await sql<{ id: string }[]>`select id from delivery where is_replay`;
  assert.deepEqual((await claim()).ids, [replay?.id]);

  await change(maitred(), paused, { active: true });
  const { ids, rowsRead } = await claim();
  assert.equal(ids.length, WAITING);
  assert.ok(rowsRead >= WAITING, 'and it would show');
});

test('a delivery whose event is gone is claimed as one that cannot be made', async () => {
  const { sql } = maitred();
  await sql`delete from delivery`;
  await happen(maitred(), time.clock, 'is lost');
  const [left] = await sql<{ id: string; eventId: string }[]>`select id, event_id as "eventId" from delivery`;
  await sql`delete from event where id = ${left?.eventId ?? ''}`;
  const { ids, undeliverable } = await claim();
  assert.deepEqual([ids, undeliverable], [[], [left?.id]]);
});
