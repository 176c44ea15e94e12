/** What the documents promise: their links lead somewhere, their tables and maps are those of the code. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../src/config.ts';
import { INTRODUCTION } from '../src/http/openapi/document.ts';
import { jobsOf, type Services } from '../src/services.ts';
import { DOCUMENTS, ROOT, readDocument } from './docs/blocks.ts';

const captures = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '');

/** As GitHub makes them from headings. */
function anchorsOf(document: string): string[] {
  return captures(readDocument(document), /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every link between the documents leads to a file and a heading that exist', () => {
  const links = DOCUMENTS.flatMap((document) =>
    captures(readDocument(document), /\]\(([^)\s]+)\)/g)
      .filter((target) => !/^[a-z]+:/.test(target))
      .map((target) => ({ document, target })),
  );
  assert.ok(links.length > 10);
  for (const { document, target } of links) {
    const [file = '', anchor] = target.split('#');
    const linked = file === '' ? document : join(dirname(document), file);
    assert.ok(existsSync(join(ROOT, linked)), `${document} links to ${target}`);
    if (anchor !== undefined) assert.ok(anchorsOf(linked).includes(anchor), `${document} links to ${target}`);
  }
});

test('the configuration table has every setting that is read, and no other, with its default', () => {
  const settings = new Set<string>();
  const recorder: Record<string, undefined> = new Proxy(
    {},
    { get: (_, name) => void settings.add(String(name)) },
  );
  const defaults = readConfig(recorder);
  const rows = [
    ...readDocument('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` +\| (?:`([^`]+)`|none)/gm),
  ];
  assert.deepEqual(rows.map(([, name]) => name).sort(), [...settings].sort());
  for (const [, name = '', value] of rows) {
    if (value !== undefined) assert.deepEqual(readConfig({ [name]: value }), defaults, `${name}=${value}`);
  }
});

test('every file and folder that the documents name exists', () => {
  const named = DOCUMENTS.flatMap((document) =>
    captures(readDocument(document), /`((?:src|test|docs|migrations|scripts|bench)\/[\w./-]*)`/g)
      // The example of a file still to be added.
      .filter((path) => !path.endsWith('_what_it_does.sql'))
      .map((path) => ({ document, path })),
  );
  assert.ok(named.some(({ document }) => document === 'ARCHITECTURE.md'));
  for (const { document, path } of named)
    assert.ok(existsSync(join(ROOT, path)), `${document} names ${path}`);
});

test('what the README and the reference say about tokens is what was measured', () => {
  const measured = readFileSync(join(ROOT, 'bench/TOKENS.md'), 'utf8');
  const [, toon, sparse] = /against whole JSON[ |]+\+(\d+) %[ |]+−(\d+) %/.exec(measured) ?? [];
  const flat = captures(measured, /\d \|\s+−(\d+) % \|$/gm).map(Number);
  const readme = readDocument('README.md');
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
  const [, section = ''] = readDocument('docs/operating.md').split('\n## Background work\n');
  const [table = ''] = section.split('\n\n').filter((part) => part.startsWith('|') || part.startsWith('\n|'));
  assert.deepEqual(captures(table, /^\| `([\w.-]+)`/gm).sort(), names.sort());
});
