import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { inTransaction, openPool, type Sql } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { StartError } from '../../src/kernel/problem.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import { limitedUrlOf } from '../support/databases/limited-user.ts';
import { eventually } from '../support/eventually.ts';

let database: TestDatabase;
let sql: Sql;
let directory: string;

before(async () => {
  database = await createTestDatabase();
  sql = database.sql;
});
after(() => database.drop());

beforeEach(async () => {
  await sql`drop schema public cascade`;
  await sql`create schema public`;
  directory = mkdtempSync(join(tmpdir(), 'maitred-migrations-'));
  write('0001_guest.sql', 'create table guest (id integer);');
});

afterEach(() => rmSync(directory, { recursive: true }));

function write(file: string, text: string): void {
  writeFileSync(join(directory, file), text);
}

function refusal(pattern: RegExp) {
  return (error: unknown) => error instanceof StartError && pattern.test(error.message);
}

test('a file is applied once, and later files when they appear', async () => {
  const progress: string[] = [];
  const options = { directory, progress: (line: string) => progress.push(line) };
  assert.equal(await migrate(sql, options), 1);
  assert.equal(await migrate(sql, options), 0);
  write('0002_note.sql', 'create table note (id integer); insert into guest values (1);');
  assert.equal(await migrate(sql, options), 1);
  assert.equal((await sql`select * from guest`).length, 1);
  assert.deepEqual(progress, ['Migrating …', 'Migrating …']);
});

test('nodes that start together apply every file exactly once', async () => {
  write(
    '0002_count.sql',
    'create table tally (n integer); insert into tally values (1); select pg_sleep(0.1);',
  );
  const pools = [1, 2, 3].map(() => openPool(database.url, { max: 1 }));
  await Promise.all(pools.map((pool) => migrate(pool, { directory })));
  await Promise.all(pools.map((pool) => pool.end()));
  assert.deepEqual([...(await sql`select n from tally`)], [{ n: 1 }]);
  assert.equal((await sql`select * from schema_migration`).length, 2);
});

test('a file that fails leaves nothing of itself, keeps those before it, and is named', async () => {
  write('0002_broken.sql', 'create table half (id integer); select * from nowhere;');
  await assert.rejects(migrate(sql, { directory }), refusal(/0002_broken\.sql.*nowhere/));
  const [found] = await sql`select to_regclass('half') as half, to_regclass('guest')::text as guest`;
  assert.deepEqual({ ...found }, { half: null, guest: 'guest' });
  write('0002_broken.sql', 'create table half (id integer);');
  assert.equal(await migrate(sql, { directory }), 1);
});

test('a file that needs a lock that others have begins again until it gets it, and aborts none of them', async (t) => {
  write('0002_note.sql', 'create table note (id integer);');
  await migrate(sql, { directory });
  write(
    '0003_more.sql',
    'alter table note add column more text; select pg_sleep(0.3); alter table guest add column more text;',
  );
  const pool = openPool(database.url, { max: 1 });
  t.after(() => pool.end());
  let migrating: Promise<number> | undefined;
  await inTransaction(pool, async (tx) => {
    await tx`insert into guest values (1)`;
    migrating = migrate(sql, { directory });
    // It has locked notes by then, and waits for the guests that this transaction has.
    await eventually(async () => {
      const [row] = await tx<[{ isWaiting: boolean }]>`
        select exists (select from pg_locks where relation = 'guest'::regclass and not granted) as "isWaiting"`;
      return row.isWaiting;
    });
    await tx`insert into note values (1)`;
  });
  assert.equal(await migrating, 1);
  const [found] = await sql`select count(*)::int as notes, count(more)::int as more from note`;
  assert.deepEqual({ ...found }, { notes: 1, more: 0 });
});

test('a file changed after it was applied is refused', async () => {
  await migrate(sql, { directory });
  write('0001_guest.sql', 'create table guest (id bigint);');
  await assert.rejects(migrate(sql, { directory }), refusal(/0001_guest\.sql was changed/));
});

test('other line ends do not change a file', async () => {
  write('0001_guest.sql', 'create table guest (\n  id integer\n);\n');
  await migrate(sql, { directory });
  write('0001_guest.sql', 'create table guest (\r\n  id integer\r\n);\r\n');
  assert.equal(await migrate(sql, { directory }), 0);
});

test('a database that a newer program has migrated is refused', async () => {
  write('0002_future.sql', 'select 1;');
  await migrate(sql, { directory });
  rmSync(join(directory, '0002_future.sql'));
  await assert.rejects(migrate(sql, { directory }), refusal(/newer than this program.*0002_future/));
});

test('badly named and doubly numbered files are refused', async () => {
  write('2_short.sql', 'select 1;');
  await assert.rejects(migrate(sql, { directory }), refusal(/2_short\.sql must be named/));
  rmSync(join(directory, '2_short.sql'));
  write('0001_again.sql', 'select 1;');
  await assert.rejects(migrate(sql, { directory }), refusal(/Two migrations/));
});

test('a user who may not make tables is told so in a sentence', async (t) => {
  const limited = openPool(await limitedUrlOf(database), { max: 1 });
  t.after(() => limited.end());
  await assert.rejects(
    migrate(limited, { directory }),
    refusal(/^The database cannot be prepared \(permission denied for schema public\)\.$/),
  );
});
