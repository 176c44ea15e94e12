/**
 * The files of the console: what stands in `browser/` and the packages that it imports. There is no build step. Types are
 * stripped from modules when they are first requested, and all addresses carry a hash of everything, so that browsers
 * may keep what they have.
 */
import { hash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Prepared, prepare } from '../http/format/static-answer.ts';
import { TOKENS_FILE } from '../http/pages/frame.ts';

const FOLDER = join(import.meta.dirname, 'browser');
export const FILES_URL = '/console/files';

/** Bare specifiers of the browser's modules, and the file of the package that stands for each. */
const PACKAGES: Record<string, string> = {
  preact: 'preact/dist/preact.mjs',
  'preact/hooks': 'preact/hooks/dist/hooks.mjs',
  '@preact/signals-core': '@preact/signals-core/dist/signals-core.mjs',
  '@preact/signals': '@preact/signals/dist/signals.mjs',
  htm: 'htm/dist/htm.mjs',
  uplot: 'uplot/dist/uPlot.esm.js',
};
/** And a file of ours that stands for one. */
const OWN_FILES: Record<string, string> = { 'htm/preact': 'app/html.ts' };
/** Where each is found below the address of the files. */
const SPECIFIERS: Record<string, string> = {
  ...Object.fromEntries(Object.entries(PACKAGES).map(([specifier, path]) => [specifier, `packages/${path}`])),
  ...OWN_FILES,
};
const PACKAGE_STYLES = ['uplot/dist/uPlot.min.css'];

interface ConsoleFiles {
  page: Prepared;
  find(version: string, name: string): Prepared | undefined;
}

export interface ConsoleSource {
  getPage(): Promise<Prepared>;
  /** Of the version that the page had last. */
  findFile(version: string, name: string): Promise<Prepared | undefined>;
}

interface Options {
  isWatching: boolean;
  nowMs?: () => number;
}

/** Looking costs milliseconds in which nothing else is answered, and anyone may ask for the page. */
const LOOK_EVERY_MS = 1000;

/** Reads everything again when a file has changed, so that who works on the console reloads the page and sees it. */
export function openConsoleFiles({ isWatching, nowMs = () => performance.now() }: Options): ConsoleSource {
  let made: Promise<ConsoleFiles> | undefined;
  let madeAt = '';
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  function forgetWhatChanged(): void {
    if (!isWatching || nowMs() - lookedAtMs < LOOK_EVERY_MS) return;
    lookedAtMs = nowMs();
    const changedAt = lastChange();
    if (changedAt !== madeAt) made = undefined;
    madeAt = changedAt;
  }

  function getFiles(): Promise<ConsoleFiles> {
    if (made) return made;
    const making = makeFiles();
    made = making;
    making.catch(() => {
      if (made === making) made = undefined;
    });
    return making;
  }

  return {
    async getPage() {
      forgetWhatChanged();
      return (await getFiles()).page;
    },
    findFile: async (version, name) => (await getFiles()).find(version, name),
  };
}

const list = (pattern: string) => globSync(pattern, { cwd: FOLDER }).sort();

const lastChange = () =>
  String(Math.max(...list('**/*.{ts,css,svg}').map((name) => statSync(join(FOLDER, name)).mtimeMs)));

const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

/** From the folder of packages itself: some do not export the file that browsers load. */
const require = createRequire(import.meta.url);
const readPackage = (path: string) => {
  const [name = '', scoped = ''] = path.split('/');
  const folder = name.startsWith('@') ? `${name}/${scoped}` : name;
  const root = require.resolve.paths(folder)?.find((at) => globSync(join(at, folder, 'package.json')).length);
  return readFileSync(join(root ?? '', path), 'utf8').replace(/\n?\/[/*]# sourceMappingURL=.*$/m, '');
};

async function makeFiles(): Promise<ConsoleFiles> {
  // Loaded with the first request for the console, since few nodes ever serve it.
  const { transformSync } = await import('amaro');
  const strip = (name: string) => {
    try {
      return transformSync(read(name), { mode: 'strip-only' }).code;
    } catch (error) {
      // What is thrown is no error, and does not say which file it is about.
      throw new Error(`${name}: ${(error as { message?: string }).message}`);
    }
  };

  const content = new Map<string, string>();
  for (const name of list('**/*.ts')) {
    content.set(name, strip(name));
    // There are hundreds: a node that serves partners answers them in between.
    await setImmediate();
  }
  for (const path of Object.values(PACKAGES)) content.set(`packages/${path}`, readPackage(path));
  const tokens = readFileSync(TOKENS_FILE, 'utf8');
  const styles = [...PACKAGE_STYLES.map(readPackage), tokens, ...list('styles/*.css').map(read)];
  content.set('console.css', styles.join('\n'));
  for (const name of list('**/*.svg')) content.set(name, read(name));

  const version = hash('sha256', JSON.stringify([...content]), 'hex').slice(0, 16);
  const files = new Map<string, Prepared>();
  for (const [name, text] of content) files.set(name, prepareFile(name, text));
  return {
    page: preparePage(version, firstModules(content)),
    find: (asked, name) => (asked === version ? files.get(name) : undefined),
  };
}

function prepareFile(name: string, text: string): Prepared {
  const contentType = name.endsWith('.css')
    ? 'text/css; charset=utf-8'
    : name.endsWith('.svg')
      ? 'image/svg+xml'
      : 'text/javascript; charset=utf-8';
  return prepare(text, { contentType, cacheControl: 'public, max-age=31536000, immutable' });
}

/** Packages are minified: all of theirs may stand on one line. */
const STATIC_IMPORT = /(?:^|[\n;}])\s*(?:import|export)\b(?:[^;'"()]*?\bfrom)?\s*['"]([^'"\n]+)['"]/g;

/** What the first view cannot do without: all that `main.ts` imports, at any depth. */
function firstModules(content: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>(['main.ts']);
  for (const name of found) {
    for (const [, specifier = ''] of (content.get(name) ?? '').matchAll(STATIC_IMPORT)) {
      const target = SPECIFIERS[specifier] ?? join(name, '..', specifier);
      if (content.has(target)) found.add(target);
    }
  }
  return [...found];
}

function preparePage(version: string, modules: readonly string[]): Prepared {
  const at = (name: string) => `${FILES_URL}/${version}/${name}`;
  const imports = Object.fromEntries(
    Object.entries(SPECIFIERS).map(([specifier, name]) => [specifier, at(name)]),
  );
  const importMap = JSON.stringify({ imports });
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Maitred</title>
<link rel="icon" href="${at('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${at('console.css')}">
<script type="importmap">${importMap}</script>
${modules.map((name) => `<link rel="modulepreload" href="${at(name)}">`).join('\n')}
<script type="module" src="${at('main.ts')}"></script>
</head>
<body>
<div id="app"></div>
<noscript>The console needs JavaScript.</noscript>
</body>
</html>
`;
  return prepare(html, {
    contentType: 'text/html; charset=utf-8',
    cacheControl: 'no-cache',
    headers: { 'content-security-policy': policyWith(importMap) },
  });
}

/** Nothing from elsewhere and nothing inline but the import map, which browsers take in no other form. */
function policyWith(importMap: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash('sha256', importMap, 'base64')}'`,
    "style-src 'self'",
    // Photos may be on a store of their own.
    "img-src 'self' data: blob: https:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
