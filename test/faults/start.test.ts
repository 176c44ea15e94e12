import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openPool } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded/embedded.ts';
import { createTestDatabase } from '../support/databases/database.ts';
import { type Ended, runToEnd } from '../support/node-process.ts';
import { scratchFolder } from '../support/scratch.ts';
import { serverProcesses } from '../support/server-processes.ts';

function dataDirOf(t: TestContext): string {
  return join(scratchFolder(t), 'data');
}

/** Exit code 1 and one sentence, nothing else, on standard error. */
function assertRefused(ended: Ended, sentence: RegExp): void {
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, sentence);
  assert.match(ended.stderr, /^[^\n]+\.\n$/);
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('a taken port is refused before a database is made', async (t) => {
  const dataDir = dataDirOf(t);
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  const ended = await runToEnd({ env: { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(port) } });
  assertRefused(ended, new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use`));
  assert.equal(statSync(dataDir, { throwIfNoEntry: false }), undefined);
});

test('a setting that makes no sense is refused', async () => {
  assertRefused(await runToEnd({ env: { PORT: 'many' } }), /^PORT must be a whole number/);
});

test('a host that is not of this machine is refused', async (t) => {
  const ended = await runToEnd({ env: { DATA_DIR: dataDirOf(t), HOST: '192.0.2.1' } });
  assertRefused(ended, /^HOST 192\.0\.2\.1 is not an address of this machine/);
});

test('a data folder that cannot be written is refused by name', async (t) => {
  const file = join(scratchFolder(t), 'file');
  writeFileSync(file, '');
  assertRefused(
    await runToEnd({ env: { DATA_DIR: join(file, 'data') } }),
    new RegExp(`^DATA_DIR ${file}/data`),
  );
});

test('a database that does not answer is refused with its place and without its password', async (t) => {
  const port = await closedPort();
  const url = `postgres://maitred:hunter2@127.0.0.1:${port}/maitred`;
  const ended = await runToEnd({ env: { DATA_DIR: dataDirOf(t), DATABASE_URL: url } });
  assertRefused(ended, new RegExp(`127\\.0\\.0\\.1:${port}`));
  assert.doesNotMatch(ended.stderr, /hunter2/);
});

test('a wrong password is refused without repeating it', async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  const url = new URL(database.url);
  url.password = 'hunter2';
  const ended = await runToEnd({ env: { DATA_DIR: dataDirOf(t), DATABASE_URL: url.href } });
  assertRefused(ended, /password authentication failed/);
  assert.doesNotMatch(ended.stderr, /hunter2/);
});

test('a start that fails half-way takes the database it started down again', async (t) => {
  const dataDir = dataDirOf(t);
  const server = await startEmbedded({ dataDir });
  const sql = openPool(server.url, { max: 1 });
  await sql`create table schema_migration (version integer, name text, checksum text, applied_at timestamptz)`;
  await sql`insert into schema_migration values (9999, '9999_future.sql', '', now())`;
  await sql.end();
  await server.stop();
  const ended = await runToEnd({ env: { DATA_DIR: dataDir } });
  assertRefused(ended, /newer than this program.*9999_future/);
  if (process.platform === 'linux') assert.deepEqual(serverProcesses(dataDir), []);
});

test('an ordinary user is told about a data folder of somebody else', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can make folders of others');
  const folder = scratchFolder(t);
  const theirs = join(folder, 'data');
  mkdirSync(theirs, { mode: 0o755 });
  chownSync(theirs, 0, 0);
  const ended = await runToEnd({ env: { DATA_DIR: theirs }, identity: { uid: 65_534, gid: 65_534 } });
  assertRefused(ended, new RegExp(`^DATA_DIR ${theirs} cannot be written to`));
});
