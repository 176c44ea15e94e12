import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inSnapshot, openPool } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openReplicas } from '../../src/db/reads.ts';
import { seedDemo } from '../../src/demo/seed.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { startMortalNode } from '../faults/booking-clients.ts';
import { addRoom, startsApart } from '../race/venues.ts';
import { type ReplicatedDatabase, startReplicated } from '../support/databases/standby.ts';
import { eventually } from '../support/eventually.ts';
import type { NodeProcess } from '../support/node-process.ts';
import { patience } from '../support/patience.ts';

/** Two nodes that read from a standby. It stops replaying where a test says so, which is lag that lasts. */

let database: ReplicatedDatabase;
let writer: NodeProcess;
let reader: NodeProcess;
let productId: string;

before(async () => {
  database = await startReplicated(async (url) => {
    const sql = openPool(url, { max: 2 });
    await migrate(sql);
    await seedDemo(sql, systemClock);
    productId = await addRoom(sql, 20);
    await sql.end();
  });
  const start = () =>
    startMortalNode(database.primary.url, { DATABASE_READ_URL: database.standby.url, LOG_LEVEL: 'silent' });
  [writer, reader] = await Promise.all([start(), start()]);
  await eventually(async () => {
    await listBookings();
    return (await readsOf(reader)).caught_up > 0;
  });
});
after(async () => {
  for (const node of [writer, reader]) {
    node?.child.kill('SIGKILL');
    await node?.exit;
  }
  await database?.close();
});

const tokens = new Map<string, string>();

async function call(
  node: NodeProcess,
  path: string,
  { as = 'demo-partner', ...init }: RequestInit & { as?: string } = {},
) {
  const known = tokens.get(as) ?? (await fetchToken(as));
  tokens.set(as, known);
  const response = await fetch(new URL(path, node.address), {
    ...init,
    headers: { authorization: `Bearer ${known}`, 'content-type': 'application/json', ...init.headers },
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of several shapes are looked into.
  return { status: response.status, body: (await response.json()) as any };
}

async function fetchToken(clientId: string): Promise<string> {
  const response = await fetch(new URL('/oauth/token', writer.address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: `${clientId}-secret`,
      audience: 'maitred',
    }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function listBookings(): Promise<string[]> {
  const { status, body } = await call(reader, '/venues/bookings?pageSize=50');
  assert.equal(status, 200, JSON.stringify(body));
  return body.data.map(({ id }: { id: string }) => id);
}

const starts = startsApart(20);
let booked = 0;
async function book(): Promise<string> {
  const { status, body } = await call(writer, `/venues/${encodeURIComponent(productId)}/booking`, {
    method: 'POST',
    body: JSON.stringify({
      ...{ type: 'book', partySize: 2, firstName: 'Ada', lastName: 'Lovelace' },
      ...starts[booked],
    }),
  });
  booked += 1;
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}

/** How many reads of a node went where, as its metrics say. */
async function readsOf({ address }: NodeProcess) {
  const text = await (await fetch(new URL('/metrics', address))).text();
  const of = (reason: string) =>
    Number(new RegExp(`^db_reads_total\\{.*reason="${reason}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return { caught_up: of('caught_up'), behind: of('behind'), away: of('away'), failed: of('failed'), text };
}

const pause = () => database.standby.ask('select pg_wal_replay_pause()');
const resume = () => database.standby.ask('select pg_wal_replay_resume()');

test('a list is read from the standby, with what was booked a moment before on another node', async () => {
  const id = await book();
  assert.ok((await listBookings()).includes(id));
  const before = await readsOf(reader);
  await eventually(async () => {
    assert.ok((await listBookings()).includes(id));
    return (await readsOf(reader)).caught_up > before.caught_up;
  });
  assert.match(before.text, /^db_replica_lag_bytes\{host="127\.0\.0\.1:\d+"\} \d+/m);
});

test('what a standby has not replayed yet is read from the primary, on any node', {
  timeout: patience(60_000),
}, async (t) => {
  await pause();
  t.after(resume);
  const before = await readsOf(reader);
  for (let count = 0; count < 5; count += 1) {
    const id = await book();
    assert.deepEqual(
      await database.standby.ask(`select id from booking where id = '${id}'`),
      [],
      'the standby lags, or this test shows nothing',
    );
    assert.ok((await listBookings()).includes(id));
  }
  const after = await readsOf(reader);
  assert.equal(after.caught_up, before.caught_up);
  assert.ok(after.behind >= before.behind + 5);
});

test('nothing stale is kept in memory while a standby lags, and none of it is shown afterwards', {
  timeout: patience(60_000),
}, async (t) => {
  const venue = '/venues/1%7Chouse%7Csoho-grill';
  const nameOf = async () => (await call(reader, venue)).body.name;
  const listed = async () =>
    (await call(reader, '/venues?pageSize=100')).body.data.map(({ name }: { name: string }) => name);
  const rename = async (name: string) => {
    const path = '/manage/venues/1%7Chouse%7Csoho-grill';
    const { body: known } = await call(writer, path, { as: 'demo-operator' });
    const { status, body } = await call(writer, path, {
      as: 'demo-operator',
      method: 'PUT',
      body: JSON.stringify({ ...known, name }),
    });
    assert.equal(status, 200, JSON.stringify(body));
  };
  await nameOf();
  await listed();
  await pause();
  t.after(resume);
  for (const name of ['Soho Grill I', 'Soho Grill II', 'Soho Grill III']) {
    await rename(name);
    // The node hears of it a moment after the answer.
    await eventually(async () => (await nameOf()) === name);
    await eventually(async () => (await listed()).includes(name));
  }
  await resume();
  const before = await readsOf(reader);
  await eventually(async () => {
    await listBookings();
    assert.equal(await nameOf(), 'Soho Grill III');
    assert.ok((await listed()).includes('Soho Grill III'));
    return (await readsOf(reader)).caught_up > before.caught_up;
  });
});

test('a read that a standby cancels is answered by the primary', { timeout: patience(60_000) }, async (t) => {
  const { primary, standby } = database;
  await primary.ask('create table short_lived as select generate_series(1, 1000) as id');
  await standby.ask('alter system set max_standby_streaming_delay = 0');
  await standby.ask('select pg_reload_conf()');
  const sql = openPool(primary.url, { max: 2 });
  const replicas = openReplicas(standby.url, { sql, pool: { max: 2 } });
  t.after(() => Promise.all([replicas.close(), sql.end()]));
  await eventually(async () => {
    await replicas.read((on) => on`select 1`);
    return (replicas.counts.get('caught_up') ?? 0) > 0;
  });
  let isFirst = true;
  const rows = await replicas.read((on) =>
    inSnapshot(on, async (tx) => {
      const [row] = await tx<[{ count: number; isStandby: boolean }]>`
        select count(*)::int as count, pg_is_in_recovery() as "isStandby" from short_lived`;
      if (isFirst) {
        isFirst = false;
        assert.equal(row.isStandby, true);
        await primary.ask('delete from short_lived');
        await primary.ask('vacuum short_lived');
        // Until it is cancelled.
        await tx`select pg_sleep(30)`;
      }
      return row;
    }),
  );
  assert.deepEqual(rows, { count: 0, isStandby: false });
  assert.equal(replicas.counts.get('failed'), 1);
});

test('in a new cluster, where timelines begin anew, standbys answer reads again', async () => {
  await database.primary.ask(
    `insert into database_timeline (timeline, noted_at) values (1000, now() + interval '1 hour')`,
  );
  await listBookings();
  const before = await readsOf(reader);
  await eventually(async () => {
    await listBookings();
    return (await readsOf(reader)).caught_up > before.caught_up;
  });
});

test('without its standby a node is ready, and reads from the primary', {
  timeout: patience(60_000),
}, async () => {
  await database.standby.kill();
  await eventually(async () => {
    await listBookings();
    return (await readsOf(reader)).away > 0;
  });
  const id = await book();
  assert.ok((await listBookings()).includes(id));
  assert.equal((await fetch(new URL('/health/ready', reader.address))).status, 200);
});
