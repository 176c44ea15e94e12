import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { connectDatabase } from '../../src/db/connect.ts';
import { inTransaction, openPool, type Sql } from '../../src/db/database.ts';
import { type Notifications, openNotifications } from '../../src/db/notifications.ts';
import { asProblem } from '../../src/http/problems/framework-errors.ts';
import { addressesOf } from '../../src/kernel/database-address.ts';
import { type ReplicatedDatabase, startReplicated } from '../support/databases/standby.ts';
import { eventually } from '../support/eventually.ts';
import { patience } from '../support/patience.ts';

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

/** Stands before a host, and breaks connections of nodes that ask whether it is there. */
async function startProbeBreaker(url: string) {
  const { hostname, port, host } = new URL(url);
  let broken = 0;
  let isBreaking = false;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const behind = net.connect(Number(port), hostname);
    let isProbe = false;
    for (const socket of [client, behind]) sockets.add(socket);
    client.on('data', (data) => {
      isProbe ||= data.includes('maitred liveness');
      if (!isProbe || !isBreaking) return void behind.write(data);
      isBreaking = false;
      broken += 1;
      client.destroy();
    });
    behind.on('data', (data) => client.write(data));
    client.on('error', () => {}).on('close', () => behind.destroy());
    behind.on('error', () => {}).on('close', () => client.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: url.replace(host, `127.0.0.1:${(server.address() as AddressInfo).port}`),
    /** The next question gets a broken connection instead of an answer. */
    breakOnce() {
      isBreaking = true;
    },
    broken: () => broken,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('a connection that asks whether a host is there may break, and nothing else ends with it', async (t) => {
  const fronts = await Promise.all([database.standby.url, database.primary.url].map(startProbeBreaker));
  const warnings: string[] = [];
  const log = { warn: (line: string) => void warnings.push(line), info: () => {} };
  const pool = openPool(severalHosts(...fronts.map((front) => front.url)), { log });
  t.after(async () => {
    await pool.end({ timeout: 1 });
    for (const front of fronts) front.close();
  });
  await inTransaction(pool, async (tx) => {
    await tx`insert into note (id) values (100)`;
    for (const times of [1, 2]) {
      for (const front of fronts) front.breakOnce();
      await eventually(() => fronts.every((front) => front.broken() === times));
      // It is asked every half second.
      await tx`select pg_sleep(1)`;
    }
    await tx`delete from note where id = 100`;
  });
  assert.deepEqual(warnings, []);
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
  // Until it is noticed that the primary stands still, the connection to it counts as one.
  await eventually(async () => {
    await database.standby.ask(`select pg_notify('changed', 'after the failover')`);
    return topics.includes('after the failover');
  });
  assert.ok(notifications.isConnected());

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
