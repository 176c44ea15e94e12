import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { inTransaction, openPool, type Sql } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { listPartitions } from '../../src/db/partitions.ts';
import { ATTEMPTS, AUDIT_LOG, DELIVERIES, EVENTS } from '../../src/features/retention/store.ts';
import { newId } from '../../src/kernel/crypto.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import { someoneWaits } from '../support/databases/lock-waits.ts';
import { eventually } from '../support/eventually.ts';

/** How a database with events becomes one with months of them. */

const FIRST = '0032';
const TRACES = '0035';
const MIGRATIONS = join(import.meta.dirname, '..', '..', 'migrations');
let database: TestDatabase;
let sql: Sql;
let earlier: string;

/** An empty database of the version before that migration. */
async function startBefore(migration: string): Promise<void> {
  for (const file of readdirSync(MIGRATIONS).filter((name) => name < migration))
    cpSync(join(MIGRATIONS, file), join(earlier, file));
  await sql`drop schema public cascade`;
  await sql`create schema public`;
  await migrate(sql, { directory: earlier });
}

before(async () => {
  database = await createTestDatabase();
  sql = database.sql;
  earlier = mkdtempSync(join(tmpdir(), 'maitred-migrations-'));
  await startBefore(FIRST);
});
after(async () => {
  rmSync(earlier, { recursive: true });
  await database.drop();
});

const at = (daysAgo: number) => Temporal.Now.instant().subtract({ hours: 24 * daysAgo });

async function insertEvent(daysAgo: number, eventId = newId(() => at(daysAgo))): Promise<string> {
  const deliveryId = newId(() => at(daysAgo));
  await sql`
    insert into event (id, type, partner_id, venue_id, occurred_at) values (${eventId}, 'venue.updated', 1, 'v', ${at(daysAgo)})`;
  await sql`
    insert into delivery (id, event_id, webhook_id, partner_id, due_at, created_at)
    values (${deliveryId}, ${eventId}, gen_random_uuid(), 1, ${at(daysAgo)}, ${at(daysAgo)})`;
  await sql`
    insert into delivery_attempt (delivery_id, number, started_at, duration_ms) values (${deliveryId}, 1, ${at(daysAgo)}, 1)`;
  await sql`
    insert into audit_entry (id, at, actor_kind, actor_id, actor_name, action, subject)
    values (${eventId}, ${at(daysAgo)}, 'system', 'house', 'House', 'venue.change', 'venue v')`;
  return eventId;
}

const LOGS = ['event', 'delivery', 'delivery_attempt', 'audit_entry'];

test('what was there is the first partition, what came from a wrong clock is in the default one, and writing goes on', async () => {
  const old = [await insertEvent(500), await insertEvent(100), await insertEvent(0)];
  const stray = await insertEvent(-4000);
  const made = 'ffffffff-ffff-4fff-bfff-ffffffffffff';
  await insertEvent(1, made);
  // A node of the version before, which writes all the while.
  const elsewhere = openPool(database.url, { max: 1 });
  let isOver = false;
  const written: string[] = [];
  const writing = (async () => {
    while (!isOver) {
      const id = newId(Temporal.Now.instant);
      await elsewhere`
        insert into event (id, type, partner_id, venue_id, occurred_at) values (${id}, 'venue.updated', 1, 'v', now())`;
      written.push(id);
    }
  })();
  await migrate(sql);
  isOver = true;
  await writing;
  await elsewhere.end();

  const rows = await sql<{ id: string; place: string }[]>`
    select id, tableoid::regclass::text as place from event order by id`;
  const placeOf = (id: string) => rows.find((row) => row.id === id)?.place;
  assert.equal(rows.length, old.length + 2 + written.length);
  const [first] = await listPartitions(sql, EVENTS);
  assert.match(first?.name ?? '', /^event_before_\d{6}$/);
  assert.deepEqual(
    old.map(placeOf),
    old.map(() => first?.name),
  );
  assert.deepEqual([stray, made].map(placeOf), ['event_default', 'event_default']);

  const counts = await sql<{ name: string; rows: number; indexes: number }[]>`
    select p.name, (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I', p.name), false, true, '')))[1]::text::int as rows,
      (select count(*)::int from pg_indexes where tablename = p.name || '_default') as indexes
    from unnest(${LOGS}::text[]) as p (name)`;
  for (const { name, rows: count, indexes } of counts) {
    if (name !== 'event') assert.equal(count, 5, name);
    const [month] = await sql<{ indexes: number }[]>`
      select count(*)::int as indexes from pg_indexes where tablename = (
        select max(inhrelid::regclass::text) from pg_inherits
        where inhparent = ${name}::text::regclass and inhrelid::regclass::text ~ '\\d{6}$')`;
    assert.equal(month?.indexes, indexes, `a new month of ${name} has the indexes of the others`);
  }
});

test('an empty log begins with its months', async () => {
  await sql`drop schema public cascade`;
  await sql`create schema public`;
  await migrate(sql);
  for (const table of [EVENTS, DELIVERIES, ATTEMPTS, AUDIT_LOG]) {
    const partitions = await listPartitions(sql, table);
    assert.equal(partitions.length, 4, table.name);
    assert.ok(!partitions.some((partition) => partition.name.includes('before')));
  }
});

test('while a backup reads the events, the migration of their traces keeps nobody from writing', async () => {
  await startBefore(TRACES);
  const backup = openPool(database.url, { max: 1 });
  const node = openPool(database.url, { max: 1, lockTimeoutMs: 5000 });
  const reading = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const backedUp = inTransaction(backup, async (tx) => {
    await tx`lock table event in access share mode`;
    reading.resolve();
    await ended.promise;
  });
  await reading.promise;
  const migrated = migrate(sql);
  try {
    await eventually(() => someoneWaits(sql));
    await node`
      insert into event (id, type, partner_id, venue_id, occurred_at)
      values (${newId(Temporal.Now.instant)}, 'venue.updated', 1, 'v', now())`;
  } finally {
    ended.resolve();
    await Promise.allSettled([backedUp, migrated, backup.end(), node.end()]);
  }
  await migrated;
  assert.equal((await sql`select from event where traceparent is null`).length, 1);
});
