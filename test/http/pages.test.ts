/** The pages for readers: the home page, the guides with their search, the problem codes. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { GUIDES } from '../../src/http/pages/guide-list.ts';
import { homeRoutes } from '../../src/http/pages/home.ts';
import { openRenderer } from '../../src/http/pages/markdown.ts';
import { PROGRAM_VERSION } from '../../src/kernel/version.ts';
import { startTestApp } from '../support/app.ts';
import { smallApp } from './small-app.ts';

const PUBLIC_URL = 'https://book.example.com';
const maitred = await startTestApp({ config: { publicUrl: PUBLIC_URL, rateLimit: 0 } });
after(() => maitred.close());

const get = (path: string, headers: Record<string, string> = { accept: 'text/html' }) =>
  maitred.call(path, { as: null, headers });
const captures = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '');
const isHtml = (answer: { headers: Record<string, unknown> }) =>
  String(answer.headers['content-type']).startsWith('text/html');
const search = async (words: string) => (await get(`/docs/guides?q=${encodeURIComponent(words)}`)).text;

/** A machine that is busy with other tests may not be ready. */
const isThere = (path: string, status: number) =>
  status === 200 || (path === '/health/ready' && status === 503);

/** What is no page of ours: the program of the console, and the reference, which a package draws. */
const isForeign = (path: string) => path.startsWith('/console') || /^\/docs\/(manage\/)?$/.test(path);

test('every link on every page leads to something that is there, and to a heading that it has', async () => {
  const pages = new Map<string, { status: number; ids: string[] }>();
  const links: { from: string; path: string; hash: string }[] = [];
  const waiting = ['/', '/docs/guides?q=booking'];
  for (const address of waiting) {
    const path = address.split('?')[0] ?? '';
    const answer = await get(address);
    const ids = captures(answer.text, /\bid="([^"]*)"/g);
    pages.set(path, { status: answer.status, ids });
    if (!isHtml(answer) || isForeign(path)) continue;
    assert.deepEqual(ids, [...new Set(ids)], `${path} has each id once`);
    for (const target of captures(answer.text, /\bhref="([^"]+)"/g)) {
      if (/^(https?|data):/.test(target)) continue;
      assert.ok(
        !target.startsWith('/'),
        `${path} links to ${target}, which leaves a path in front of it behind`,
      );
      const { pathname, hash } = new URL(target, `${PUBLIC_URL}${path}`);
      links.push({ from: path, path: pathname, hash: hash.slice(1) });
      if (!pages.has(pathname) && !waiting.includes(pathname)) waiting.push(pathname);
    }
  }
  for (const { name } of GUIDES) assert.ok(pages.has(`/docs/${name}`), `nothing leads to ${name}`);
  for (const { from, path, hash } of links) {
    const page = pages.get(path);
    assert.ok(page && isThere(path, page.status), `${from} links to ${path}`);
    if (hash && !isForeign(path)) assert.ok(page.ids.includes(hash), `${from} links to ${path}#${hash}`);
  }
  assert.ok(links.length > 1000, String(links.length));
});

test('the page at the root is JSON for programs that say so, and what it names is there', async () => {
  const page = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
  assert.match(page.text, /curl -sS https:\/\/book\.example\.com\/oauth\/token -u demo-partner:/);
  assert.equal(page.headers.vary, 'Accept, Accept-Encoding');
  const { json } = await get('/', { accept: 'application/json' });
  assert.deepEqual([json.name, json.version, json.environment], ['Maitred', PROGRAM_VERSION, 'sandbox']);
  for (const [name, address] of Object.entries<string>(json.links)) {
    const path = address.replace(PUBLIC_URL, '');
    const { status } = await get(path);
    // Two of them take posts alone, others lead on to an address with a slash at its end.
    const isExpected = ['token', 'mcp'].includes(name)
      ? status === 405
      : isThere(path, status) || status === 301;
    assert.ok(isExpected, `${name}: ${status}`);
  }
});

test('in live the first call has no credentials of a demo', async () => {
  const settings = { publicUrl: PUBLIC_URL, audience: 'tables', environment: 'live' } as const;
  const { body } = await smallApp((app) => homeRoutes(app, settings)).app.inject('/');
  assert.doesNotMatch(body, /demo-partner/);
  assert.match(body, /audience=tables/);
});

test('a page may load its own style and script and nothing else, and is not sent twice', async () => {
  for (const path of ['/', '/docs/guides', '/docs/guides?q=hold', '/docs/holds', '/problems/BOOK-N-017']) {
    const answer = await get(path);
    const policy = String(answer.headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; /);
    assert.match(policy, /base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/);
    assert.doesNotMatch(answer.text, /<style|style="|<script(?! src="[./]+docs\/pages\.js)| on\w+="/, path);
    for (const file of captures(answer.text, /<(?:link rel="stylesheet" href|script src)="([^"]+)"/g)) {
      const { pathname, search: version } = new URL(file, `${PUBLIC_URL}${path}`);
      assert.equal((await get(`${pathname}${version}`)).status, 200, file);
    }
    if (path.includes('?')) continue;
    const again = await get(path, { accept: 'text/html', 'if-none-match': String(answer.headers.etag) });
    assert.equal(again.status, 304, path);
  }
  const packed = await get('/docs/holds', { 'accept-encoding': 'br' });
  assert.equal(packed.headers['content-encoding'], 'br');
});

test('a guide has its place among the others, its parts, and its source', async () => {
  const { text } = await get('/docs/holds');
  assert.match(text, /<title>Holds and offers · Maitred<\/title>/);
  assert.match(text, /<a href="holds" aria-current="page">Holds and offers<\/a>/);
  assert.match(text, /<h2 id="what-is-offered"><a href="#what-is-offered">What is offered<\/a><\/h2>/);
  assert.match(text, /<a rel="prev" href="search">[\s\S]*<a rel="next" href="waitlist">/);
  assert.match(text, /<a href="holds\.md">This page as Markdown<\/a>/);
  assert.match(text, /<a href="\.\.\/problems\/HOLD-N-003"><code>HOLD-N-003<\/code><\/a>/);
  assert.match(text, /curl -sS &#39;https:\/\/book\.example\.com\/venues/);
  assert.match(text, /<a href="README#first-steps">first steps<\/a>/);
});

test('a guide cannot bring HTML of its own', async () => {
  const { html } = (await openRenderer()).render(
    '# A <b>title</b>\n\n<script>alert(1)</script>\n\n`<i>` [x](<a"b>) ![y](z)\n\n```\n<u>\n```\n\n| <s> |\n| --- |\n',
  );
  const tags = new Set(captures(html, /<\/?(\w+)/g));
  for (const tag of ['b', 'script', 'i', 'u', 's', 'img']) assert.ok(!tags.has(tag), `${tag}: ${html}`);
  assert.match(html, /href="a&#34;b"/);
});

test('a search finds the part of a guide that is about the words, and shows them in it', async () => {
  const text = await search('extend a hold');
  const [first = ''] = captures(text, /<ol class="results"><li>([\s\S]*?)<\/li>/g);
  assert.match(first, /<a href="holds(#[\w-]+)?">/);
  assert.match(first, /<mark>hold<\/mark>|<mark>extend<\/mark>/i);
  assert.match(text, /<input [^>]*value="extend a hold"/);
  assert.match(await search('webhok signatur'), /href="webhooks/, 'misspelt');
});

test('a search for a code leads to its page', async () => {
  assert.match(await search('book-n-013'), /<a href="\.\.\/problems\/BOOK-N-013">/);
});

test('a search takes whatever is sent, and repeats it as text', async () => {
  const hostile = [
    ...['<script>alert(1)</script>', '"><img src=x>', '\\', '(((', '[a-', '*', '|', '\u0000', '%', '…'],
    ...['x'.repeat(5000), 'a '.repeat(3000), '💥'.repeat(60)],
  ];
  for (const words of hostile) {
    const answer = await get(`/docs/guides?q=${encodeURIComponent(words)}`);
    assert.equal(answer.status, 200, words.slice(0, 30));
    assert.doesNotMatch(answer.text, /<script>|<img/);
    assert.ok(answer.text.length < 60_000, words.slice(0, 30));
  }
  assert.match(await search('zzzzqqqq'), /Nothing found for «zzzzqqqq»/);
  for (const query of ['', '?q=', '?q=%20', '?unknown=1'])
    assert.match((await get(`/docs/guides${query}`)).text, /<h1>Guides<\/h1>/, query);
  assert.match((await get('/docs/guides?q=hold&q=feed')).text, /for «hold»/);
});
