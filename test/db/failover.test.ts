import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { connectDatabase } from '../../src/db/connect.ts';
import { inTransaction, openPool, type Sql } from '../../src/db/database.ts';
import { type Notifications, openNotifications } from '../../src/db/notifications.ts';
import { asProblem } from '../../src/http/problems/framework-errors.ts';
import { addressesOf } from '../../src/kernel/database-address.ts';
import { eventually } from '../support/eventually.ts';
import { patience } from '../support/patience.ts';
import { type ReplicatedDatabase, startReplicated } from '../support/standby.ts';

/** A primary stands still, its standby takes over, and it wakes up without knowing. */

let database: ReplicatedDatabase;
let url: string;
let sql: Sql;
let notifications: Notifications;

before(async () => {
  database = await startReplicated(async (primary) => {
    const filling = openPool(primary, { max: 1 });
    await filling`create table note (id integer primary key)`;
    await filling.end();
  });
  // The standby first: its place in the list says nothing.
  url = severalHosts(database.standby.url, database.primary.url);
  sql = openPool(url);
  notifications = await openNotifications(url);
});
after(async () => {
  await notifications?.close();
  await sql?.end({ timeout: 1 });
  await database?.close();
});

function severalHosts(...urls: string[]): string {
  const hosts = urls.map((each) => new URL(each).host).join(',');
  const [first = ''] = urls;
  return `${first.replace(new URL(first).host, hosts)}?target_session_attrs=read-write`;
}

const insert = (id: number) => sql`insert into note (id) values (${id})`;
const isDone = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => true,
    () => false,
  );
const notesOf = async (host: ReplicatedDatabase['primary']) =>
  (await host.ask<{ id: number }>('select id from note order by id')).map(({ id }) => id);

test('of several hosts the one that takes writes is found, wherever it stands in the list', async () => {
  await insert(1);
  await inTransaction(sql, (tx) => tx`insert into note (id) values (2)`);
  assert.deepEqual(await notesOf(database.primary), [1, 2]);
});

test('after a failover writes go to the successor, and never to the former primary that wakes up', {
  timeout: patience(120_000),
}, async () => {
  const topics: string[] = [];
  notifications.subscribe({ changed: (topic) => topics.push(topic), lost: () => {} });
  await eventually(async () => (await notesOf(database.standby)).length === 2);
  database.primary.freeze();
  await database.standby.ask('select pg_promote()');
  await eventually(() => isDone(insert(3)));
  await eventually(() => notifications.isConnected());
  await database.standby.ask(`select pg_notify('changed', 'after the failover')`);
  await eventually(() => topics.includes('after the failover'));

  database.primary.wake();
  for (let id = 10; id < 40; id += 1)
    await inTransaction(sql, (tx) => tx`insert into note (id) values (${id})`);
  const former = await notesOf(database.primary);
  assert.deepEqual(
    former.filter((id) => id >= 10),
    [],
  );
  assert.equal((await notesOf(database.standby)).filter((id) => id >= 10).length, 30);
});

test('a pool that is opened while both take writes goes to the successor; with the former alone it cannot know (the control)', async () => {
  const both = openPool(severalHosts(database.primary.url, database.standby.url));
  const alone = openPool(database.primary.url);
  await both`insert into note (id) values (50)`;
  await alone`insert into note (id) values (51)`;
  await Promise.all([both.end(), alone.end()]);
  assert.deepEqual(
    (await notesOf(database.standby)).filter((id) => id >= 50),
    [50],
  );
  assert.deepEqual(
    (await notesOf(database.primary)).filter((id) => id >= 50),
    [51],
  );
});

test('a server that becomes read-only costs a 503 that says nothing was written, and is used again afterwards', {
  timeout: patience(60_000),
}, async () => {
  const [only] = addressesOf(database.standby.url);
  const pool = openPool(only ?? '', { max: 2 });
  const setReadOnly = async (value: string) => {
    await database.standby.ask(`alter system set default_transaction_read_only = ${value}`);
    await database.standby.ask('select pg_reload_conf()');
  };
  await setReadOnly('on');
  let refusal: unknown;
  await eventually(async () => {
    refusal = await pool`insert into note (id) values (60)`.then(
      () => undefined,
      (error) => error,
    );
    if (!refusal) await pool`delete from note where id = 60`;
    return refusal !== undefined;
  });
  const { code, isRetryable } = asProblem(refusal);
  assert.deepEqual([code, isRetryable], ['HTTP-R-503', true]);
  await setReadOnly('off');
  await eventually(() => isDone(pool`insert into note (id) values (61)`));
  await pool.end();
});

test('a host that cannot be used is named without its password', async () => {
  const config = readConfig({ DATABASE_URL: 'postgres://ann:s3cret@127.0.0.1:1,127.0.0.1:2/none' });
  await assert.rejects(
    connectDatabase(config, () => {}),
    (error: Error) => {
      assert.match(error.message, /127\.0\.0\.1:1, 127\.0\.0\.1:2/);
      assert.doesNotMatch(error.message, /s3cret/);
      return true;
    },
  );
});
