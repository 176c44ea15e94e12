/** The guides as programs read them: `/llms.txt` names them, and what they link to can be fetched. Pages: pages.test.ts. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { after, test } from 'node:test';
import { startTestApp } from '../support/app.ts';

const PUBLIC_URL = 'https://book.example.com';
const maitred = await startTestApp({ config: { publicUrl: PUBLIC_URL } });
after(() => maitred.close());

/** About the code, for those who have it. */
const UNSERVED = ['docs/database.md', 'docs/decisions.md', 'docs/internals.md'];

const get = (path: string, headers: Record<string, string> = {}) => maitred.call(path, { as: null, headers });
const linksIn = (markdown: string) =>
  [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
const pathOf = (address: string) => address.replace(PUBLIC_URL, '');

async function listed(): Promise<string[]> {
  return linksIn((await get('/llms.txt')).text).map(pathOf);
}

/** As GitHub makes them from headings. */
const anchorsOf = (markdown: string) =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('/llms.txt has a title, a summary and sections of links, all of them to this service', async () => {
  const answer = await get('/llms.txt');
  assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8');
  assert.match(answer.text, /^# Maitred\n\n> .+\n\n/);
  const lines = answer.text.split('\n').filter((line) => line.startsWith('-'));
  assert.ok(lines.length > 15);
  for (const line of lines) assert.match(line, /^- \[.+\]\(https:\/\/book\.example\.com\/[\w./-]+\): .+$/);
  for (const path of (await listed()).filter((each) => each !== '/mcp'))
    assert.equal((await get(path)).status, 200, path);
});

test('every guide of the repository is listed, apart from those about the code', async () => {
  const guides = globSync('docs/*.md').filter((path) => !UNSERVED.includes(path));
  const expected = ['README.md', ...guides].map((path) => `/docs/${path.replace('docs/', '')}`);
  const shown = (await listed()).filter((path) => path.endsWith('.md'));
  assert.deepEqual(shown.sort(), expected.sort());
});

test('a guide is Markdown whatever is accepted, and is not sent again to a reader that has it', async () => {
  for (const accept of ['text/html', 'application/json', '*/*']) {
    const answer = await get('/docs/bookings.md', { accept });
    assert.equal(answer.headers['content-type'], 'text/markdown; charset=utf-8');
    assert.match(answer.text, /^# How a booking is made/);
  }
  const first = await get('/docs/bookings.md');
  assert.equal(first.headers['cache-control'], 'public, max-age=300');
  const again = await get('/docs/bookings.md', { 'if-none-match': String(first.headers.etag) });
  assert.equal(again.status, 304);
  const head = await maitred.call('/docs/bookings.md', { as: null, method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(head.text, '');
});

test('links in guides lead to what is served, and to headings that are there', async () => {
  let followed = 0;
  for (const path of (await listed()).filter((each) => each.endsWith('.md'))) {
    for (const target of linksIn((await get(path)).text)) {
      if (/^[a-z]+:/.test(target)) continue;
      const { pathname, hash } = new URL(target, `${PUBLIC_URL}${path}`);
      const linked = await get(pathname);
      assert.equal(linked.status, 200, `${path} links to ${target}`);
      if (hash) assert.ok(anchorsOf(linked.text).includes(hash.slice(1)), `${path} links to ${target}`);
      followed += 1;
    }
  }
  assert.ok(followed > 40, String(followed));
});

test('commands of a guide go to the service that serves it', async () => {
  const { text } = await get('/docs/README.md');
  assert.match(text, /curl -sS https:\/\/book\.example\.com\/oauth\/token/);
  const settings = await get('/docs/configuration.md');
  assert.match(settings.text, /\| `http:\/\/127\.0\.0\.1:3000` \(follows/, 'a default stays what it is');
});

test('nothing else of the repository can be had', async () => {
  const tried = ['decisions.md', 'internals.md', '../package.json', '..%2fpackage.json', '%2e%2e/README.md'];
  for (const name of [...tried, 'decisions', 'bookings/', 'bookings.md/', 'BOOKINGS.MD', 'bookings.md%00'])
    assert.equal((await get(`/docs/${name}`)).status, 404, name);
  const refused = await maitred.call('/docs/bookings.md', { as: null, method: 'POST' });
  assert.equal(refused.status, 405);
});
