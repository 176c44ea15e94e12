/** `npm run demo:remote` as a reader runs it: against a node that is another process, and with what it prints copied into a shell. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { tryPort } from '../../src/kernel/network.ts';
import { ROOT } from '../docs/blocks.ts';
import { type Ran, runSession, variablesOf } from '../docs/session.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import { eventually } from '../support/eventually.ts';
import { type NodeProcess, startNodeProcess } from '../support/node-process.ts';
import { scratchFolder } from '../support/scratch.ts';

const skip = spawnSync('curl', ['--version']).status === 0 ? false : 'There is no curl on this machine.';
const inFullOnly = process.env.MAITRED_TEST_ALL === '1' ? false : 'takes a database server of its own';
const PATH = process.env.PATH ?? '';

let database: TestDatabase;
let node: NodeProcess;
before(async () => {
  database = await createTestDatabase({ hasDemo: true });
  const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
  const DATA_DIR = scratchFolder({ after });
  node = await startNodeProcess({
    // What is waited for is asked for every few milliseconds.
    env: { DATABASE_URL: database.url, ENCRYPTION_KEY, DATA_DIR, RATE_LIMIT: '0' },
  });
});
after(async () => {
  node.child.kill('SIGTERM');
  await node.exit;
  await database.drop();
});

interface Demo {
  child: ChildProcess;
  exit: Promise<number | null>;
  said(): string;
}

/** Started, and whatever becomes of the test ended. */
function startDemo(t: TestContext, address: string, env: Record<string, string> = {}): Demo {
  const child = spawn(process.execPath, ['scripts/demo-remote.ts', address], {
    cwd: ROOT,
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  const exit = once(child, 'close').then(([code]) => code as number | null);
  t.after(async () => {
    child.kill('SIGTERM');
    await exit;
  });
  return { child, exit, said: () => said };
}

async function ready({ child, said }: Demo): Promise<string> {
  await eventually(() => said().includes('Ctrl-C ends') || child.exitCode !== null);
  assert.equal(child.exitCode, null, said());
  return said();
}

function wentWell({ status, printed, complained }: Ran): string {
  assert.equal(status, 0, printed + complained);
  return printed;
}

/** What is printed to be copied, block by block. */
const blocksIn = (said: string) =>
  (said.split('Try it in another terminal:\n')[1] ?? '')
    .split('\n\n')
    .map((block) => block.trim())
    .filter((block) => block.startsWith('#'));

test('what it prints can be copied: booked here, moved and cancelled at the venue, seen here', {
  skip,
}, async (t) => {
  const demo = startDemo(t, node.address);
  const said = await ready(demo);
  for (const line of [
    'The sandbox at',
    'added: venue Harbour Kitchen',
    'They are applied',
    'is mapped to demo-partner',
  ])
    assert.ok(said.includes(line), said);

  const [folder, later] = [scratchFolder(t), scratchFolder(t)];
  const commands = blocksIn(said);
  assert.equal(commands.length, 7);
  const ran = await runSession({ commands: commands.slice(0, 5), env: { PATH }, folder });
  const printed = ran.map(wentWell);
  const { ID = '', TOKEN = '' } = variablesOf(folder, ['ID', 'TOKEN']);
  assert.match(printed[1] ?? '', /19:30/);
  assert.equal(printed[2], ID);
  assert.equal(JSON.parse(printed[3] ?? '')[0].id, ID);
  assert.equal(JSON.parse(printed[4] ?? '').time, '20:30');

  const booking = async () => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    return (await fetch(`${node.address}/venues/bookings/${ID}`, { headers })).json();
  };
  await eventually(async () => (await booking()).time === '20:30');
  const env = { PATH, ID, TOKEN };
  const [read = ''] = (await runSession({ commands: commands.slice(5), env, folder: later })).map(wentWell);
  const { status, time } = JSON.parse(read);
  assert.deepEqual([status, time], ['confirmed', '20:30']);
  await eventually(async () => (await booking()).status === 'cancelled');
  demo.child.kill('SIGINT');
  assert.equal(await demo.exit, 0);
});

test('run again it finds everything there, with a system at another address', { skip }, async (t) => {
  const said = await ready(startDemo(t, node.address));
  assert.match(said, /0 differences from here/);
  assert.doesNotMatch(said, /added:|They are applied/);
  const commands = blocksIn(said).slice(0, 4);
  const ran = await runSession({ commands, env: { PATH }, folder: scratchFolder(t) });
  const [, , booked, seen = ''] = ran.map(wentWell);
  assert.equal(JSON.parse(seen)[0].id, booked);
});

test('what is no sandbox, and what is no address, ends it with a sentence', async (t) => {
  const wrong = startDemo(t, 'ftp://127.0.0.1');
  assert.equal(await wrong.exit, 1);
  assert.match(wrong.said(), /^npm run demo:remote/);
  const closed = `http://127.0.0.1:${await tryPort('127.0.0.1', 0)}`;
  const live = startDemo(t, closed, { ENVIRONMENT: 'staging', DATA_DIR: scratchFolder(t) });
  assert.equal(await live.exit, 1);
  assert.match(live.said(), /^This is for ENVIRONMENT=sandbox alone\.\n$/);
});

test('where no sandbox listens it starts one, and leaves nothing behind', { skip: inFullOnly }, async (t) => {
  const address = `http://127.0.0.1:${await tryPort('127.0.0.1', 0)}`;
  const demo = startDemo(t, address);
  await ready(demo);
  assert.equal((await fetch(`${address}/health/ready`)).status, 200);
  const [, folder = ''] = /one is started in (\S+)\.\n/.exec(demo.said()) ?? [];
  assert.ok(existsSync(join(folder, 'postgres')), folder);
  demo.child.kill('SIGINT');
  assert.equal(await demo.exit, 0);
  assert.ok(!existsSync(folder));
});
