/** A statement gets no more time than its request has left, and the server ends it when that is over. */
import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import {
  type Fragment,
  inTransaction,
  NODE_POOL,
  openPool,
  poolLoad,
  type Sql,
  type Tx,
} from '../../../src/db/database.ts';
import type { App } from '../../../src/http/route.ts';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';

const LITTLE_MS = 2000;
const NAME = 'time left';

let maitred: TestApp;
/** As a node has it; the tests' own has no limit for statements. */
let limited: Sql;

type Run = (sql: Sql) => (work: (tx: Tx) => Promise<unknown>) => Promise<unknown>;
const ways: Record<string, Run> = {
  transaction: (sql) => (work) => inTransaction(sql, work),
  single: (sql) => (work) => work(sql),
};
const pools: Record<string, () => Sql> = { limited: () => limited, unlimited: () => maitred.sql };

const someRows = (sql: Sql, number: Fragment) => sql`
  select number as "number", ${sql.unsafe("'a' || number")} as name from generate_series(1, ${3}::int) as number
  where ${number} > 1 order by number`;

/** One statement of each kind that the driver knows. */
async function allKinds(sql: Sql): Promise<Record<string, unknown>> {
  const number = sql`number`;
  const [pieces, each]: [unknown[], unknown[]] = [[], []];
  for await (const piece of someRows(sql, number).cursor(1)) pieces.push(piece);
  await someRows(sql, number).forEach((row) => void each.push(row));
  return {
    rows: await someRows(sql, number),
    values: await someRows(sql, number).values(),
    raw: (await someRows(sql, number).raw()).map((row) => row.map(String)),
    simple: await sql`select 1 as one; select 2 as two`.simple(),
    described: (await someRows(sql, number).describe()).columns.map(({ name }) => name),
    copied: await text(await sql`copy (select 1) to stdout`.readable()),
    pieces,
    each,
  };
}

function routes(app: App): void {
  const schema = { hide: true };
  const configs = {
    quick: { access: 'public', deadlineMs: LITTLE_MS },
    usual: { access: 'public', deadlineMs: 60_000 },
  } as const;
  for (const [speed, config] of Object.entries(configs)) {
    app.get(`/${speed}/kinds`, { config, schema }, () => allKinds(limited));
    for (const [way, run] of Object.entries(ways))
      for (const [name, pool] of Object.entries(pools)) {
        app.post(`/${speed}/${name}/${way}/rename`, { config, schema }, async () =>
          run(pool())((tx) => tx`update partner set name = 'renamed' where reference = 'demo-partner'`),
        );
        app.get(`/${speed}/${name}/${way}/limits`, { config, schema }, async () =>
          run(pool())(
            (tx) =>
              tx`select current_setting('statement_timeout') as limit, number from generate_series(1, 3) number`,
          ),
        );
      }
  }
}

before(async () => {
  maitred = await startTestApp({ extend: routes });
  limited = openPool(maitred.url, { ...NODE_POOL, isWatched: false, applicationName: NAME });
});
after(async () => {
  await limited.end({ timeout: 5 });
  await maitred.close();
});

/** What `work` finds while another transaction has locked the row. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  return inTransaction(maitred.sql, async (tx) => {
    await tx`select from partner where reference = 'demo-partner' for update`;
    return work();
  });
}

const working = () => maitred.sql`
  select query from pg_stat_activity
  where state <> 'idle' and query like 'update partner%' and datname = current_database()`;
const nameOf = async () =>
  (await maitred.sql`select name from partner where reference = 'demo-partner'`)[0]?.name;

for (const way of Object.keys(ways)) {
  test(`a locked row ends a request without time for it, and its statement too (${way})`, async () => {
    const before = await nameOf();
    await whileLocked(async () => {
      const answer = await maitred.call(`/quick/limited/${way}/rename`, { method: 'POST' });
      const body = assertProblem(answer, 503, 'HTTP-R-503');
      assert.ok(Number(answer.headers['retry-after']) > 0);
      assert.equal(body.isOutcomeKnown, undefined, 'it is known that nothing was changed');
      assert.deepEqual([...(await working())], []);
    });
    assert.equal(await nameOf(), before);
  });

  test(`without the limit the statement goes on after the answer (the control, ${way})`, async () => {
    const before = await nameOf();
    await whileLocked(async () => {
      const answer = await maitred.call(`/quick/unlimited/${way}/rename`, { method: 'POST' });
      assert.equal(assertProblem(answer, 503, 'HTTP-R-503').isOutcomeKnown, false);
      assert.equal((await working()).length, 1);
    });
    await eventually(async () => (await nameOf()) !== before);
    await maitred.sql`update partner set name = ${before} where reference = 'demo-partner'`;
  });

  test(`the limit is what is left, and the rows are the same (${way})`, async () => {
    const { json } = await maitred.call(`/quick/limited/${way}/limits`);
    assert.deepEqual(
      json.map(({ number }: { number: number }) => number),
      [1, 2, 3],
    );
    const [, leftMs] = /^(\d+)ms$/.exec(json[0].limit) ?? [];
    assert.ok(Number(leftMs) <= LITTLE_MS, json[0].limit);
  });

  test(`a request with all its time says nothing about limits (${way})`, async () => {
    const { json } = await maitred.call(`/usual/limited/${way}/limits`);
    assert.equal(json[0].limit, '9s');
  });
}

test('statements of all kinds answer the same when little time is left, and none counts as open', async () => {
  const [usual, quick] = [await maitred.call('/usual/kinds'), await maitred.call('/quick/kinds')];
  assert.equal(usual.status, 200);
  assert.deepEqual(quick.json, usual.json);
  assert.deepEqual(usual.json.values, [
    [2, 'a2'],
    [3, 'a3'],
  ]);
  assert.equal(usual.json.pieces.length, 2);
  assert.equal(usual.json.copied, '1\n');
  assert.equal(poolLoad(limited).busy, 0);
});

test('a limit ends with its transaction', async () => {
  await maitred.call('/quick/limited/transaction/limits');
  for (let count = 0; count < 20; count += 1)
    assert.equal((await limited`select current_setting('statement_timeout') as limit`)[0]?.limit, '9s');
});
