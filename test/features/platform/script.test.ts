import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, type TestContext, test } from 'node:test';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createTestDatabase } from '../../support/databases/database.ts';
import { scratchFolder } from '../../support/scratch.ts';

const SCRIPT = join(import.meta.dirname, '..', '..', '..', 'scripts', 'client.ts');

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

async function client(t: TestContext, databaseUrl: string, ...args: string[]) {
  const child = spawn(process.execPath, [SCRIPT, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '', DATABASE_URL: databaseUrl, DATA_DIR: scratchFolder(t) },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

const PRINTED = /^client_id: (\S+)\nclient_secret: (\S+)\n$/;

test('the client that is made runs the platform, and its id can be chosen', async (t) => {
  for (const chosen of [[], ['--id', 'first-admin']]) {
    const { code, stdout, stderr } = await client(t, maitred.url, '--kind', 'platform', ...chosen);
    assert.equal(code, 0, stderr);
    const [, id = '', secret = ''] = PRINTED.exec(stdout) ?? [];
    if (chosen[1]) assert.equal(id, chosen[1]);
    const token = await maitred.call('/oauth/token', {
      as: null,
      method: 'POST',
      body: { grant_type: 'client_credentials', client_id: id, client_secret: secret, audience: 'maitred' },
    });
    assert.equal(token.status, 200, token.text);
    const authorization = `Bearer ${token.json.access_token}`;
    const operators = await maitred.call('/manage/operators', { as: null, headers: { authorization } });
    assert.equal(operators.status, 200, operators.text);
  }
});

test('it works on a database that nothing was ever in', async (t) => {
  const empty = await createTestDatabase();
  t.after(() => empty.drop());
  const { code, stdout, stderr } = await client(t, empty.url, '--kind', 'platform');
  assert.equal(code, 0, stderr);
  assert.match(stdout, PRINTED);
  assert.equal((await empty.sql`select from client where kind = 'platform'`).length, 1);
});

test('an id that is taken or impossible is named, and nothing is made', async (t) => {
  for (const id of ['demo-admin', 'a b']) {
    const { code, stdout, stderr } = await client(t, maitred.url, '--kind', 'platform', '--id', id);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^id [^\n]+\n$/);
  }
});

for (const args of [[], ['--kind', 'partner'], ['--kind'], ['platform'], ['--kind', 'platform', '--x']])
  test(`asked with ${JSON.stringify(args)} it says how to ask`, async (t) => {
    const { code, stdout, stderr } = await client(t, maitred.url, ...args);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^npm run client -- --kind platform.+\n$/);
  });
