/** One version for everything that users get, so that a number in a report says which program it was. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { INTERFACE_VERSION, PROGRAM_VERSION } from '../src/kernel/version.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const readJson = (path: string) => JSON.parse(read(path));

test('the program, its documents and the packages of its clients have one version', () => {
  const lock = readJson('package-lock.json');
  const versions = { 'package-lock.json': lock.version, 'its root': lock.packages[''].version };
  const packages = globSync('clients/*/package.json', { cwd: ROOT });
  assert.ok(packages.includes('clients/typescript/package.json'));
  const others = Object.fromEntries(packages.map((path) => [path, readJson(path).version]));
  const documents = Object.fromEntries(
    ['openapi.json', 'openapi.manage.json'].map((path) => [path, readJson(path).info.version]),
  );
  for (const [where, version] of Object.entries({ ...versions, ...others, ...documents }))
    assert.equal(version, PROGRAM_VERSION, where);
});

test('the newest entry of the changelog is that version, with its day', () => {
  const [, version, day = ''] = /^## \[(.+)\] - (.+)$/m.exec(read('CHANGELOG.md')) ?? [];
  assert.equal(version, PROGRAM_VERSION);
  assert.match(day, /^\d{4}-\d\d-\d\d$/);
  assert.equal(Temporal.PlainDate.from(day).toString(), day);
});

test('the documents say which interface they describe', () => {
  for (const path of ['openapi.json', 'openapi.manage.json'])
    assert.ok(readJson(path).info.description.includes(`edition ${INTERFACE_VERSION};`), path);
});
