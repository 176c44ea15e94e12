import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createIdempotency } from '../../../src/features/idempotency/service.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

const LEASE_SECONDS = 1;

test('a request that takes longer than its lease is still carried out once, and the next one waits for it', async () => {
  const { sql } = database;
  const deps = {
    sql,
    clock: systemClock,
    encryptionKeys: createKeyring([Buffer.alloc(32, 7)]),
    leaseSeconds: LEASE_SECONDS,
  };
  const request = { clientId: 'slow', key: 'once', content: { asks: 'for much' } };
  let runs = 0;
  const ask = () =>
    createIdempotency(deps).once<number>(request, async (keep) => {
      runs += 1;
      await sleep(3000 * LEASE_SECONDS);
      await keep(sql, runs);
      return runs;
    });
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [1, 1, 1]);
  assert.equal(runs, 1);
});
