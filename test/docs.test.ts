/** What the papers promise: their links lead somewhere, their tables and maps are those of the code. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../src/config.ts';
import { INTRODUCTION } from '../src/http/openapi/document.ts';
import { jobsOf, type Services } from '../src/services.ts';
import { PAPERS, ROOT, readPaper } from './docs/blocks.ts';

const captures = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '');

/** As GitHub makes them from headings. */
function anchorsOf(paper: string): string[] {
  return captures(readPaper(paper), /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every link between the papers leads to a file and a heading that exist', () => {
  const links = PAPERS.flatMap((paper) =>
    captures(readPaper(paper), /\]\(([^)\s]+)\)/g)
      .filter((target) => !/^[a-z]+:/.test(target))
      .map((target) => ({ paper, target })),
  );
  assert.ok(links.length > 10);
  for (const { paper, target } of links) {
    const [file = '', anchor] = target.split('#');
    const linked = file === '' ? paper : join(dirname(paper), file);
    assert.ok(existsSync(join(ROOT, linked)), `${paper} links to ${target}`);
    if (anchor !== undefined) assert.ok(anchorsOf(linked).includes(anchor), `${paper} links to ${target}`);
  }
});

test('the configuration table has every setting that is read, and no other, with its default', () => {
  const settings = new Set<string>();
  const recorder: Record<string, undefined> = new Proxy(
    {},
    { get: (_, name) => void settings.add(String(name)) },
  );
  const defaults = readConfig(recorder);
  const rows = [...readPaper('README.md').matchAll(/^\| `([A-Z_]+)` +\| (?:`([^`]+)`|none)/gm)];
  assert.deepEqual(rows.map(([, name]) => name).sort(), [...settings].sort());
  for (const [, name = '', value] of rows) {
    if (value !== undefined) assert.deepEqual(readConfig({ [name]: value }), defaults, `${name}=${value}`);
  }
});

test('every file and folder that the papers name exists', () => {
  const named = PAPERS.flatMap((paper) =>
    captures(readPaper(paper), /`((?:src|test|docs|migrations|scripts|bench)\/[\w./-]*)`/g)
      // The example of a file still to be added.
      .filter((path) => !path.endsWith('_what_it_does.sql'))
      .map((path) => ({ paper, path })),
  );
  assert.ok(named.some(({ paper }) => paper === 'ARCHITECTURE.md'));
  for (const { paper, path } of named) assert.ok(existsSync(join(ROOT, path)), `${paper} names ${path}`);
});

test('what the README and the reference say about tokens is what was measured', () => {
  const measured = readFileSync(join(ROOT, 'bench/TOKENS.md'), 'utf8');
  const [, toon, sparse] = /against whole JSON[ |]+\+(\d+) %[ |]+−(\d+) %/.exec(measured) ?? [];
  const flat = captures(measured, /\d \|\s+−(\d+) % \|$/gm).map(Number);
  const readme = readPaper('README.md');
  assert.ok(readme.includes(`it saves ${sparse} % of the tokens`));
  assert.ok(readme.includes(`TOON alone costs ${toon} % more than JSON`));
  assert.ok(INTRODUCTION.includes(`about ${toon} % more tokens as TOON`));
  assert.equal(flat.length, 3);
  // What both call a quarter.
  for (const saved of flat) assert.ok(saved >= 20 && saved <= 30, `${saved} %`);
});

test('the table of background work has every job, and no other', () => {
  // One job is there only where an embedding endpoint is set.
  const services = new Proxy({}, { get: () => ({ embeddings: {} }) }) as Services;
  const names = jobsOf(services, readConfig({})).map(({ name }) => name);
  const [, section = ''] = readPaper('docs/operating.md').split('\n## Background work\n');
  const [table = ''] = section.split('\n\n').filter((part) => part.startsWith('|') || part.startsWith('\n|'));
  assert.deepEqual(captures(table, /^\| `([\w.-]+)`/gm).sort(), names.sort());
});
