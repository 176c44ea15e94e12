import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inContestedTransaction, inTransaction, type Tx } from '../../src/db/database.ts';
import { codeOf } from '../../src/kernel/problem.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
  await database.sql`create table contested (name text primary key, count integer not null default 0)`;
  await database.sql`insert into contested (name) values ('left'), ('right')`;
});
after(() => database.drop());

const raise = (tx: Tx, name: string) => tx`update contested set count = count + 1 where name = ${name}`;

/** Two who take the same rows the other way round; both have the first before either asks for the second. */
async function crossing(run: typeof inTransaction): Promise<PromiseSettledResult<void>[]> {
  const both = Promise.withResolvers<void>();
  let ready = 0;
  const walk = (first: string, second: string) =>
    run(database.sql, async (tx) => {
      await raise(tx, first);
      ready += 1;
      if (ready >= 2) both.resolve();
      await both.promise;
      await raise(tx, second);
    });
  return Promise.allSettled([walk('left', 'right'), walk('right', 'left')]);
}

test('of two who wait for each other the one that is ended begins again, and each is done once', async () => {
  const outcomes = await crossing(inContestedTransaction);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled'],
  );
  const rows = await database.sql<{ count: number }[]>`select count from contested`;
  assert.deepEqual(
    rows.map(({ count }) => count),
    [2, 2],
  );
});

test('without beginning again one of them fails', async () => {
  const outcomes = await crossing(inTransaction);
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  assert.deepEqual(failures.map(codeOf), ['40P01']);
});
