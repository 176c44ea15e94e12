import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTransaction, type Sql } from '../../../src/db/database.ts';
import { firstIdAt } from '../../../src/db/partitions.ts';
import { createRetention } from '../../../src/features/retention/service.ts';
import { newId } from '../../../src/kernel/crypto.ts';
import { assertProblem } from '../../support/app.ts';
import { emptyEventLog } from '../../support/databases/empty-event-log.ts';
import { metricOf } from '../../support/metrics.ts';
import { callNow } from '../bookings/amend/amending.ts';
import { change, deliveringApp, happen, subscribe } from '../webhooks/delivering.ts';

/** The months of the event log, of deliveries and of the audit log. */

const EVENT_DAYS = 400;
const { maitred, time, receiver } = deliveringApp({ delivers: false });
const retention = () => maitred().services.retention;
const month = (at = time.clock()) => at.toString().slice(0, 7).replace('-', '');

async function partitionsOf(sql: Sql, table: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid
    where inhparent = ${table}::text::regclass order by 1`;
  return rows.map(({ name }) => name.slice(table.length + 1));
}

/** The partitions that have rows. */
async function filled(sql: Sql, table: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select distinct tableoid::regclass::text as name from ${sql(table)} order by 1`;
  return rows.map(({ name }) => name.slice(table.length + 1));
}

const events = async () => (await callNow(maitred(), '/webhooks/events?limit=100')).json.data;

/** One attempt for each delivery, at this moment. */
async function deliverAll(sql: Sql): Promise<void> {
  await sql`
    insert into delivery_attempt (delivery_id, number, started_at, duration_ms, status_code)
    select id, 1, ${time.clock()}, 1, 204 from delivery where status = 'pending'`;
  await sql`update delivery set status = 'delivered', finished_at = ${time.clock()} where status = 'pending'`;
}

test('rows are in the month of their id, and half a year later in that month', async () => {
  const { sql } = maitred();
  await subscribe(maitred(), receiver());
  await happen(maitred(), time.clock, 'now');
  await deliverAll(sql);
  for (const table of ['event', 'delivery', 'delivery_attempt'])
    assert.deepEqual(await filled(sql, table), [month()], table);

  const before = month();
  time.move({ hours: 24 * 183 });
  await retention().prepareMonths();
  await retention().prepareMonths();
  await happen(maitred(), time.clock, 'later');
  await deliverAll(sql);
  for (const table of ['event', 'delivery', 'delivery_attempt']) {
    assert.deepEqual(await filled(sql, table), [before, month()], table);
    const ahead = await partitionsOf(sql, table);
    assert.equal(ahead.filter((name) => name > month() && name !== 'default').length, 3, table);
  }
  assert.equal((await events()).length, 2);
  assert.ok(Number(await metricOf(maitred(), 'log_months_ahead_seconds')) > 80 * 86_400);
  await emptyEventLog(sql);
});

test('without its month an event is told like any other, and goes when its time is over', async () => {
  const { sql } = maitred();
  time.move({ hours: 24 * 200 });
  await happen(maitred(), time.clock, 'unprepared');
  await deliverAll(sql);
  for (const table of ['event', 'delivery', 'delivery_attempt'])
    assert.deepEqual(await filled(sql, table), ['default'], table);
  assert.equal((await events()).length, 1);

  await retention().prepareMonths();
  assert.ok(
    !(await partitionsOf(sql, 'event')).includes(month()),
    'the rest of that month follows the first of it',
  );
  assert.ok((await partitionsOf(sql, 'event')).includes(month(time.clock().add({ hours: 24 * 40 }))));
  await happen(maitred(), time.clock, 'the rest');
  await deliverAll(sql);
  assert.equal((await events()).length, 2);

  await retention().dropMonths();
  assert.equal((await events()).length, 2);
  time.move({ hours: 24 * (EVENT_DAYS + 1) });
  await retention().dropMonths();
  for (const table of ['event', 'delivery', 'delivery_attempt'])
    assert.deepEqual(await filled(sql, table), [], table);
});

test('a month goes with its deliveries once all of it is past its time and nothing is to be delivered', async () => {
  const { sql } = maitred();
  await retention().prepareMonths();
  const old = month();
  await happen(maitred(), time.clock, 'old');
  await deliverAll(sql);
  const [{ id: cursor }] = await events();
  time.move({ hours: 24 * 62 });
  await happen(maitred(), time.clock, 'younger');
  await deliverAll(sql);
  // A replay long after: an attempt of another month than its event, whose answer may name a guest.
  await sql`update delivery set finished_at = ${time.clock()} where event_id = ${cursor}`;
  await sql`
    insert into delivery_attempt (delivery_id, number, started_at, duration_ms, status_code)
    select id, 2, ${time.clock()}, 1, 204 from delivery where event_id = ${cursor}`;

  time.move({ hours: 24 * (EVENT_DAYS - 62) });
  await retention().dropMonths();
  assert.equal((await events()).length, 2, 'the month is not over everywhere yet');

  time.move({ hours: 24 * 31 });
  await sql`update delivery set status = 'pending' where event_id = ${cursor}`;
  await retention().dropMonths();
  assert.equal((await events()).length, 2, 'one is still to be delivered');
  assert.ok(Number(await metricOf(maitred(), 'log_months_overdue_seconds')) > 0);

  await sql`update delivery set status = 'dropped' where event_id = ${cursor}`;
  await retention().dropMonths();
  await retention().dropMonths();
  assert.equal((await events()).length, 1);
  assert.ok(!(await partitionsOf(sql, 'event')).includes(old));
  assert.ok(!(await partitionsOf(sql, 'delivery')).includes(old));
  const [left] = await sql`select count(*)::int as attempts, count(d.id)::int as theirs
    from delivery_attempt a left join delivery d on d.id = a.delivery_id`;
  assert.deepEqual({ ...left }, { attempts: 1, theirs: 1 });

  const refused = assertProblem(
    await callNow(maitred(), `/webhooks/events?cursor=${cursor}`),
    400,
    'VALID-N-001',
  );
  assert.deepEqual(refused.errors, {
    cursor: ['is older than the events that are kept; begin without one, or with since'],
  });
  const [first] = await events();
  assert.equal((await callNow(maitred(), `/webhooks/events?cursor=${first.id}`)).status, 200);
  await emptyEventLog(sql);
});

test('a month of deliveries goes although its events had no month of that name', async () => {
  const { sql } = maitred();
  await retention().prepareMonths();
  const old = month();
  await happen(maitred(), time.clock, 'alone');
  await deliverAll(sql);
  await sql`drop table ${sql(`event_${old}`)}`;
  assert.equal(await retention().aheadSeconds(), 0, 'there is a gap');
  time.move({ hours: 24 * (EVENT_DAYS + 31) });
  await retention().prepareMonths();
  assert.ok((await retention().overdueSeconds()) > 0);
  await sql`update delivery set status = 'pending'`;
  await retention().dropMonths();
  assert.ok((await partitionsOf(sql, 'delivery')).includes(old), 'one is still to be delivered');
  await sql`update delivery set status = 'dropped'`;
  await retention().dropMonths();
  assert.ok(!(await partitionsOf(sql, 'delivery')).includes(old));
  assert.equal(await retention().overdueSeconds(), 0);
  await emptyEventLog(sql);
});

test('a replay that is asked for while its month is dropped is made, or finds no event', async () => {
  const { sql } = maitred();
  await retention().prepareMonths();
  const subscription = await subscribe(maitred(), receiver());
  await change(maitred(), subscription, { active: false });
  await happen(maitred(), time.clock, 'asked again');
  await deliverAll(sql);
  const since = time.clock().subtract({ hours: 1 }).toString();
  time.move({ hours: 24 * (EVENT_DAYS + 31) });
  const path = `/webhooks/subscriptions/${subscription.webhookId}/replay`;
  const [replayed] = await Promise.all([
    callNow(maitred(), path, { method: 'POST', body: { since } }),
    retention()
      .dropMonths()
      .catch(() => {}),
  ]);
  assert.equal(replayed.status, 202, replayed.text);
  const [left] = await sql`select count(*)::int as deliveries,
    (select count(*)::int from event) as events from delivery where status = 'pending'`;
  assert.equal(left?.deliveries, replayed.json.deliveries);
  assert.equal(left?.events, replayed.json.deliveries > 0 ? 1 : left?.events);
  await emptyEventLog(sql);
});

test('the audit log is kept for ever, or for as long as the setting says', async () => {
  const { sql, deps } = maitred();
  const count = async () => (await sql`select from audit_entry`).length;
  const log = { info() {}, warn() {} };
  const forDays = (auditDays: number) =>
    createRetention({ sql, clock: time.clock, config: { ...deps.config, auditDays }, log });
  await retention().prepareMonths();
  const created = await callNow(maitred(), '/manage/partners', {
    method: 'POST',
    as: 'demo-admin',
    body: { reference: 'kept', name: 'Kept' },
  });
  assert.equal(created.status, 201, created.text);
  const entries = await count();
  assert.ok((await filled(sql, 'audit_entry')).includes(month()));
  time.move({ hours: 24 * 500 });
  await retention().dropMonths();
  await forDays(500).dropMonths();
  assert.equal(await count(), entries, 'the month ended later');
  await forDays(400).dropMonths();
  assert.equal(await count(), 0);
});

test('what is looked up by its id, and what a dispatcher records, is looked for in one month', async () => {
  const { sql } = maitred();
  await retention().prepareMonths();
  const id = newId(time.clock);
  const planOf = (text: string) =>
    inTransaction(sql, async (tx) => JSON.stringify(await tx.unsafe(`explain (format json) ${text}`)));
  const read = (plan: string, table: string) =>
    [...plan.matchAll(new RegExp(`"Relation Name":"(${table}_[0-9a-z]+)"`, 'g'))].map(([, name]) => name);
  const one = await planOf(`select from event where id = '${id}'`);
  assert.deepEqual(read(one, 'event'), [`event_${month()}`]);
  const entry = await planOf(`select from audit_entry where id = '${id}'`);
  assert.deepEqual(read(entry, 'audit_entry'), [`audit_entry_${month()}`]);
  const recent = await planOf(
    `select from audit_entry where id >= '${firstIdAt(time.clock())}' order by id desc limit 20`,
  );
  assert.ok(!read(recent, 'audit_entry').some((name) => (name ?? '') < `audit_entry_${month()}`));
  const whole = await planOf('select from event');
  assert.ok(read(whole, 'event').length > 3, 'and it would show');
  const recorded = await planOf(
    `update delivery set claim = null where event_id between '${id}' and '${id}' and id = '${id}'`,
  );
  assert.deepEqual([...new Set(read(recorded, 'delivery'))], [`delivery_${month()}`]);
});
