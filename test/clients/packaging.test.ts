/** The packages as their users get them: packed, and installed into an empty folder without a network. */
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  compile,
  emptyFolder,
  installOffline,
  type Packed,
  pack,
  ROOT,
  run,
  SETTINGS,
} from '../../proof/packages/installing.ts';
import { tryPort } from '../../src/kernel/network.ts';
import { startSandbox } from '../examples/support.ts';

const QUICKSTART = join(ROOT, 'examples', 'quickstart.ts');
const MOST_LINES = 30;
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const inFullOnly =
  process.env.MAITRED_TEST_ALL === '1' ? false : 'npm run packages does it; it takes minutes';

const started = new AsyncDisposableStack();
const folders = started.use(new DisposableStack());
after(() => started.disposeAsync());
const tarballs = emptyFolder(folders, 'tarballs');
const clientFolder = emptyFolder(folders, 'client');
let client: Packed;
let commandLine: Packed;
let address: string;

before(async () => {
  client = await pack('typescript', tarballs);
  commandLine = await pack('cli', tarballs);
  await installOffline(client.tarball, clientFolder);
  address = await startSandbox(started, { WEBHOOK_ALLOW_LOOPBACK: 'true' });
});

test('the tarballs have what is used, and nothing else', () => {
  const isSource = (file: string) => /^src\/[a-z-]+\.ts$/.test(file);
  const isBuilt = (file: string) => /^dist\/[a-z-]+\.(js|d\.ts)$/.test(file);
  const stray = client.files.filter((file) => !isSource(file) && !isBuilt(file));
  assert.deepEqual(stray, ['README.md', 'package.json']);
  for (const file of ['dist/index.js', 'dist/index.d.ts', 'src/index.ts'])
    assert.ok(client.files.includes(file));
  assert.deepEqual(
    commandLine.files.filter((file) => file !== 'README.md'),
    ['dist/maitred.js', 'package.json'],
  );
  assert.ok(client.size < 150_000, `the client is ${client.size} bytes`);
  assert.ok(commandLine.size < 250_000, `the command line is ${commandLine.size} bytes`);
});

test('the installed client depends on nothing', () => {
  const { packages } = JSON.parse(readFileSync(join(clientFolder, 'package-lock.json'), 'utf8'));
  assert.deepEqual(Object.keys(packages), ['', 'node_modules/@maitred/client']);
});

test('a program that uses the installed client type-checks and books', async () => {
  const [setting] = SETTINGS;
  assert.equal(await compile(TSC, clientFolder, setting), '');
  const date = Temporal.Now.plainDateISO('Europe/London').add({ days: 12 }).toString();
  const { stdout, stderr } = await run(process.execPath, ['start.mjs', address, date], { cwd: clientFolder });
  assert.equal(JSON.parse(stdout || '{}').status, 'confirmed', stderr);
});

test('the quick start goes from an empty folder to a booking and its webhook, in thirty lines', async () => {
  const lines = readFileSync(QUICKSTART, 'utf8').trimEnd().split('\n');
  assert.ok(lines.length <= MOST_LINES, `it has ${lines.length} lines`);
  const folder = emptyFolder(folders, 'quickstart');
  await installOffline(client.tarball, folder);
  copyFileSync(QUICKSTART, join(folder, 'quickstart.ts'));
  const env = { MAITRED_URL: address, PORT: String(await tryPort('127.0.0.1', 0)) };
  const { code, stdout, stderr } = await run(process.execPath, ['quickstart.ts'], { cwd: folder, env });
  assert.equal(code, 0, stderr);
  const [, booked] = /^booking (\S+) at .* is confirmed$/m.exec(stdout) ?? [];
  const [, told] = /^webhook: booking (\S+) is confirmed$/m.exec(stdout) ?? [];
  assert.ok(booked, stdout);
  assert.equal(told, booked);
});

test('the installed command line runs', async () => {
  const folder = emptyFolder(folders, 'cli');
  await installOffline(commandLine.tarball, folder);
  const program = join('node_modules', '.bin', 'maitred');
  const { stdout, stderr } = await run(process.execPath, [program, '--version'], { cwd: folder });
  assert.equal(stdout.trim(), commandLine.version, stderr);
});

test('both packages on every runtime and compiler that can be had', { skip: inFullOnly }, async () => {
  const program = join(ROOT, 'proof', 'packages', 'run.ts');
  const args = ['--conditions=maitred-source', program, '--no-report'];
  const { code, stderr } = await run(process.execPath, args, { cwd: ROOT });
  assert.equal(code, 0, stderr);
});
