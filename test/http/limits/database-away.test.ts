import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPool } from '../../../src/db/database.ts';
import { createVenues } from '../../../src/features/venues/service.ts';
import type { Scope } from '../../../src/http/auth/caller.ts';
import { asProblem } from '../../../src/http/problems/framework-errors.ts';
import { parseVenueId } from '../../../src/kernel/ids.ts';
import { createTestDatabase } from '../../support/databases/database.ts';

const caller = { kind: 'platform', clientId: 'x', scopes: new Set<Scope>() } as const;

/** A node without a database hears of no changes either. */
const deaf = { isConnected: () => false, subscribe: () => () => {}, close: async () => {} };

test('a database that cannot be reached is a 503 that may be retried, not a fault of ours', async () => {
  const sql = openPool('postgres://nobody@127.0.0.1:1/nothing');
  const refused = await createVenues({
    sql,
    notifications: deaf,
    config: { publicUrl: '', feedUrl: '', embeddings: undefined },
  })
    .get(caller, parseVenueId('1|house|x'))
    .then(() => assert.fail(), asProblem);
  assert.equal(refused.code, 'HTTP-R-503');
  assert.equal(refused.isRetryable, true);
  await sql.end();
});

test('so is one that cuts the connection in the middle of a statement', async () => {
  const database = await createTestDatabase();
  const slow = database.sql`select pg_sleep(10), 'cut me'`.then(() => assert.fail(), asProblem);
  const admin = openPool(database.url, { max: 1 });
  for (let cut = 0; cut === 0; ) {
    const ended = await admin`select pg_terminate_backend(pid) from pg_stat_activity
      where query like '%cut me%' and pid <> pg_backend_pid() and state = 'active'`;
    cut = ended.length;
  }
  assert.equal((await slow).code, 'HTTP-R-503');
  await admin.end();
  await database.drop();
});

test('a statement that is wrong stays a 500', async () => {
  const database = await createTestDatabase();
  const wrong = await database.sql`select no_such_column`.then(() => assert.fail(), asProblem);
  assert.equal(wrong.code, 'HTTP-R-500');
  await database.drop();
});

test('a lock that nobody gives up is a 503 after a while, and does not hold the connection', async () => {
  const database = await createTestDatabase();
  const holder = openPool(database.url, { max: 1 });
  const waiter = openPool(database.url, { max: 1, lockTimeoutMs: 50 });
  await holder.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(4711)`;
    const late = await waiter`select pg_advisory_xact_lock(4711)`.then(() => assert.fail(), asProblem);
    assert.equal(late.code, 'HTTP-R-503');
    assert.deepEqual([...(await waiter`select 1 as one`)], [{ one: 1 }]);
  });
  await holder.end();
  await waiter.end();
  await database.drop();
});

test('no connection of ours waits for ever, or keeps an idle transaction open', async () => {
  const database = await createTestDatabase();
  const [{ lock, idle } = {}] = await database.sql`
    select current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`;
  assert.deepEqual([lock, idle], ['20s', '15s']);
  await database.drop();
});
