import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';

const SRC = resolve(import.meta.dirname, '../src');
const files = globSync('**/*.ts', { cwd: SRC });

/** What each layer may import besides itself; imports point one way. */
const MAY_IMPORT: Record<string, string[]> = {
  kernel: [],
  config: ['kernel'],
  db: ['kernel', 'config'],
  jobs: ['kernel', 'db'],
  http: ['kernel', 'config', 'db'],
  tms: ['kernel', 'db'],
  features: ['kernel', 'config', 'db', 'jobs', 'http', 'tms'],
  channels: ['kernel', 'config', 'db', 'jobs', 'http', 'tms', 'features'],
  demo: ['kernel', 'db', 'features', 'tms'],
  services: ['kernel', 'config', 'db', 'jobs', 'http', 'tms', 'features', 'channels'],
  console: ['kernel', 'config', 'http'],
  app: ['kernel', 'config', 'db', 'http', 'features', 'channels', 'services', 'console'],
  node: ['kernel', 'config', 'db', 'jobs', 'http', 'features', 'demo', 'services', 'app', 'tms'],
};

/** Files directly under src/ that put a node together count as one layer. */
const ASSEMBLY = ['main.ts', 'node.ts', 'lifecycle.ts', 'encryption-keys.ts'];

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

function violations(list: readonly SourceFile[]): string[] {
  const found: string[] = [];
  for (const { file, source } of list) {
    const layer = layerOf(file);
    const allowed = MAY_IMPORT[layer];
    if (!allowed) {
      found.push(`${file} is in no known layer`);
      continue;
    }
    for (const specifier of importsOf(isOfBrowser(file) ? withoutTypeImports(source) : source)) {
      if (!specifier.startsWith('.')) {
        if (/^(fastify|@fastify\/|@scalar\/)/.test(specifier) && !knowsFastify(file))
          found.push(`${file} knows Fastify`);
        continue;
      }
      const edge: Import = { from: file, to: relative(SRC, join(SRC, dirname(file), specifier)) };
      const target = layerOf(edge.to);
      if (target !== layer && !allowed.includes(target)) found.push(`${edge.from} → ${edge.to}`);
      if (leavesBrowser(edge)) found.push(`${edge.from} → ${edge.to} (the browser has no such file)`);
      if (goesPastService(edge)) found.push(`${edge.from} → ${edge.to} (features meet through service.ts)`);
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

/** What runs in the browser imports its own modules; types of the service are erased before they are sent. */
const isOfBrowser = (file: string) => file.startsWith('console/browser/');
const withoutTypeImports = (source: string) => source.replaceAll(/^import type [^;]*;/gm, '');
const leavesBrowser = ({ from, to }: Import) => isOfBrowser(from) && !isOfBrowser(to);

const knowsFastify = (file: string) =>
  file.startsWith('http/') || file === 'app.ts' || file.endsWith('/routes.ts');
const holdsSql = (file: string) => file.startsWith('db/') || /(^|[/-])store\.ts$/.test(file);

/** `venues` for any file below `features/venues/`. */
const featureOf = (file: string) => /^features\/([^/]+)\//.exec(file)?.[1];

/** Channels speak other protocols to partners; they stand on features as features stand on each other. */
const isOfChannel = (file: string) => file.startsWith('channels/');

/** Other features are met through `service.ts`, types included; what puts a node together may import more, but no store. */
function goesPastService({ from, to }: Import): boolean {
  const feature = featureOf(to);
  if (feature === undefined || feature === featureOf(from)) return false;
  return featureOf(from) === undefined && !isOfChannel(from)
    ? /(^|[/-])store\.ts$/.test(to)
    : to !== `features/${feature}/service.ts`;
}

interface SourceFile {
  file: string;
  source: string;
}

const edgesOf = ({ file, source }: SourceFile): Import[] =>
  importsOf(source)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => ({ from: file, to: relative(SRC, join(SRC, dirname(file), specifier)) }))
    .filter((edge) => !leavesBrowser(edge));

/** Every circle is found from one of its members: the names on the way back to where the walk has been before. */
function circles(edges: readonly Import[]): string[] {
  const targets = Map.groupBy(edges, ({ from }) => from);
  const done = new Set<string>();
  const found: string[] = [];
  function walk(name: string, way: readonly string[]): void {
    if (way.includes(name)) found.push([...way.slice(way.indexOf(name)), name].join(' → '));
    if (way.includes(name) || done.has(name)) return;
    for (const { to } of targets.get(name) ?? []) walk(to, [...way, name]);
    done.add(name);
  }
  for (const name of targets.keys()) walk(name, []);
  return found;
}

/** The same between features. */
const featureEdges = (edges: readonly Import[]): Import[] =>
  edges.flatMap(({ from, to }) => {
    const [a, b] = [featureOf(from), featureOf(to)];
    return a !== undefined && b !== undefined && a !== b ? [{ from: a, to: b }] : [];
  });

const FILES_PER_FOLDER = 25;

const fullFolders = (names: readonly string[]): string[] =>
  [...Map.groupBy(names, dirname)]
    .filter(([, inside]) => inside.length > FILES_PER_FOLDER)
    .map(([folder]) => folder);

const sources: SourceFile[] = files.map((file) => ({ file, source: readFileSync(join(SRC, file), 'utf8') }));

test('imports point one way, SQL stays in stores, and only the HTTP side knows Fastify', () => {
  assert.ok(sources.length > 50);
  assert.deepEqual(violations(sources), []);
});

test('each kind of wrong import is noticed', () => {
  const bad = (file: string, source: string) => violations([{ file, source }]);
  assert.equal(bad('kernel/x.ts', "import { a } from '../db/database.ts';").length, 1);
  assert.equal(bad('http/x.ts', "import { a } from '../features/venues/service.ts';").length, 1);
  assert.equal(bad('features/a/service.ts', "import { a } from '../b/store.ts';").length, 1);
  assert.equal(bad('features/a/service.ts', "import { a } from '../b/service.ts';").length, 0);
  assert.equal(bad('features/a/service.ts', "import type { A } from '../b/record.ts';").length, 1);
  assert.equal(bad('features/a/deep/x.ts', "import { a } from '../../b/service.ts';").length, 0);
  assert.equal(bad('features/a/deep/x.ts', "import { a } from '../../b/deep/service.ts';").length, 1);
  assert.equal(bad('features/a/deep/x.ts', "import { a } from '../store.ts';").length, 0);
  assert.equal(bad('channels/a/x.ts', "import { a } from '../../features/b/service.ts';").length, 0);
  assert.equal(bad('channels/a/x.ts', "import { a } from '../../features/b/schema.ts';").length, 1);
  assert.equal(bad('features/a/service.ts', "import { a } from '../../channels/b/service.ts';").length, 1);
  assert.equal(bad('app.ts', "import { a } from './features/b/deep/routes.ts';").length, 0);
  assert.equal(bad('app.ts', "import { a } from './features/b/deep/log-store.ts';").length, 1);
  assert.equal(bad('features/a/service.ts', 'await tx`select 1`').length, 1);
  assert.equal(bad('features/a/service.ts', 'await sql<{ id: number }[]>`select 1`').length, 1);
  assert.equal(bad('features/a/service.ts', "import Fastify from 'fastify';").length, 1);
  assert.equal(bad('features/a/service.ts', 'process.env.PORT').length, 1);
  const page = (line: string) => bad('console/browser/app/x.ts', line).length;
  assert.ok(page("import { a } from '../../../features/a/schema.ts';") > 0);
  assert.equal(page("import type { A } from '../../../features/a/schema.ts';"), 0);
  assert.equal(page("import { a } from '../components/a.ts';"), 0);
  assert.equal(bad('utils/x.ts', '').length, 1);
});

test('no two features import each other, and no files go in a circle', () => {
  const edges = sources.flatMap(edgesOf);
  assert.ok(edges.length > 1000);
  assert.deepEqual(circles(featureEdges(edges)), []);
  assert.deepEqual(circles(edges), []);
});

test('circles of features and of files are noticed', () => {
  const edges = [
    { file: 'features/a/deep/x.ts', source: "import { b } from '../../b/service.ts';" },
    { file: 'features/b/service.ts', source: "import type { C } from '../c/service.ts';" },
    { file: 'features/c/y.ts', source: "import { a } from '../a/service.ts';" },
    { file: 'kernel/x.ts', source: "import { y } from './y.ts';" },
    { file: 'kernel/y.ts', source: "import type { X } from './x.ts';" },
  ].flatMap(edgesOf);
  assert.deepEqual(circles(featureEdges(edges)), ['a → b → c → a']);
  assert.deepEqual(circles(edges), ['kernel/x.ts → kernel/y.ts → kernel/x.ts']);
});

test('a folder holds at most 25 files', () => {
  assert.deepEqual(fullFolders(files), []);
  assert.deepEqual(fullFolders(Array.from({ length: 26 }, (_, index) => `features/a/${index}.ts`)), [
    'features/a',
  ]);
});

/** Imports of features and channels that go into the folder of one system. */
function importsOfSystems(list: readonly { file: string; source: string }[]): string[] {
  return list
    .filter(({ file }) => file.startsWith('features/') || isOfChannel(file))
    .flatMap(({ file, source }) =>
      importsOf(source)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => join(dirname(file), specifier))
        .filter((target) => /^tms\/[^/]+\//.test(target))
        .map((target) => `${file} → ${target}`),
    );
}

test('features know systems through src/tms itself, not through the folder of one', () => {
  assert.deepEqual(importsOfSystems(sources), []);
  const file = 'features/a/b/service.ts';
  const breach = { file, source: "import { a } from '../../../tms/house/store.ts';" };
  assert.deepEqual(importsOfSystems([breach]), [`${file} → tms/house/store.ts`]);
  const allowed = { file, source: "import { a } from '../../../tms/systems.ts';" };
  assert.deepEqual(importsOfSystems([allowed]), []);
});
