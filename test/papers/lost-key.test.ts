/** What docs/operating.md says about a key that was lost: after it nothing is left that no key opens. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Sql } from '../../src/db/database.ts';
import { seal } from '../../src/kernel/crypto.ts';
import { startSecondNode } from '../abuse/support/second-node.ts';
import { BRUNCH, DINNER, freeDay, guest } from '../features/bookings/support.ts';
import { type CallOptions, startTestApp, type TestApp } from '../support/app.ts';
import { readPaper } from './blocks.ts';

const LOST = Buffer.alloc(32, 7);
const NEW = Buffer.alloc(32, 8);

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp({ config: { webhookAllowLoopback: true } });
});
after(() => maitred.close());

async function post(path: string, body: object, options: CallOptions = {}) {
  const answer = await maitred.call(path, { method: 'POST', body, ...options });
  assert.ok(answer.status < 300, answer.text);
  return answer.json;
}

/** The tables that hold something sealed with this key. */
async function tablesSealedWith(key: Buffer, sql: Sql): Promise<string[]> {
  const mark = seal(key, '', 'anything').subarray(0, 5);
  const columns = await sql<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' order by 1, 2`;
  const found = await Promise.all(
    columns.map(async ({ table, column }) => {
      const rows = await sql`select from ${sql(table)} where substr(${sql(column)}, 1, 5) = ${mark} limit 1`;
      return rows.length > 0 ? [table] : [];
    }),
  );
  return found.flat();
}

function statementsOf(paper: string): string {
  const [, statements] = /After losing it: stop all nodes, `([^`]+)`/.exec(readPaper(paper)) ?? [];
  return statements ?? assert.fail(`${paper} no longer says what to do.`);
}

test('after a key is lost the node starts with another, and serves what is left', async () => {
  const { sql } = maitred;
  const day = freeDay();
  const headers = { 'idempotency-key': 'before the loss' };
  const venue = encodeURIComponent(DINNER);
  const body = { ...guest, date: day, time: '19:00' };
  const booking = await post(`/venues/${venue}/booking`, body, { headers });
  const order = await post('/v1/orders', {
    firstName: 'Ada',
    lastName: 'Lovelace',
    items: [
      { compositeId: DINNER, quantity: 2, date: day, time: '20:00' },
      { compositeId: BRUNCH, quantity: 2, date: day, time: '11:00', company: 'Nobody of that name' },
    ],
  });
  assert.equal(order.status, 'partial');
  const atDesk = { as: 'demo-operator' };
  const message = { text: 'Until then.', replyTo: 'desk@soho-grill.example' };
  await post(`/manage/operators/1/bookings/${booking.id}/messages`, message, atDesk);
  await post('/manage/operators/1/invites', { email: 'new@lamp.example', role: 'staff' }, atDesk);
  await post('/webhooks/subscriptions', { callbackUrl: 'http://127.0.0.1:9/hook' });
  await post(`/venues/${venue}/booking`, { ...body, time: '20:30' });
  await sql`
    insert into operator_credentials (operator_id, tms, field_names, fields, created_at, updated_at)
    values (1, 'house', '{key}', ${seal(LOST, '{"key":"x"}', 'credentials')}, now(), now())`;
  assert.deepEqual(await tablesSealedWith(LOST, sql), [
    'booking',
    'booking_message',
    'booking_order_item',
    'event',
    'idempotency_key',
    'mail',
    'operator_credentials',
    'signing_key',
    'webhook',
  ]);
  await assert.rejects(startSecondNode(maitred, { encryptionKey: NEW }), /is not the key that the secrets/);

  await sql.unsafe(statementsOf('docs/operating.md'));
  assert.deepEqual(await tablesSealedWith(LOST, sql), []);
  const pending = await sql`select from delivery where status = 'pending'`;
  assert.equal(pending.length, 0);

  const node = await startSecondNode(maitred, { encryptionKey: NEW });
  try {
    const { access_token: token } = (
      await node.app.inject({
        method: 'POST',
        url: '/oauth/token',
        payload: {
          grant_type: 'client_credentials',
          client_id: 'demo-partner',
          client_secret: 'demo-partner-secret',
          audience: 'maitred',
        },
      })
    ).json();
    const authorization = `Bearer ${token}`;
    const read = await node.app.inject({
      url: `/venues/bookings/${booking.id}`,
      headers: { authorization },
    });
    assert.equal(read.statusCode, 200, read.body);
    assert.equal(read.json().operatorBookingId, booking.operatorBookingId);
    const cancelled = await node.app.inject({
      method: 'DELETE',
      url: `/v1/orders/${order.orderId}`,
      headers: { authorization },
    });
    assert.equal(cancelled.statusCode, 200, cancelled.body);
  } finally {
    await node.close();
  }
});
