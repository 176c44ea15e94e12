import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openPool } from '../../src/db/database.ts';
import { type DatabaseServer, startEmbedded } from '../../src/db/embedded/embedded.ts';
import { prepareInstallation } from '../../src/db/embedded/files.ts';
import { run } from '../../src/db/embedded/unprivileged.ts';
import { StartError } from '../../src/kernel/problem.ts';
import { scratchFolder } from '../support/scratch.ts';
import { killServer, serverProcesses } from '../support/server-processes.ts';

const linuxOnly = { skip: process.platform === 'linux' ? false : 'looks at processes through /proc' };

function dataDirOf(t: TestContext): string {
  return join(scratchFolder(t), 'data');
}

async function query(server: DatabaseServer, text: string) {
  const sql = openPool(server.url, { max: 1 });
  try {
    return [...(await sql.unsafe(text))];
  } finally {
    await sql.end();
  }
}

/** A server with one row, killed without warning. */
async function crashedServer(dataDir: string): Promise<void> {
  const server = await startEmbedded({ dataDir });
  await query(server, 'create table kept as select 42 as answer');
  await killServer(dataDir);
  await server.stop();
}

async function assertKept(dataDir: string): Promise<void> {
  const server = await startEmbedded({ dataDir });
  assert.deepEqual(await query(server, 'select answer from kept'), [{ answer: 42 }]);
  await server.stop();
  assert.deepEqual(serverProcesses(dataDir), []);
}

test('a new server is durable, checks its pages, sorts by Unicode and listens on loopback only', async (t) => {
  const dataDir = dataDirOf(t);
  const lines: string[] = [];
  const server = await startEmbedded({ dataDir, progress: (line) => lines.push(line) });
  assert.deepEqual(lines, ['Creating the database …', 'Starting PostgreSQL …']);
  const settings = await query(
    server,
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes',
       'data_checksums', 'listen_addresses', 'unix_socket_directories', 'server_encoding') order by name`,
  );
  assert.deepEqual(Object.fromEntries(settings.map(({ name, setting }) => [name, setting])), {
    data_checksums: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    listen_addresses: '127.0.0.1',
    server_encoding: 'UTF8',
    synchronous_commit: 'on',
    unix_socket_directories: '',
  });
  const names = await query(
    server,
    `select n from unnest(array['Zoé', 'ähre', 'Ahorn']) n order by n collate "und-x-icu"`,
  );
  assert.deepEqual(
    names.map(({ n }) => n),
    ['Ahorn', 'ähre', 'Zoé'],
  );
  assert.equal(statSync(join(dataDir, 'postgres', 'password')).mode & 0o777, 0o600);
  await server.stop();
});

test('nodes that share a folder share one server, and the last one stops it', linuxOnly, async (t) => {
  const dataDir = dataDirOf(t);
  const [first, second] = await Promise.all([startEmbedded({ dataDir }), startEmbedded({ dataDir })]);
  assert.equal(first.url, second.url);
  await first.stop();
  assert.deepEqual(await query(second, 'select 1 as one'), [{ one: 1 }]);
  await second.stop();
  assert.deepEqual(serverProcesses(dataDir), []);
});

test('what was written survives a server that was killed', linuxOnly, async (t) => {
  const dataDir = dataDirOf(t);
  await crashedServer(dataDir);
  await assertKept(dataDir);
});

test(
  'a process that got the number of a dead server does not keep the next one from starting',
  linuxOnly,
  async (t) => {
    const dataDir = dataDirOf(t);
    await crashedServer(dataDir);
    const { bin, home, identity } = await prepareInstallation(dataDir);
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', ...identity });
    t.after(() => stranger.kill());
    const lockFile = join(home, 'cluster', 'postmaster.pid');
    const [, ...rest] = readFileSync(lockFile, 'utf8').split('\n');
    writeFileSync(lockFile, [stranger.pid, ...rest].join('\n'));
    // The control: left to itself, PostgreSQL takes the stranger for its predecessor.
    const alone = await run(
      join(bin, 'pg_ctl'),
      ['-D', join(home, 'cluster'), '-l', join(home, 'alone.log'), 'start'],
      identity,
    );
    assert.notEqual(alone.code, 0);
    assert.match(readFileSync(join(home, 'alone.log'), 'utf8'), /lock file "postmaster.pid" already exists/);
    await assertKept(dataDir);
  },
);

test('a lock file that was never finished is discarded', linuxOnly, async (t) => {
  const dataDir = dataDirOf(t);
  await crashedServer(dataDir);
  writeFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), '');
  await assertKept(dataDir);
});

test('a database that was being created when its node died is created anew', async (t) => {
  const dataDir = dataDirOf(t);
  mkdirSync(dataDir, { mode: 0o711 });
  const { home, identity } = await prepareInstallation(dataDir);
  const half = join(home, 'cluster.new-1');
  await run('mkdir', [half], identity);
  writeFileSync(join(half, 'PG_VERSION'), '18');
  const server = await startEmbedded({ dataDir });
  assert.deepEqual(await query(server, 'select 1 as one'), [{ one: 1 }]);
  assert.equal(statSync(half, { throwIfNoEntry: false }), undefined);
  await server.stop();
});

test('a server that cannot start says so in one sentence with the place of its log', linuxOnly, async (t) => {
  const dataDir = dataDirOf(t);
  await crashedServer(dataDir);
  const home = realpathSync(join(dataDir, 'postgres'));
  writeFileSync(join(home, 'cluster', 'postgresql.conf'), 'no_such_setting = 1\n');
  await assert.rejects(startEmbedded({ dataDir }), (error) => {
    assert.ok(error instanceof StartError);
    assert.equal(error.message.split('\n').length, 1);
    assert.match(error.message, /^PostgreSQL did not start \(.*\); see .*server\.log\.$/);
    return true;
  });
});

test('a server that cannot even write to its log gives the reason', linuxOnly, async (t) => {
  const dataDir = dataDirOf(t);
  await crashedServer(dataDir);
  chmodSync(join(dataDir, 'postgres', 'server.log'), 0o400);
  await assert.rejects(startEmbedded({ dataDir }), (error) => {
    assert.ok(error instanceof StartError);
    assert.equal(error.message.split('\n').length, 1);
    assert.match(error.message, /^PostgreSQL did not start \(.*Permission denied\); see .*server\.log\.$/);
    return true;
  });
});
