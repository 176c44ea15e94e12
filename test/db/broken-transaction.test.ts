import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inSnapshot, inTransaction, openPool, type Sql, type Tx } from '../../src/db/database.ts';
import { codeOf } from '../../src/kernel/problem.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';

/** A connection that breaks inside a transaction fails that transaction, and nothing else. */

let database: TestDatabase;
let admin: Sql;
const uncaught: Error[] = [];
const onUncaught = (error: Error) => uncaught.push(error);

before(async () => {
  database = await createTestDatabase();
  admin = openPool(database.url, { max: 1 });
  await admin`create table written (value integer)`;
  process.on('uncaughtException', onUncaught);
});
after(async () => {
  process.off('uncaughtException', onUncaught);
  await admin.end();
  await database.drop();
});

async function hangUp(tx: Tx): Promise<() => Promise<unknown>> {
  const [{ pid }] = await tx<[{ pid: number }]>`select pg_backend_pid() as pid`;
  return () => admin`select pg_terminate_backend(${pid})`;
}

const GONE = ['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', '57P01'];

/** What a transaction is doing when the other side hangs up. */
const moments: [string, (tx: Tx, cut: () => Promise<unknown>) => Promise<unknown>][] = [
  [
    'between two statements',
    async (tx, cut) => {
      await cut();
      await sleep(20);
      await tx`insert into written values (2)`;
    },
  ],
  [
    'just before the next one',
    async (tx, cut) => {
      await cut();
      await tx`insert into written values (2)`;
    },
  ],
  [
    'in one that lasts',
    async (tx, cut) => {
      void sleep(20).then(cut);
      await tx`select pg_sleep(5)`;
    },
  ],
  [
    'among several that were sent together',
    async (tx, cut) => {
      void sleep(20).then(cut);
      await Promise.all([tx`select pg_sleep(5)`, tx`insert into written values (2)`, tx`select 1`]);
    },
  ],
  [
    'and the work goes on all the same',
    async (tx, cut) => {
      await cut();
      await sleep(20);
      await Promise.resolve(tx`select 1`).catch(() => {});
      await tx`insert into written values (2)`;
    },
  ],
];

for (const [when, work] of moments) {
  test(`a connection that breaks ${when} fails the transaction and leaves the pool whole`, async () => {
    const { sql } = database;
    const attempt = inTransaction(sql, async (tx) => {
      await tx`insert into written values (1)`;
      await work(tx, await hangUp(tx));
    });
    await assert.rejects(attempt, (error) => GONE.includes(codeOf(error) ?? ''));
    await sleep(50);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        inSnapshot(sql, async (tx) => tx`select count(*) as count from written`),
      ),
    );
    for (const [row] of answers) assert.equal(row?.count, 0);
    assert.deepEqual(uncaught, [], 'nothing fails where nobody can catch it');
  });
}

test('a break somewhere else rolls the transaction back, and its connection is used again', async () => {
  const { sql } = database;
  const elsewhere = Object.assign(new Error('elsewhere'), { code: 'ECONNRESET' });
  const attempt = inTransaction(sql, async (tx) => {
    await tx`insert into written values (4)`;
    throw elsewhere;
  });
  await assert.rejects(attempt, elsewhere);
  assert.equal((await sql`select from written`).length, 0);
});

test('what fails for another reason is rolled back and told as it was', async () => {
  const { sql } = database;
  await assert.rejects(
    inTransaction(sql, async (tx) => {
      await tx`insert into written values (3)`;
      throw new Error('no');
    }),
    /^Error: no$/,
  );
  assert.equal(await inTransaction(sql, async (tx) => (await tx`select from written`).length), 0);
});
