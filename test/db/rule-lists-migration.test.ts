import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { migrate } from '../../src/db/migrate.ts';
import { createTestDatabase } from '../support/database.ts';

const MIGRATIONS = resolve(import.meta.dirname, '../../migrations');

/** The 14th migration on data that those before it could have. */
test('rules that named one partner or category name it in a list, and nodes that do not know lists still read it', async () => {
  const { sql, drop } = await createTestDatabase();
  const directory = mkdtempSync(join(tmpdir(), 'maitred-migrations-'));
  const bring = (isWanted: (number: number) => boolean) => {
    for (const file of readdirSync(MIGRATIONS))
      if (isWanted(Number.parseInt(file, 10))) copyFileSync(join(MIGRATIONS, file), join(directory, file));
    return migrate(sql, { directory });
  };
  try {
    await sql`drop schema public cascade`;
    await sql`create schema public`;
    await bring((number) => number < 14);
    await sql`insert into operator (id, name) values (1, 'O')`;
    await sql`insert into partner (id, reference, name) values (7, 'p', 'P')`;
    await sql`insert into partner_category (id, operator_id, slug, name) values (3, 1, 'c', 'C')`;
    await sql`insert into venue (id, operator_id, tms, resource_id, name, time_zone, content, area, city, country_code,
        lat, lng, search)
      values ('1|house|v', 1, 'house', 'v', 'V', 'UTC', '{}', '', '', 'GB', 0, 0, '')`;
    await sql`insert into availability_rule (venue_id, partner_id, category_id, effect, type, definition) values
      ('1|house|v', null, null, 'disable', 'recurring', '{"weekdays": [1]}'),
      ('1|house|v', 7, null, 'disable', 'recurring', '{"weekdays": [2]}'),
      ('1|house|v', null, 3, 'reserve', 'recurring', '{"weekdays": [3]}')`;
    await bring((number) => number === 14);
    await sql`insert into availability_rule (venue_id, partner_ids, category_ids, scope, effect, type, definition) values
      ('1|house|v', '{7,8}', null, null, 'disable', 'recurring', '{"weekdays": [4]}'),
      ('1|house|v', null, null, '{}', 'disable', 'recurring', '{"weekdays": [5]}'),
      ('1|house|v', '{7,8}', null, null, 'reserve', 'recurring', '{"weekdays": [6]}')`;
    const rules = await sql`select partner_ids as partners, category_ids as categories, partner_id as partner,
      category_id as category from availability_rule order by definition::text`;
    const nobody = 0;
    assert.deepEqual(
      rules.map(({ partners, categories, partner, category }) => [partners, categories, partner, category]),
      [
        [null, null, null, null],
        [[7], null, 7, null],
        [null, [3], null, 3],
        [[7, 8], null, nobody, null],
        [null, null, nobody, null],
        // Without anybody to keep it for, such nodes take it from nobody.
        [[7, 8], null, null, null],
      ],
    );
  } finally {
    rmSync(directory, { recursive: true });
    await drop();
  }
});
