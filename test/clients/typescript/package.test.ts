/** What users of the package get: how large it is, what it needs, and whether its types are those of the service. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const CLIENT = join(ROOT, 'clients', 'typescript');
const MOST_BYTES = 15_000;

test('the whole client is at most 15 kB, minified and compressed', async () => {
  const { outputFiles } = await build({
    entryPoints: [join(CLIENT, 'src', 'index.ts')],
    ...{ bundle: true, minify: true, format: 'esm', platform: 'neutral', target: 'es2022', write: false },
  });
  const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  assert.ok(bytes > 1000 && bytes <= MOST_BYTES, `${bytes} bytes`);
});

test('it has no dependencies, and imports nothing but its own files', () => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'));
  assert.deepEqual([dependencies, peerDependencies], [undefined, undefined]);
  for (const file of globSync('src/*.ts', { cwd: CLIENT })) {
    const imported = readFileSync(join(CLIENT, file), 'utf8').matchAll(/ from '([^']+)';$/gm);
    for (const [, specifier] of imported) assert.match(specifier ?? '', /^\.\/[\w-]+\.ts$/, file);
  }
});

test('it fits the types of browsers and of JavaScript of 2022', () => {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', CLIENT], { encoding: 'utf8' });
  assert.equal(stdout, '');
});

/** The generator is installed from the registry. */
const skip = process.env.MAITRED_TEST_ALL === '1' ? false : 'npm run test:all';

test('its types are those of the OpenAPI document', { skip }, () => {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status, stdout, stderr } = spawnSync(npm, ['run', '-s', 'client:types', '--', '--check'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout + stderr);
});
