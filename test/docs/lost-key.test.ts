import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openNotifications } from '../../src/db/notifications.ts';
import { createIdentity } from '../../src/features/identity/service.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createKeyring, seal } from '../../src/kernel/crypto.ts';
import { booked, PRIVATE } from '../features/bookings/support.ts';
import { ordered } from '../features/orders/support.ts';
import { type Answer, type CallOptions, startTestApp, type TestApp } from '../support/app.ts';
import { createRemote } from '../support/remote-tms/connector.ts';
import { blocksOf } from './blocks.ts';

const LOST = createKeyring([Buffer.alloc(32, 7)]);
const HEADER_BYTES = 5;

/** It takes credentials as they are. */
const { checkAccount: _, ...trusting } = createRemote('http://127.0.0.1:9', 'trusting');

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp({
    config: { environment: 'staging', webhookAllowLoopback: true },
    deps: {
      encryptionKeys: LOST,
      connectors: [trusting],
    },
  });
});
after(() => maitred.close());

/** Which columns hold anything that only the lost key opens. */
async function sealedColumns(): Promise<string[]> {
  const { sql } = maitred;
  const header = seal(LOST, '', 'any').subarray(0, HEADER_BYTES);
  const columns = await sql<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea'
      and table_name not in (select inhrelid::regclass::text from pg_inherits) order by table_name, column_name`;
  const found: string[] = [];
  for (const { table, column } of columns) {
    const [row] = await sql`
      select count(*) from ${sql(table)} where substring(${sql(column)} from 1 for ${HEADER_BYTES}) = ${header}`;
    if (row?.count > 0) found.push(`${table}.${column}`);
  }
  return found;
}

async function made(path: string, options: CallOptions): Promise<Answer> {
  const answer = await maitred.call(path, { method: 'POST', ...options });
  assert.ok(answer.status === 200 || answer.status === 201, answer.text);
  return answer;
}

/** Something of everything that is sealed. */
async function fill(): Promise<{ bookingId: string; orderId: string }> {
  const hook = { callbackUrl: 'http://127.0.0.1:9/hook' };
  const { webhookId } = (await made('/webhooks/subscriptions', { body: hook })).json;
  await made(`/webhooks/subscriptions/${webhookId}/secret`, {});
  const booking = await booked(maitred, {}, { headers: { 'idempotency-key': 'once' } });
  const said = { text: 'See you.', replyTo: null };
  await made(`/manage/operators/1/bookings/${booking.id}/messages`, { as: 'demo-operator', body: said });
  const { orderId } = await ordered(maitred, [
    { compositeId: PRIVATE, quantity: 10, spaceId: 4711, date: booking.date, time: '19:00' },
  ]);
  await maitred.sql`update booking_order_item set status = 'waiting', error_code = null`;
  await maitred.sql`
    insert into delivery_attempt (delivery_id, number, started_at, duration_ms, status_code, answer)
    select id, 1, now(), 1, 500, ${seal(LOST, 'No.', 'any')} from delivery limit 1`;
  await made('/manage/operators/1/invites', {
    as: 'demo-operator',
    body: { email: 'ada@lamp.example', role: 'staff' },
  });
  const system = '/manage/operators/1/systems/trusting';
  await made(system, { method: 'PUT', as: 'demo-admin', body: {} });
  await made(`${system}/credentials`, { as: 'demo-admin', body: { fields: { key: 'k' } } });
  return { bookingId: booking.id, orderId };
}

test('after a lost key nothing is left that only it opens, and all else can be read', async () => {
  const { bookingId, orderId } = await fill();
  assert.deepEqual(await sealedColumns(), [
    'booking.guest',
    'booking_message.content',
    'booking_order_item.content',
    'delivery_attempt.answer',
    'event.body',
    'idempotency_key.answer',
    'mail.sealed',
    'operator_credentials.fields',
    'signing_key.private_jwk',
    'webhook.previous_secret',
    'webhook.secret',
  ]);
  const cure = blocksOf('docs/operating.md').find(({ text }) => text.startsWith('delete from signing_key;'));
  await maitred.sql.unsafe(cure?.text ?? assert.fail('the paper no longer says what to do'));
  assert.deepEqual(await sealedColumns(), []);
  const pending = await maitred.sql`select from delivery where status = 'pending'`;
  assert.equal(pending.length, 0);

  const notifications = await openNotifications(maitred.url);
  const config = { publicUrl: 'http://127.0.0.1:3000', audience: 'maitred' };
  const encryptionKeys = createKeyring([Buffer.alloc(32, 8)]);
  const { sql } = maitred;
  const identity = await createIdentity({ config, sql, encryptionKeys, clock: systemClock, notifications });
  const { access_token: token } = await identity.issueToken({
    body: { grant_type: 'client_credentials', audience: 'maitred' },
    authorization: `Basic ${Buffer.from('demo-partner:demo-partner-secret').toString('base64')}`,
    remoteAddress: '192.0.2.1',
  });
  await notifications.close();
  const read = (path: string) =>
    maitred.call(path, { as: null, headers: { authorization: `Bearer ${token}` } });
  const booking = await read(`/venues/bookings/${bookingId}`);
  assert.deepEqual([booking.status, booking.json.firstName], [200, null], booking.text);
  const { items } = (await read(`/v1/orders/${orderId}`)).json;
  assert.deepEqual([items[0].status, items[0].error.code], ['failed', 'BOOK-R-002']);
});
