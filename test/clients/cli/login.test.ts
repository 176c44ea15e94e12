import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { isReadable } from '../../../clients/cli/src/commands/login.ts';
import type { TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { createHome, startListening } from './support.ts';

let maitred: TestApp;
let address: string;
before(async () => {
  ({ maitred, address } = await startListening());
});
after(() => maitred.close());

const LOGIN = ['login', '--client-id', 'demo-partner', '--secret-stdin'];
const SECRET = 'demo-partner-secret';

test('a login is verified, and stored where nobody else can read it', async (t) => {
  const home = createHome(t);
  const { code, stdout, stderr } = await home.run([...LOGIN, '--url', `${address}/`], {
    stdin: `${SECRET}\n`,
  });
  assert.deepEqual([code, stdout, stderr], [0, `Logged in at ${address} as demo-partner.\n`, '']);
  const folder = join(home.folder, 'maitred');
  const modes = [folder, join(folder, 'profiles.json')].map((path) =>
    (statSync(path).mode & 0o777).toString(8),
  );
  assert.deepEqual(modes, ['700', '600']);
  assert.deepEqual(readdirSync(folder), ['profiles.json']);
  const { scopes, clientId } = await home.json('whoami');
  assert.equal(clientId, 'demo-partner');
  assert.ok(scopes.includes('venue-booking:create'));
  const [profile] = await home.json('profiles');
  assert.deepEqual(profile, {
    name: 'default',
    url: address,
    clientId: 'demo-partner',
    partnerReference: null,
  });
  assert.equal(await home.print('profiles', '--names'), 'default\n');
  assert.equal(await home.print('logout'), 'Forgot default.\n');
  assert.deepEqual(await home.json('profiles'), []);
  assert.equal((await home.run(['logout'])).code, 3);
});

test('a wrong secret is refused, is in no message, and leaves the login before it in place', async (t) => {
  const home = createHome(t);
  await home.login('default', 'demo-partner', address);
  const refused = await home.run([...LOGIN, '--url', address], { stdin: 'not-the-secret' });
  assert.equal(refused.code, 3);
  assert.match(refused.stderr, /client secret is wrong.*\n.*invalid_client/);
  assert.doesNotMatch(refused.stderr + refused.stdout, /not-the-secret/);
  assert.equal((await home.json('whoami')).clientId, 'demo-partner');
});

test('a secret is taken from no argument', async (t) => {
  const home = createHome(t);
  for (const args of [
    ['--secret', 'x1y2'],
    ['--secret=x1y2'],
    ['--client-secret', 'x1y2'],
    ['--token=x1y2'],
  ]) {
    const { code, stderr } = await home.run(['login', '--client-id', 'demo-partner', ...args]);
    assert.equal(code, 2);
    assert.match(stderr, /history of the shell/);
    assert.doesNotMatch(stderr, /x1y2/);
  }
});

test('twelve logins at once are all stored', async (t) => {
  const home = createHome(t);
  const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
  await Promise.all(names.map((name) => home.login(name, 'demo-partner', address)));
  const stored: { name: string }[] = await home.json('profiles');
  assert.deepEqual(stored.map(({ name }) => name).sort(), names.toSorted());
  assert.deepEqual(readdirSync(join(home.folder, 'maitred')), ['profiles.json']);
});

test('a lock that a process left behind holds nobody up for good', async (t) => {
  const home = createHome(t);
  mkdirSync(join(home.folder, 'maitred'));
  const lock = join(home.folder, 'maitred', 'profiles.lock');
  writeFileSync(lock, '');
  const aMinuteAgo = new Date(Date.now() - 60_000);
  utimesSync(lock, aMinuteAgo, aMinuteAgo);
  await home.login('default', 'demo-partner', address);
  assert.deepEqual(readdirSync(join(home.folder, 'maitred')), ['profiles.json']);
});

test('the environment wins over the file, and gets no secret of another client from it', async (t) => {
  const home = createHome(t);
  await home.login('default', 'demo-partner', address);
  const other = { MAITRED_CLIENT_ID: 'other-partner', MAITRED_CLIENT_SECRET: 'other-partner-secret' };
  const { stdout } = await home.run(['whoami', '--json'], { env: other });
  assert.equal(JSON.parse(stdout).clientId, 'other-partner');
  const elsewhere = await home.run(['whoami'], { env: { MAITRED_URL: 'http://127.0.0.1:9' } });
  assert.equal(elsewhere.code, 3, 'the stored secret belongs to another service');
  const half = await home.run(['whoami'], { env: { MAITRED_CLIENT_ID: 'other-partner' } });
  assert.equal(half.code, 3);
  const named = await home.run(['whoami', '--json', '--profile', 'default'], { env: other });
  assert.equal(JSON.parse(named.stdout).clientId, 'demo-partner', 'a login that is named is meant');
});

test('an agent logs in for a partner', async (t) => {
  const home = createHome(t);
  const args = [
    'login',
    '--client-id',
    'demo-agent',
    '--secret-stdin',
    '--partner-reference',
    'demo-partner',
  ];
  const { code } = await home.run([...args, '--url', address], { stdin: 'demo-agent-secret' });
  assert.equal(code, 0);
  const venues = await home.json('venues', '--limit', '1');
  assert.equal(venues.length, 1);
});

test('who lets others read the file is told so', { skip: process.platform === 'win32' }, async (t) => {
  const home = createHome(t);
  await home.login('default', 'demo-partner', address);
  chmodSync(join(home.folder, 'maitred', 'profiles.json'), 0o644);
  const { code, stderr } = await home.run(['whoami']);
  assert.equal(code, 0);
  assert.match(stderr, /Other users can read your secrets.*chmod 600/);
});

test('the process list shows no secret', { skip: process.platform !== 'linux' }, async (t) => {
  const home = createHome(t);
  // Answers nothing, so that the login waits while the list is read.
  const silent = createServer(() => {});
  t.after(() => silent.closeAllConnections());
  t.after(() => void silent.close());
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const asked = once(silent, 'request');
  const child = home.start([...LOGIN, '--url', url]);
  const closed = once(child, 'close');
  child.stdin.end(SECRET);
  await asked;
  const line = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8');
  assert.match(line, /demo-partner/);
  assert.doesNotMatch(line, /demo-partner-secret/);
  child.kill('SIGINT');
  const [code] = await closed;
  assert.equal(code, 130);
});

const hasScript = spawnSync('script', ['--version']).status === 0;

test('the prompt asks for what is missing, and does not show the secret', { skip: !hasScript }, async (t) => {
  const home = createHome(t);
  const main = join(import.meta.dirname, '..', '..', '..', 'clients', 'cli', 'src', 'main.ts');
  const command = `${process.execPath} --conditions=maitred-source ${main} login`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: home.folder, TERM: 'dumb' },
  });
  let shown = '';
  child.stdout.on('data', (chunk) => {
    shown += chunk;
  });
  const closed = once(child, 'close');
  for (const [question, answer] of [
    ['Address', address],
    ['Client id', 'demo-partner'],
    ['Secret', SECRET],
  ] as const) {
    await eventually(() => shown.includes(`${question}`));
    child.stdin.write(`${answer}\r`);
  }
  await closed;
  assert.match(shown, /Logged in at/);
  assert.doesNotMatch(shown, new RegExp(SECRET));
  assert.equal((await home.json('whoami')).clientId, 'demo-partner');
});

test('a terminal that would show the secret is not read from', { skip: !hasScript }, (t) => {
  const home = createHome(t);
  const main = join(import.meta.dirname, '..', '..', '..', 'clients', 'cli', 'src', 'main.ts');
  const command = `${process.execPath} --conditions=maitred-source ${main} ${LOGIN.join(' ')} --url ${address}`;
  const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: home.folder, TERM: 'dumb' },
    input: '',
  });
  assert.deepEqual([status, /A terminal would show the secret/.test(String(stdout))], [2, true]);
});

test('only addresses of this machine are safe without encryption', () => {
  const local = ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]', 'https://api.example.com'];
  const readable = ['http://127.evil.com', 'http://api.example.com', 'http://localhost.evil.com'];
  assert.deepEqual([...local, ...readable].filter(isReadable), readable);
});

test('without a terminal, nothing is asked and the way is shown', async (t) => {
  const home = createHome(t);
  const withoutId = await home.run(['login']);
  assert.deepEqual([withoutId.code, /give --client-id/.test(withoutId.stderr)], [2, true]);
  const withoutSecret = await home.run(['login', '--client-id', 'demo-partner']);
  assert.deepEqual([withoutSecret.code, /--secret-stdin/.test(withoutSecret.stderr)], [2, true]);
  for (const url of ['nowhere', 'ftp://example.com', 'https://ada:pw@example.com'])
    assert.equal((await home.run([...LOGIN, '--url', url], { stdin: SECRET })).code, 2, url);
});

test('a file that is damaged says what to do', async (t) => {
  const home = createHome(t);
  mkdirSync(join(home.folder, 'maitred'));
  writeFileSync(join(home.folder, 'maitred', 'profiles.json'), '{"profiles":');
  const child = home.start(['profiles']);
  const [said] = await Promise.all([text(child.stderr), once(child, 'close')]);
  assert.match(said, /profiles\.json is no JSON any more. Delete it, and log in again\./);
});
