import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';

describe('the files of the console', () => {
  let service: TestApp;
  before(async () => {
    service = await startTestApp({ isEmpty: true });
  });
  after(() => service.close());

  const get = (path: string, headers = {}) => service.call(path, { as: null, headers });
  const pageOf = async () => (await get('/console')).text;
  const mainOf = (html: string) => /src="([^"]+main\.ts)"/.exec(html)?.[1] ?? '';

  test('every address below /console is the same page, with a policy of its own', async () => {
    const page = await get('/console');
    assert.equal(page.status, 200);
    const policy = String(page.headers['content-security-policy']);
    assert.match(policy, /default-src 'none'; script-src 'self' 'sha256-/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.equal(page.headers['x-frame-options'], 'DENY');
    assert.equal(
      (await get('/console/venues/1%7Chouse%7Csoho-grill/tonight?date=2026-12-05')).text,
      page.text,
    );
  });

  test('modules are served without their types, and are kept for good', async () => {
    const answer = await get(mainOf(await pageOf()));
    assert.equal(answer.status, 200);
    assert.match(String(answer.headers['content-type']), /^text\/javascript/);
    assert.match(String(answer.headers['cache-control']), /immutable/);
    assert.match(answer.text, /import \{ html \} from 'htm\/preact'/);
    const api = await get(mainOf(await pageOf()).replace('main.ts', 'app/api.ts'));
    assert.doesNotMatch(api.text, /interface CallOptions/);
  });

  test('everything that the page names is there', async () => {
    const html = await pageOf();
    const imports = Object.values(JSON.parse(/importmap">(.*?)<\/script>/.exec(html)?.[1] ?? '{}').imports);
    const linked = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address ?? '');
    assert.ok(linked.length > 20 && imports.length > 5);
    for (const address of [...linked, ...(imports as string[])]) {
      assert.equal((await get(address)).status, 200, address);
    }
  });

  test('files of another version, and files that are none of the console, are not there', async () => {
    const main = mainOf(await pageOf());
    const version = main.split('/')[3] ?? '';
    for (const address of [
      main.replace(version, '0000000000000000'),
      main.replace('main.ts', '../routes.ts'),
      main.replace('main.ts', '..%2f..%2fconfig.ts'),
      main.replace('main.ts', ''),
    ]) {
      assert.equal((await get(address)).status, 404, address);
    }
  });
});
