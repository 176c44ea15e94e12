import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemPageRoutes } from '../../src/http/problems/problem-pages.ts';
import { catalogue, problemCodes } from '../../src/kernel/problem-catalogue.ts';
import { seenCode } from '../support/seen-codes.ts';
import { smallApp } from './small-app.ts';

const publicUrl = 'https://api.example.test';
const pages = () => smallApp((app) => problemPageRoutes(app, { publicUrl })).app;

const textOf = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

test('every code has a page that says what it means and what to do', async () => {
  const app = pages();
  for (const code of problemCodes) {
    const answer = await app.inject(`/problems/${code}`);
    assert.equal(answer.statusCode, 200, code);
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
    const text = textOf(answer.body);
    const { title, meaning, remedy, status } = catalogue[code];
    for (const part of [title, meaning, remedy, `HTTP ${status}`, `"code": "${code}"`]) {
      assert.ok(text.includes(part), `${code} lacks ${part}`);
    }
  }
});

test('the address in type is the address of the page', async () => {
  const app = pages();
  const answer = await app.inject('/nowhere');
  const { type } = answer.json();
  assert.equal((await app.inject(type.replace(publicUrl, ''))).statusCode, 200);
});

test('the index links to the page of every code', async () => {
  const { body } = await pages().inject('/problems');
  const linked = [...body.matchAll(/href="problems\/([A-Z]+-[NR]-\d{3})"/g)].map((match) => match[1]);
  assert.deepEqual(linked.sort(), [...problemCodes].sort());
});

test('a program that accepts JSON gets the entry as JSON', async () => {
  const app = pages();
  const headers = { accept: 'application/json' };
  assert.deepEqual((await app.inject({ url: '/problems/BOOK-R-001', headers })).json(), {
    code: 'BOOK-R-001',
    type: `${publicUrl}/problems/BOOK-R-001`,
    isRetryable: true,
    ...catalogue['BOOK-R-001'],
  });
  assert.equal((await app.inject({ url: '/problems', headers })).json().data.length, problemCodes.length);
  const browser = { accept: 'text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8' };
  assert.match((await app.inject({ url: '/problems', headers: browser })).body, /^<!doctype html>/);
});

test('a person who opens an address that does not exist reads a page, whose links lead back', async () => {
  const app = pages();
  const headers = { 'sec-fetch-mode': 'navigate', accept: 'text/html' };
  for (const url of ['/nowhere', '/nowhere/at/all?q=/a/b', '//', '/docs/guides/none']) {
    const answer = await app.inject({ url, headers });
    assert.equal(answer.statusCode, 404, url);
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8', url);
    assert.match(textOf(answer.body), /Nothing is served at this path/);
    const [, link = ''] = /href="([^"]*)problems\/HTTP-N-404"/.exec(answer.body) ?? [];
    const [path = ''] = url.split('?');
    assert.equal(new URL(link, `https://api.example.test${path}`).pathname, '/', url);
  }
  const program = await app.inject('/nowhere');
  assert.equal(program.headers['content-type'], 'application/problem+json; charset=utf-8');
  const script = await app.inject({ url: '/nowhere', headers: { 'sec-fetch-mode': 'cors' } });
  assert.equal(script.headers['content-type'], 'application/problem+json; charset=utf-8');
});

test('a code that does not exist has no page', async () => {
  for (const code of ['BOOK-N-999', 'constructor', '<script>']) {
    const answer = await pages().inject(`/problems/${encodeURIComponent(code)}`);
    assert.equal(answer.statusCode, 404);
    assert.equal(seenCode(answer), 'HTTP-N-404');
  }
});
