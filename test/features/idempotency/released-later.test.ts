import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPool, type Sql } from '../../../src/db/database.ts';
import { createIdempotency } from '../../../src/features/idempotency/service.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { type ForgetfulProxy, startForgetfulProxy } from '../../support/databases/forgetful-proxy.ts';

let database: TestDatabase;
let proxy: ForgetfulProxy;
let sql: Sql;
before(async () => {
  database = await createTestDatabase();
  proxy = await startForgetfulProxy(database.url);
  sql = openPool(proxy.url);
});
after(async () => {
  await sql?.end({ timeout: 5 });
  await proxy?.close();
  await database?.drop();
});

test('a key whose release failed with its connection is free once the database is back', async () => {
  const now = Temporal.Now.instant();
  const idempotency = createIdempotency({
    sql,
    // It stands still, so that the lease never ends by itself.
    clock: () => now,
    encryptionKeys: createKeyring([Buffer.alloc(32, 7)]),
  });
  const request = { clientId: 'patient', key: 'again', content: { asks: 'for a table' } };
  const failing = idempotency.once(request, async () => {
    proxy.refuse('idempotency_key');
    throw new Error('The work failed.');
  });
  await assert.rejects(failing, /The work failed/);
  const [held] = await database.sql`select from idempotency_key where client_id = 'patient'`;
  assert.ok(held, 'the key is still held');

  proxy.refuse(undefined);
  const done = await idempotency.once<string>(request, async (keep) => {
    await keep(sql, 'booked');
    return 'booked';
  });
  assert.equal(done, 'booked');
});
