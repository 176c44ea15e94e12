import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';

const SRC = resolve(import.meta.dirname, '../src');
const files = globSync('**/*.ts', { cwd: SRC });

/** What each layer may import besides itself; imports point one way. */
const MAY_IMPORT: Record<string, string[]> = {
  kernel: [],
  config: [],
  db: ['kernel', 'config'],
  jobs: ['kernel', 'db'],
  http: ['kernel', 'config', 'db'],
  tms: ['kernel', 'db'],
  features: ['kernel', 'config', 'db', 'jobs', 'http', 'tms'],
  demo: ['kernel', 'db', 'features', 'tms'],
  services: ['kernel', 'config', 'db', 'jobs', 'http', 'tms', 'features'],
  app: ['kernel', 'config', 'db', 'http', 'features', 'services'],
  node: ['kernel', 'config', 'db', 'jobs', 'http', 'features', 'demo', 'services', 'app', 'tms'],
};

/** Files directly under src/ that put a node together count as one layer. */
const ASSEMBLY = ['main.ts', 'node.ts', 'lifecycle.ts', 'banner.ts', 'encryption-key.ts'];

function layerOf(file: string): string {
  if (ASSEMBLY.includes(file)) return 'node';
  return file.includes('/') ? (file.split('/')[0] ?? '') : file.replace('.ts', '');
}

const importsOf = (source: string) =>
  [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');

interface Import {
  from: string;
  to: string;
}

function violations(list: readonly { file: string; source: string }[]): string[] {
  const found: string[] = [];
  for (const { file, source } of list) {
    const layer = layerOf(file);
    const allowed = MAY_IMPORT[layer];
    if (!allowed) {
      found.push(`${file} is in no known layer`);
      continue;
    }
    for (const specifier of importsOf(source)) {
      if (!specifier.startsWith('.')) {
        if (/^(fastify|@fastify\/|@scalar\/)/.test(specifier) && !knowsFastify(file))
          found.push(`${file} knows Fastify`);
        continue;
      }
      const edge: Import = { from: file, to: relative(SRC, join(SRC, dirname(file), specifier)) };
      const target = layerOf(edge.to);
      if (target !== layer && !allowed.includes(target)) found.push(`${edge.from} → ${edge.to}`);
      if (reachesIntoStore(edge)) found.push(`${edge.from} → ${edge.to} (features meet through service.ts)`);
    }
    if (/\b(?:tx|sql|presence|lock)(?:<[^`]*>)?`/.test(source) && !holdsSql(file))
      found.push(`${file} holds SQL`);
    if (
      /process\.env/.test(source) &&
      !['config.ts', 'main.ts', 'db/embedded/unprivileged.ts'].includes(file)
    ) {
      found.push(`${file} reads the environment`);
    }
  }
  return found;
}

const knowsFastify = (file: string) =>
  file.startsWith('http/') || file === 'app.ts' || file.endsWith('/routes.ts');
const holdsSql = (file: string) => file.startsWith('db/') || /(^|[/-])store\.ts$/.test(file);

function reachesIntoStore({ from, to }: Import): boolean {
  const [fromLayer, fromFeature] = from.split('/');
  const [toLayer, toFeature, toFile] = to.split('/');
  if (toLayer !== 'features' || (fromLayer === 'features' && fromFeature === toFeature)) return false;
  return /store\.ts$/.test(toFile ?? '');
}

test('imports point one way, SQL stays in stores, and only the HTTP side knows Fastify', () => {
  const sources = files.map((file) => ({ file, source: readFileSync(join(SRC, file), 'utf8') }));
  assert.ok(sources.length > 50);
  assert.deepEqual(violations(sources), []);
});

test('each kind of wrong import is noticed', () => {
  const bad = (file: string, source: string) => violations([{ file, source }]);
  assert.equal(bad('kernel/x.ts', "import { a } from '../db/database.ts';").length, 1);
  assert.equal(bad('http/x.ts', "import { a } from '../features/venues/service.ts';").length, 1);
  assert.equal(bad('features/a/service.ts', "import { a } from '../b/store.ts';").length, 1);
  assert.equal(bad('features/a/service.ts', "import { a } from '../b/service.ts';").length, 0);
  assert.equal(bad('features/a/service.ts', 'await tx`select 1`').length, 1);
  assert.equal(bad('features/a/service.ts', 'await sql<{ id: number }[]>`select 1`').length, 1);
  assert.equal(bad('features/a/service.ts', "import Fastify from 'fastify';").length, 1);
  assert.equal(bad('features/a/service.ts', 'process.env.PORT').length, 1);
  assert.equal(bad('utils/x.ts', '').length, 1);
});

/** Imports of features that go into the folder of one system. */
function importsOfSystems(list: readonly { file: string; source: string }[]): string[] {
  return list
    .filter(({ file }) => file.startsWith('features/'))
    .flatMap(({ file, source }) =>
      importsOf(source)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => join(dirname(file), specifier))
        .filter((target) => /^tms\/[^/]+\//.test(target))
        .map((target) => `${file} → ${target}`),
    );
}

test('features know systems through src/tms itself, not through the folder of one', () => {
  const sources = files.map((file) => ({ file, source: readFileSync(join(SRC, file), 'utf8') }));
  assert.deepEqual(importsOfSystems(sources), []);
  const file = 'features/a/b/service.ts';
  const breach = { file, source: "import { a } from '../../../tms/house/store.ts';" };
  assert.deepEqual(importsOfSystems([breach]), [`${file} → tms/house/store.ts`]);
  const allowed = { file, source: "import { a } from '../../../tms/systems.ts';" };
  assert.deepEqual(importsOfSystems([allowed]), []);
});
