import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireUsable } from '../../src/db/connect.ts';
import { StartError } from '../../src/kernel/start-error.ts';

const PLACE = 'db.example.com:5432';

test('PostgreSQL 15 and everything after it will do', () => {
  for (const version of [150_000, 150_013, 160_004, 180_001]) {
    requireUsable({ version, hasUnicodeCollation: true }, PLACE);
  }
});

test('an older PostgreSQL is refused with its version and its place', () => {
  assert.throws(
    () => requireUsable({ version: 140_011, hasUnicodeCollation: true }, PLACE),
    new StartError(
      'The database at db.example.com:5432 is PostgreSQL 14.11; Maitred needs version 15 or newer.',
    ),
  );
});

test('a PostgreSQL without ICU is refused', () => {
  assert.throws(
    () => requireUsable({ version: 160_000, hasUnicodeCollation: false }, PLACE),
    (error) => error instanceof StartError && /without ICU/.test(error.message),
  );
});
