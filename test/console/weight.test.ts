import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';

const BROWSER = join(import.meta.dirname, '../../src/console/browser');

/** What the first view may weigh on the wire. */
const FIRST_VIEW_BYTES = 150_000;
const MOST_LINES = 250;
const TONIGHT = 'pages/tonight/tonight.ts';

/** As browsers say it: Chromium and Firefox, Safari, and what is oldest among those that can show the page. */
const ACCEPTED = ['gzip, deflate, br, zstd', 'gzip, deflate, br', 'gzip'];

const STATIC_IMPORT = /(?:^|[\n;}])\s*(?:import|export)\b(?:[^;'"()]*?\bfrom)?\s*['"]([^'"\n]+)['"]/g;

describe('what the console weighs', () => {
  let service: TestApp;
  before(async () => {
    service = await startTestApp({ isEmpty: true });
  });
  after(() => service.close());

  async function textOf(url: string): Promise<string> {
    const { statusCode, body } = await service.app.inject({ url });
    assert.equal(statusCode, 200, url);
    return body;
  }

  async function bytesOf(url: string, accepted: string): Promise<number> {
    const headers = { 'accept-encoding': accepted };
    const { statusCode, rawPayload } = await service.app.inject({ url, headers });
    assert.equal(statusCode, 200, url);
    return rawPayload.length;
  }

  /** Everything that a browser asks for until Tonight is drawn, by following what the page and its modules name. */
  async function firstView(language: string): Promise<string[]> {
    const page = '/console';
    const html = await textOf(page);
    const named = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, url = '']) => url);
    const preloaded = named(/rel="modulepreload" href="([^"]+)"/g);
    const styles = named(/rel="(?:stylesheet|icon)" href="([^"]+)"/g);
    const { imports } = JSON.parse(/<script type="importmap">(.*?)<\/script>/.exec(html)?.[1] ?? '{}');
    const [main = ''] = named(/<script type="module" src="([^"]+)"/g);
    const below = (name: string) => new URL(name, `http://x${main}`).pathname;

    const modules = new Set([main, ...preloaded, below(TONIGHT), below(`languages/${language}.ts`)]);
    for (const url of modules) {
      for (const [, specifier = ''] of (await textOf(url)).matchAll(STATIC_IMPORT)) {
        modules.add(imports[specifier] ?? new URL(specifier, `http://x${url}`).pathname);
      }
    }
    return [page, ...styles, ...modules];
  }

  for (const language of ['en', 'de', 'fr']) {
    test(`the first view in ${language} is at most ${FIRST_VIEW_BYTES} bytes, however it is compressed`, async (context) => {
      const urls = await firstView(language);
      assert.ok(urls.length > 40, 'the walk has come to an end too early');
      for (const accepted of ACCEPTED) {
        let total = 0;
        for (const url of urls) total += await bytesOf(url, accepted);
        context.diagnostic(`${total} bytes in ${urls.length} files with ${accepted}`);
        assert.ok(total <= FIRST_VIEW_BYTES, `${total} bytes in ${urls.length} files with ${accepted}`);
      }
    });
  }

  test('what main.ts needs is named in the page, so that it is fetched at once', async () => {
    const html = await textOf('/console');
    const preloaded = new Set(
      [...html.matchAll(/rel="modulepreload" href="([^"]+)"/g)].map(([, url]) => url),
    );
    const { imports } = JSON.parse(/<script type="importmap">(.*?)<\/script>/.exec(html)?.[1] ?? '{}');
    for (const url of preloaded) {
      for (const [, specifier = ''] of (await textOf(url ?? '')).matchAll(STATIC_IMPORT)) {
        const target = imports[specifier] ?? new URL(specifier, `http://x${url}`).pathname;
        assert.ok(preloaded.has(target), `${target} is fetched late`);
      }
    }
  });
});

describe('what the console is made of', () => {
  const files = globSync('**/*.ts', { cwd: BROWSER }).sort();
  const read = (file: string) => readFileSync(join(BROWSER, file), 'utf8');

  test(`no file has more than ${MOST_LINES} lines`, () => {
    const long = files
      .filter((file) => !file.startsWith('languages/'))
      .map((file) => ({ file, lines: read(file).split('\n').length - 1 }))
      .filter(({ lines }) => lines > MOST_LINES);
    assert.deepEqual(long, []);
  });

  test('nothing but types comes from outside', () => {
    const IMPORT = /(?:^|\n)\s*(import|export)(\s+type)?\b(?:[^;'"()]*?\bfrom)?\s*['"](\.[^'"\n]+)['"]/g;
    const DYNAMIC = /\bimport\(\s*[`'"](\.[^`'"\n]+)[`'"]\s*\)/g;
    const leavesFolder = (file: string, specifier: string) => join(file, '..', specifier).startsWith('..');
    const found = files.flatMap((file) => {
      const source = read(file);
      const fixed = [...source.matchAll(IMPORT)]
        .filter(([, , type]) => type === undefined)
        .map((one) => one[3]);
      const late = [...source.matchAll(DYNAMIC)].map((one) => one[1]);
      return [...fixed, ...late]
        .filter((specifier = '') => leavesFolder(file, specifier))
        .map((specifier) => `${file} → ${specifier}`);
    });
    assert.deepEqual(found, []);
  });
});
