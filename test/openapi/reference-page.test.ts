import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { buildUnconnectedApp } from '../../scripts/openapi.ts';
import { openApiDocuments } from '../../src/http/openapi/openapi.ts';
import { installDocs } from '../../src/http/openapi/reference-page.ts';
import type { App } from '../../src/http/route.ts';

const app = await buildUnconnectedApp();
after(() => app.close());
// biome-ignore lint/suspicious/noExplicitAny: a document of OpenAPI
type Operations = Record<string, any>;
const SCRIPT = '/docs/js/scalar.js';

const PAGES = ['/docs/', '/docs/manage/'];

for (const url of PAGES)
  test(`${url} names its language and forbids every script but its own`, async () => {
    const page = await app.inject(url);
    assert.match(page.body, /<html lang="en">/);
    const policy = String(page.headers['content-security-policy']);
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self' 'sha256-[\w+/]{43}='(;|$)/);
    assert.doesNotMatch(policy, /unsafe-eval|https?:|\*/);
  });

test('the program of the page comes compressed to those who take that, and plain to others', async () => {
  const packed = await app.inject({ url: SCRIPT, headers: { 'accept-encoding': 'gzip' } });
  const plain = await app.inject(SCRIPT);
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.ok(gunzipSync(packed.rawPayload).equals(plain.rawPayload));
  assert.ok(packed.rawPayload.length < plain.rawPayload.length / 2);
});

test('whoever has the program of the page is not sent it again', async () => {
  const { headers } = await app.inject(SCRIPT);
  const again = await app.inject({ url: SCRIPT, headers: { 'if-none-match': String(headers.etag) } });
  assert.equal(again.statusCode, 304);
  assert.equal(again.body, '');
});

test('each page draws its own part, with the credentials of this environment and each scope once', async () => {
  for (const url of PAGES) {
    const [, document = ''] = /"url": "([^"]+)"/.exec((await app.inject(url)).body) ?? [];
    const published = (await app.inject(document.replace('/docs', ''))).json();
    const drawn = (await app.inject(document)).json();
    assert.deepEqual(Object.keys(drawn.paths), Object.keys(published.paths));
    assert.equal(drawn.components.securitySchemes.Live, undefined);
    assert.notEqual(published.components.securitySchemes.Live, undefined);
    for (const operation of Object.values<Operations>(drawn.paths).flatMap(Object.values)) {
      const scopes = operation.security.flatMap((schemes: object) => Object.values(schemes).flat());
      assert.deepEqual(scopes, [...new Set(scopes)], operation.operationId);
      assert.ok(operation.security.every((schemes: object) => !('Live' in schemes)));
    }
  }
});

for (const [environment, isFilledIn] of [
  ['sandbox', true],
  ['staging', true],
  ['live', false],
] as const) {
  test(`demo credentials are ${isFilledIn ? '' : 'not '}filled in in ${environment}`, async () => {
    const pages = Fastify() as unknown as App;
    installDocs(pages, { environment, audience: 'tables' }, () => openApiDocuments(app));
    const { body } = await pages.inject('/docs/');
    assert.equal(body.includes('demo-partner-secret'), isFilledIn);
    assert.match(body, /"audience": "tables"/);
    const { components } = (await pages.inject('/docs/openapi.json')).json();
    assert.deepEqual(Object.keys(components.securitySchemes), [environment === 'live' ? 'Live' : 'Sandbox']);
    await pages.close();
  });
}
