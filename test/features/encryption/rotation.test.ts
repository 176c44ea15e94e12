/** A key is replaced on running nodes, one of which is killed over and over, while bookings are made. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createKeyring, seal } from '../../../src/kernel/crypto.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type NodeProcess, runToEnd, startNodeProcess } from '../../support/node-process.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { DINNER, freeDay } from '../bookings/support.ts';

const [A, B] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64')) as [string, string];
const EVENTS = 3000;
const KILLS = 3;

let database: TestDatabase;
const running = new Set<NodeProcess>();
before(async () => {
  database = await createTestDatabase({ hasDemo: true });
});
after(async () => {
  for (const node of running) node.child.kill('SIGKILL');
  await Promise.all([...running].map(({ exit }) => exit));
  await database.drop();
});

async function start(keys: string, dataDir: string): Promise<NodeProcess> {
  const env = { DATABASE_URL: database.url, ENCRYPTION_KEY: keys, DATA_DIR: dataDir, RATE_LIMIT: '0' };
  const node = await startNodeProcess({ env });
  running.add(node);
  return node;
}

async function end(node: NodeProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  node.child.kill(signal);
  await node.exit;
  running.delete(node);
}

async function tokenOf({ address }: NodeProcess, client: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client,
    client_secret: `${client}-secret`,
    audience: 'maitred',
  });
  const answer = await fetch(`${address}/oauth/token`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into.
async function read(node: NodeProcess, client: string, path: string): Promise<any> {
  const headers = { authorization: `Bearer ${await tokenOf(node, client)}` };
  const answer = await fetch(`${node.address}${path}`, { headers });
  assert.equal(answer.status, 200, path);
  return answer.json();
}

async function book(node: NodeProcess, lastName: string): Promise<string> {
  const headers = {
    authorization: `Bearer ${await tokenOf(node, 'demo-partner')}`,
    'content-type': 'application/json',
  };
  const date = freeDay();
  const guest = { firstName: 'Ada', lastName, email: 'ada@example.com', phone: '+442079460001' };
  const body = JSON.stringify({ type: 'book', date, time: '19:00', partySize: 2, ...guest });
  const url = `${node.address}/venues/${encodeURIComponent(DINNER)}/booking`;
  const answer = await fetch(url, { method: 'POST', headers, body });
  const made = (await answer.json()) as { id: string };
  assert.equal(answer.status, 201, JSON.stringify(made));
  return made.id;
}

const encryption = async (node: NodeProcess) => (await read(node, 'demo-admin', '/manage/health')).encryption;

async function assertReadable(node: NodeProcess, guests: ReadonlyMap<string, string>): Promise<void> {
  for (const [id, lastName] of guests) {
    assert.equal((await read(node, 'demo-partner', `/venues/bookings/${id}`)).lastName, lastName);
    const found = await read(node, 'demo-operator', `/manage/operators/1/bookings?guest=${lastName}`);
    assert.ok(
      found.data.some((each: { id: string }) => each.id === id),
      `${lastName} is not found`,
    );
  }
}

/** Enough that re-sealing takes a while. */
async function writeEvents(): Promise<void> {
  const keys = createKeyring([Buffer.from(A, 'base64')]);
  const rows = Array.from({ length: EVENTS }, () => {
    const id = randomUUID();
    return { id, body: `\\x${seal(keys, '{}', `event:${id}`).toString('hex')}` };
  });
  await database.sql`
    insert into event (id, type, partner_id, venue_id, occurred_at, body)
    select id, 'booking.created', 999, '1|house|soho-grill', now(), body
    from jsonb_to_recordset(${database.sql.json(rows)}) as row (id uuid, body bytea)`;
}

test('a key is replaced under way, whoever dies meanwhile', async (t) => {
  const dataDir = scratchFolder(t);
  const guests = new Map<string, string>();
  const old = await start(A, dataDir);
  guests.set(await book(old, 'Before'), 'Before');
  await writeEvents();
  await end(old, 'SIGTERM');

  const steady = await start(`${B},${A}`, dataDir);
  await assertReadable(steady, guests);
  const lacking = await runToEnd({
    env: { DATABASE_URL: database.url, ENCRYPTION_KEY: B, DATA_DIR: dataDir },
  });
  assert.equal(lacking.code, 1);
  assert.match(lacking.stderr, /lacks the key with the id [0-9a-f]{8}/);
  // As if the node before had stopped a while ago.
  await database.sql`update encryption_key set used_at = used_at - interval '1 minute'`;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const mortal = await start(`${B},${A}`, dataDir);
    const name = `During${'abc'[kill]}`;
    guests.set(await book(mortal, name), name);
    await end(mortal, 'SIGKILL');
  }
  await eventually(async () => (await encryption(steady)).state === 'settled');
  const { keys, remaining, waitingFor } = await encryption(steady);
  assert.deepEqual([keys.length, remaining, waitingFor], [2, 0, []]);
  assert.deepEqual(
    keys.filter(({ isNeeded }: { isNeeded: boolean }) => isNeeded).map(({ id }: { id: string }) => id),
    [createKeyring([Buffer.from(B, 'base64')]).first.id],
  );
  await end(steady, 'SIGTERM');

  const alone = await start(B, dataDir);
  await assertReadable(alone, guests);
  const { header } = createKeyring([Buffer.from(A, 'base64')]).first;
  const [left] =
    await database.sql`select count(*)::int from event where substring(body from 1 for 5) = ${header}`;
  assert.equal(left?.count, 0);
  await end(alone, 'SIGTERM');
  const refused = await runToEnd({
    env: { DATABASE_URL: database.url, ENCRYPTION_KEY: A, DATA_DIR: dataDir },
  });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /ENCRYPTION_KEY is not the key/);
});
