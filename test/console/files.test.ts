import assert from 'node:assert/strict';
import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openConsoleFiles } from '../../src/console/files.ts';
import { startTestApp, type TestApp } from '../support/app.ts';

let maitred: TestApp;
let version: string;
before(async () => {
  maitred = await startTestApp({ config: { rateLimit: 0 } });
  const { body } = await get('/console');
  version = /\/console\/files\/(\w+)\/main\.ts/.exec(body)?.[1] ?? '';
});
after(() => maitred.close());

const get = (url: string, headers: Record<string, string> = {}) =>
  maitred.app.inject({ method: 'GET', url, headers });

test('every address of the console is the page, with and without a slash at the end', async () => {
  for (const url of ['/console', '/console/', '/console/venues/1%7Chouse%7Csoho-grill/tonight']) {
    const answer = await get(url);
    assert.equal(answer.statusCode, 200, url);
    assert.match(String(answer.headers['content-type']), /^text\/html/);
    assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/);
  }
});

test('what the page names is there, and browsers keep it', async () => {
  const page = await get('/console');
  const named = [...page.body.matchAll(/"(\/console\/files\/[^"]+)"/g)].map(([, url = '']) => url);
  assert.ok(named.length > 10);
  for (const url of new Set(named)) {
    const answer = await get(url);
    assert.equal(answer.statusCode, 200, url);
    assert.match(String(answer.headers['cache-control']), /immutable/);
  }
  const etag = String(page.headers.etag);
  assert.equal((await get('/console', { 'if-none-match': etag })).statusCode, 304);
});

test('nothing else is served: no file outside, no folder, no other version', async () => {
  const names = ['', '..%2f..%2ffiles.ts', '..%5cfiles.ts', 'tsconfig.json', 'app', '__proto__'];
  for (const name of [...names, 'main.ts%00', 'packages/preact/package.json']) {
    const answer = await get(`/console/files/${version}/${name}`);
    assert.equal(answer.statusCode, 404, name);
  }
  assert.equal((await get('/console/files/0000000000000000/main.ts')).statusCode, 404);
});

test('two who ask at once share one reading, and files belong to the page that was served', async () => {
  const source = openConsoleFiles({ isWatching: true });
  const [one, other] = await Promise.all([source.getPage(), source.getPage()]);
  assert.equal(one, other);
  const first = /\/console\/files\/(\w+)\//.exec(one.body.toString())?.[1] ?? '';
  assert.ok(await source.findFile(first, 'main.ts'));
});

test('a file that was changed is noticed by the page, and not looked for by every request', async () => {
  let nowMs = 0;
  const source = openConsoleFiles({ isWatching: true, nowMs: () => nowMs });
  const before = await source.getPage();
  const path = join(import.meta.dirname, '../../src/console/browser/icon.svg');
  const { atime, mtime } = statSync(path);
  utimesSync(path, atime, new Date(Date.now() + 60_000));
  try {
    assert.equal(await source.getPage(), before, 'it has looked within the second');
    nowMs += 1000;
    assert.notEqual(await source.getPage(), before);
  } finally {
    utimesSync(path, atime, mtime);
  }
});
