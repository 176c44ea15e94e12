import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { connectDatabase, requireUsable } from '../../src/db/connect.ts';
import { StartError } from '../../src/kernel/problem.ts';
import { createTestDatabase } from '../support/databases/database.ts';

const PLACE = 'db.example.com:5432';

test('PostgreSQL 15 and everything after it will do', () => {
  for (const version of [150_000, 150_013, 160_004, 180_001]) {
    requireUsable({ version, hasUnicodeCollation: true, encoding: 'UTF8' }, PLACE);
  }
});

test('an older PostgreSQL is refused with its version and its place', () => {
  assert.throws(
    () => requireUsable({ version: 140_011, hasUnicodeCollation: true, encoding: 'UTF8' }, PLACE),
    new StartError(
      'The database at db.example.com:5432 is PostgreSQL 14.11; Maitred needs version 15 or newer.',
    ),
  );
});

test('a PostgreSQL without ICU is refused', () => {
  assert.throws(
    () => requireUsable({ version: 160_000, hasUnicodeCollation: false, encoding: 'UTF8' }, PLACE),
    (error) => error instanceof StartError && /without ICU/.test(error.message),
  );
});

test('a database that cannot hold every name is refused', async (t) => {
  const database = await createTestDatabase();
  const url = new URL(database.url);
  const name = `${url.pathname.slice(1)}_latin`;
  await database.sql.unsafe(
    `create database ${name} template template0 encoding 'LATIN1' locale_provider libc locale 'C'`,
  );
  t.after(async () => {
    await database.sql.unsafe(`drop database ${name} with (force)`);
    await database.drop();
  });
  url.pathname = name;
  await assert.rejects(
    connectDatabase(readConfig({ DATABASE_URL: url.href }), () => {}),
    (error) => error instanceof StartError && /has the encoding LATIN1.*needs UTF8\.$/.test(error.message),
  );
});
