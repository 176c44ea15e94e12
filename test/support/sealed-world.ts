/** Something of everything that is sealed in the database, made through HTTP as far as possible. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Sql } from '../../src/db/database.ts';
import { type Keyring, seal } from '../../src/kernel/crypto.ts';
import { booked, DINNER, freeDay, PRIVATE } from '../features/bookings/support.ts';
import { ordered } from '../features/orders/support.ts';
import { joined } from '../features/waitlist/support.ts';
import type { Answer, CallOptions, TestApp } from './app.ts';
import { createRemote } from './remote-tms/connector.ts';

/** It takes credentials as they are. */
const { checkAccount: _, ...trusting } = createRemote('http://127.0.0.1:9', 'trusting');

/** What an application needs so that it can be filled. */
export const sealedWorld = {
  config: { environment: 'staging', webhookAllowLoopback: true },
  connectors: [trusting],
} as const;

/** Which columns hold anything that was sealed with the first of these keys. */
export async function columnsSealedWith(sql: Sql, { first: { header } }: Keyring): Promise<string[]> {
  const columns = await sql<{ table: string; column: string }[]>`
    select c.table_name as table, c.column_name as column from information_schema.columns c
    join pg_class r on r.oid = c.table_name::regclass and not r.relispartition
    where c.table_schema = 'public' and c.data_type = 'bytea' order by c.table_name, c.column_name`;
  const found: string[] = [];
  for (const { table, column } of columns) {
    const [row] = await sql`
      select count(*) from ${sql(table)}
      where substring(${sql(column)} from 1 for ${header.length}) = ${header}`;
    if (row?.count > 0) found.push(`${table}.${column}`);
  }
  return found;
}

async function made(maitred: TestApp, path: string, options: CallOptions): Promise<Answer> {
  const answer = await maitred.call(path, { method: 'POST', ...options });
  assert.ok(answer.status >= 200 && answer.status < 300, answer.text);
  return answer;
}

export interface Filled {
  bookingId: string;
  orderId: string;
  webhookId: string;
  waitingId: string;
  closureId: string;
}

export async function fillSealed(maitred: TestApp): Promise<Filled> {
  const { sql } = maitred;
  const hook = { callbackUrl: 'http://127.0.0.1:9/hook' };
  const { webhookId } = (await made(maitred, '/webhooks/subscriptions', { body: hook })).json;
  await made(maitred, `/webhooks/subscriptions/${webhookId}/secret`, {});
  const booking = await booked(maitred, {}, { headers: { 'idempotency-key': 'once' } });
  const said = { text: 'See you.', replyTo: null };
  const path = `/manage/operators/1/bookings/${booking.id}/messages`;
  await made(maitred, path, { as: 'demo-operator', body: said });
  const { orderId } = await ordered(maitred, [
    { compositeId: PRIVATE, quantity: 10, spaceId: 4711, date: booking.date, time: '19:00' },
  ]);
  await sql`update booking_order_item set status = 'waiting', error_code = null`;
  const invite = { email: 'ada@lamp.example', role: 'staff' };
  await made(maitred, '/manage/operators/1/invites', { as: 'demo-operator', body: invite });
  const system = '/manage/operators/1/systems/trusting';
  await made(maitred, system, { method: 'PUT', as: 'demo-admin', body: {} });
  await made(maitred, `${system}/credentials`, { as: 'demo-admin', body: { fields: { key: 'k' } } });
  await writeAnswer(maitred);
  const { id: waitingId } = await joined(maitred, { date: freeDay() });
  await reserve(maitred);
  return { bookingId: booking.id, orderId, webhookId, waitingId, closureId: await close(maitred) };
}

/** As a receiver would have answered; none is asked here. */
async function writeAnswer({ sql, deps }: TestApp): Promise<void> {
  const [delivery] = await sql<{ id: string }[]>`select id from delivery limit 1`;
  assert.ok(delivery);
  await sql`
    insert into delivery_attempt (delivery_id, number, started_at, duration_ms, status_code, answer)
    values (${delivery.id}, 1, now(), 1, 500, ${seal(deps.encryptionKeys, 'No.', `delivery:${delivery.id}/1`)})`;
}

async function reserve(maitred: TestApp): Promise<void> {
  const date = freeDay();
  const [option] = (await maitred.call(`/octo/products/${encodeURIComponent(DINNER)}`)).json.options;
  const wanted = { productId: DINNER, optionId: option.id };
  const asked = { ...wanted, localDateStart: date, localDateEnd: date, units: [] };
  const [start] = (await made(maitred, '/octo/availability', { body: asked })).json;
  const unitItems = Array.from({ length: 2 }, () => ({ unitId: option.units[0].id }));
  const body = { ...wanted, uuid: randomUUID(), availabilityId: start.id, unitItems };
  const { uuid } = (await made(maitred, '/octo/bookings', { body })).json;
  const contact = { fullName: 'Ada Lovelace', emailAddress: 'ada@example.com' };
  await made(maitred, `/octo/bookings/${uuid}`, { method: 'PATCH', body: { contact } });
}

async function close(maitred: TestApp): Promise<string> {
  const date = freeDay();
  const body = { from: `${date}T12:00`, to: `${date}T13:00`, bookings: 'cancel', message: 'We are sorry.' };
  const path = `/manage/venues/${encodeURIComponent('1|house|garden-room')}/closures`;
  return (await made(maitred, path, { as: 'demo-admin', body })).json.id;
}
