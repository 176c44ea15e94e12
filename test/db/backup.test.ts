import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { buildApp } from '../../src/app.ts';
import { checksumOf, isEmptyDatabase, listPartitions, listTables } from '../../src/db/backup/catalogue.ts';
import { type Dumped, dump } from '../../src/db/backup/dump.ts';
import { load } from '../../src/db/backup/load.ts';
import type { Sql } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { makePartitions } from '../../src/db/partitions.ts';
import { registerKeys } from '../../src/features/encryption/service.ts';
import { REQUEST_LOG } from '../../src/features/request-log/recorder.ts';
import { ATTEMPTS, AUDIT_LOG, DELIVERIES, EVENTS } from '../../src/features/retention/store.ts';
import { createKeyring } from '../../src/kernel/crypto.ts';
import { createServices } from '../../src/services.ts';
import { booked, DINNER, freeDay } from '../features/bookings/support.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import { scratchFolder } from '../support/scratch.ts';
import { fillSealed, sealedWorld } from '../support/sealed-world.ts';

const quiet = { progress() {} };
let maitred: TestApp;
const folder = scratchFolder({ after });
const path = join(folder, 'maitred.backup');
let dumped: Dumped;
let bookingId: string;

before(async () => {
  const { config, connectors } = sealedWorld;
  maitred = await startTestApp({ config, deps: { connectors: [...connectors] } });
  await registerKeys(maitred.sql, maitred.deps.encryptionKeys);
  ({ bookingId } = await fillSealed(maitred));
  // As after a year: migrations do not make this month.
  const lastYear = Temporal.Now.instant().subtract({ hours: 365 * 24 });
  for (const table of [EVENTS, DELIVERIES, ATTEMPTS, AUDIT_LOG]) {
    assert.equal(await makePartitions(maitred.sql, table, lastYear), 1);
  }
  // The calls that were made so far are written to it when the node comes to it, which may be after the backup.
  await makePartitions(maitred.sql, REQUEST_LOG, Temporal.Now.instant());
});
after(() => maitred.close());

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}

async function within<Result>(use: (database: TestDatabase) => Promise<Result>): Promise<Result> {
  const database = await createTestDatabase({ isBare: true });
  try {
    return await use(database);
  } finally {
    await database.drop();
  }
}

/** A table for two, on a node of its own. */
async function bookNow(app: TestApp['app'], headers: Record<string, string>): Promise<{ status: number }> {
  const guest = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', phone: '+442079460001' };
  const payload = { type: 'book', date: freeDay(), time: '19:00', partySize: 2, ...guest };
  const url = `/venues/${encodeURIComponent(DINNER)}/booking`;
  const { statusCode } = await app.inject({ method: 'POST', url, headers, payload });
  return { status: statusCode };
}

async function contentsOf(sql: Sql) {
  const tables = await listTables(sql);
  return Promise.all(tables.map(async ({ table }) => ({ table, ...(await checksumOf(sql, table)) })));
}

test('a database is written to a file that only its owner reads, while it is used', async () => {
  const lines: string[] = [];
  dumped = await dump(maitred.sql, { to: path, progress: (line) => lines.push(line) });
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['maitred.backup']);
  assert.equal(lines.length, dumped.tables);
  assert.deepEqual(dumped.header.keyIds, [maitred.deps.encryptionKeys.first.id]);
  const content = gunzipSync(readFileSync(path));
  assert.equal(content.includes(maitred.deps.encryptionKeys.first.bytes), false);
  assert.equal(content.includes('Lovelace'), false, 'guests are sealed in it');
});

test('it is restored into an empty database row by row, and a node goes on there', async () => {
  const before = dumped.contents.map(({ columns: _, ...content }) => content);
  await within(async ({ sql }) => {
    await load(sql, { from: path, ...quiet });
    assert.deepEqual(await contentsOf(sql), before);
    assert.deepEqual(await listPartitions(sql), dumped.header.partitions);
    const constraints = (each: Sql) => each`
      select conname, pg_get_constraintdef(oid) as definition, convalidated from pg_constraint
      where connamespace = 'public'::regnamespace order by conrelid::regclass::text, conname`;
    assert.deepEqual([...(await constraints(sql))], [...(await constraints(maitred.sql))]);
    const indexes = (each: Sql) => each`
      select tablename, indexdef from pg_indexes where schemaname = 'public' order by tablename, indexdef`;
    assert.deepEqual([...(await indexes(sql))], [...(await indexes(maitred.sql))]);
    const triggers = (each: Sql) => each`
      select tgrelid::regclass::text as table, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`;
    assert.deepEqual([...(await triggers(sql))], [...(await triggers(maitred.sql))]);
    assert.equal(await migrate(sql), 0);
    await registerKeys(sql, maitred.deps.encryptionKeys);
    await assert.rejects(
      registerKeys(sql, createKeyring([Buffer.alloc(32, 9)])),
      /ENCRYPTION_KEY is not the key/,
    );
    const services = await createServices({ ...maitred.deps, sql });
    const app = await buildApp({ ...maitred.deps, sql }, services);
    const headers = { authorization: `Bearer ${await maitred.token('demo-partner')}` };
    const read = await app.inject({ url: `/venues/bookings/${bookingId}`, headers });
    assert.equal(read.json().lastName, 'Lovelace', read.body);
    const { status } = await bookNow(app, headers);
    assert.equal(status, 201);
    await app.close();
    await services.webhooks.close();
    await services.systems.calls.close();
    await services.connections.close();
  });
});

test('what was written while it was being made is in it whole or not at all', async () => {
  const during = join(folder, 'during.backup');
  const writing = (async () => {
    for (let count = 0; count < 5; count += 1) await booked(maitred);
  })();
  await Promise.all([dump(maitred.sql, { to: during, ...quiet }), writing]);
  await within(async ({ sql }) => {
    await load(sql, { from: during, ...quiet });
    const [lone] = await sql`
      select count(*)::int from booking b where not exists (select from event e where e.booking_id = b.id)
        and exists (select from booking_guest_hash h where h.booking_id = b.id)`;
    const [there] = await maitred.sql`
      select count(*)::int from booking b where not exists (select from event e where e.booking_id = b.id)
        and exists (select from booking_guest_hash h where h.booking_id = b.id)`;
    assert.equal(lone?.count, there?.count);
  });
});

test('a file that is cut, altered or something else is refused, and nothing is changed', async () => {
  const whole = readFileSync(path);
  const content = gunzipSync(whole);
  const at = content.indexOf('soho-grill');
  const altered = Buffer.from(content);
  altered[at] = 0x53;
  const files: [string, Buffer, RegExp][] = [
    ['cut.backup', whole.subarray(0, Math.floor(whole.length / 2)), /cut short/],
    ['ended.backup', gzipSync(content.subarray(0, Math.floor(content.length / 2))), /cut short/],
    ['altered.backup', gzipSync(altered), /altered/],
    ['flipped.backup', flipped(whole, 5000), /altered|not a backup/],
    ['longer.backup', gzipSync(Buffer.concat([content, content])), /not a backup/],
    ['other.backup', gzipSync('id,name\n1,Soho Grill\n'), /not a backup|cut short/],
    ['text.backup', Buffer.from('create table venue ();'), /not a backup/],
  ];
  await within(async ({ sql }) => {
    for (const [name, bytes, reason] of files) {
      writeFileSync(join(folder, name), bytes);
      await assert.rejects(load(sql, { from: join(folder, name), ...quiet }), reason, name);
      assert.ok(await isEmptyDatabase(sql), name);
    }
    await assert.rejects(load(sql, { from: join(folder, 'none.backup'), ...quiet }), /no such file/);
  });
});

test('a database with anything in it is left as it is', async () => {
  await within(async ({ sql }) => {
    await sql`create table letter (text text)`;
    await sql`insert into letter values ('Dear Ada')`;
    await assert.rejects(load(sql, { from: path, ...quiet }), /is not empty/);
    assert.deepEqual([...(await sql`select text from letter`)], [{ text: 'Dear Ada' }]);
    assert.equal((await listTables(sql)).length, 1);
  });
});

test('a backup of a newer version is refused', async () => {
  const newer = join(folder, 'newer.backup');
  const { sql } = maitred;
  await sql`insert into schema_migration (version, name, checksum) values (9999, '9999_next.sql', 'x')`;
  try {
    await dump(sql, { to: newer, ...quiet });
  } finally {
    await sql`delete from schema_migration where version = 9999`;
  }
  await within(async ({ sql: empty }) => {
    await assert.rejects(load(empty, { from: newer, ...quiet }), /newer than this program/);
    assert.ok(await isEmptyDatabase(empty));
  });
});

test('a backup that is stopped leaves no file', async () => {
  const stopping = new AbortController();
  const to = join(folder, 'stopped.backup');
  const stopped = dump(maitred.sql, { to, signal: stopping.signal, progress: () => stopping.abort() });
  await assert.rejects(stopped);
  assert.ok(!existsSync(to) && !existsSync(`${to}.partial`));
});

test('tables of every size end, also those that fill what the driver keeps of a stream', {
  timeout: 30_000,
}, async () => {
  await within(async ({ sql }) => {
    await migrate(sql);
    // Around what one record of the file and one read of the connection hold.
    const sizes = Array.from({ length: 60 }, (_, step) => 240 + 4 * step);
    for (const rows of sizes)
      await sql.unsafe(`create table t${rows} as
        select string_agg(md5(random()::text), '') as text from generate_series(1, 32 * ${rows}) n group by n / 32`);
    const to = join(folder, 'sizes.backup');
    const { contents } = await dump(sql, { to, ...quiet });
    const found = contents.filter(({ table }) => /^t\d/.test(table)).map(({ rows }) => rows);
    assert.deepEqual(
      found.sort((a, b) => a - b),
      sizes.map((rows) => rows + 1),
    );
  });
});
