import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { decode } from '@toon-format/toon';
import fc from 'fast-check';
import Fastify from 'fastify';
import { formatOf, render, sendLive, sendRendered } from '../../../src/http/format/render.ts';
import type {} from '../../../src/http/route.ts';
import { Problem } from '../../../src/kernel/problem.ts';

const value = {
  id: 'a',
  at: Temporal.Instant.from('2026-01-31T19:30:00Z'),
  gone: undefined,
  none: null,
  é: ['ü'],
};
const DECODE = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };
const plain = { id: 'a', at: '2026-01-31T19:30:00Z', none: null, é: ['ü'] };

function appThatSends(content: unknown, interfaceName?: 'listings') {
  const app = Fastify();
  app.route({
    method: ['GET', 'POST'],
    url: '/thing',
    config: interfaceName ? { interface: interfaceName } : {},
    handler: (request, reply) => sendRendered(request, reply, render(content, formatOf(request))),
  });
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof Problem)) throw error;
    return reply.code(error.status).send({ code: error.code, detail: error.message });
  });
  return app;
}

describe('a rendered response', () => {
  test('says the same in every form', () => {
    assert.deepEqual(JSON.parse(render(value, 'json').body.toString()), plain);
    assert.deepEqual(decode(render(value, 'toon').body.toString()), plain);
    assert.deepEqual(decode(JSON.parse(render(value, 'toon+json').body.toString()).toon), plain);
  });

  test('carries any JSON value through TOON and back', () => {
    const json = fc.jsonValue({ stringUnit: 'binary' }).map((any) => JSON.parse(JSON.stringify(any)));
    fc.assert(
      fc.property(json, (any) => {
        assert.deepEqual(decode(render(any, 'toon').body.toString()), any);
      }),
    );
  });

  test('of nothing is null', () => {
    assert.equal(render(undefined, 'json').body.toString(), 'null');
    assert.equal(render(undefined, 'toon').body.toString(), 'null');
  });

  test('has one tag per content and form', () => {
    const tags = [render([], 'json'), render([], 'toon'), render([1], 'json'), render([1], 'toon')];
    assert.equal(new Set(tags.map(({ etag }) => etag)).size, 4);
    assert.equal(render({ a: 1 }, 'json').etag, render({ a: 1 }, 'json').etag);
    assert.match(render([], 'toon+json').etag, /^"[!#-~]+"$/);
  });

  test('is sent with its type, its tag and the headers that caches need', async () => {
    const answer = await appThatSends(value).inject({ url: '/thing', headers: { accept: 'text/toon' } });
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['content-type'], 'text/toon; charset=utf-8');
    assert.equal(answer.headers.vary, 'Accept, Accept-Encoding');
    assert.equal(answer.headers['cache-control'], 'private, no-cache');
    assert.equal(answer.headers.etag, render(value, 'toon').etag);
    assert.deepEqual(decode(answer.body), plain);
  });

  test('comes as the vendor type on the listings interface', async () => {
    const headers = { accept: 'application/vnd.service.toon+json' };
    const answer = await appThatSends(value, 'listings').inject({ url: '/thing', headers });
    assert.equal(answer.headers['content-type'], 'application/vnd.service.toon+json; charset=utf-8');
    assert.deepEqual(decode(answer.json().toon), plain);
    const refused = await appThatSends(value).inject({ url: '/thing', headers });
    assert.equal(refused.statusCode, 406);
    assert.equal(refused.json().code, 'HTTP-N-406');
  });

  test('is not sent again to a reader that has it', async () => {
    const app = appThatSends(value);
    const { etag } = render(value, 'json');
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, `"a,b",W/${etag} , "c"`, '*']) {
      const answer = await app.inject({ url: '/thing', headers: { 'if-none-match': known } });
      assert.equal(answer.statusCode, 304, known);
      assert.equal(answer.body, '');
      assert.equal(answer.headers.etag, etag);
      assert.equal(answer.headers.vary, 'Accept, Accept-Encoding');
      assert.equal(answer.headers['content-type'], undefined);
    }
    for (const known of ['"other"', etag.slice(1, -1), `"x${etag.slice(1)}`, '', '"']) {
      const answer = await app.inject({ url: '/thing', headers: { 'if-none-match': known } });
      assert.equal(answer.statusCode, 200, known);
    }
  });

  test('has the same headers for HEAD, and 304 there too', async () => {
    const app = appThatSends(value);
    const { etag, body } = render(value, 'json');
    const answer = await app.inject({ method: 'HEAD', url: '/thing' });
    assert.equal(answer.headers.etag, etag);
    assert.equal(answer.headers['content-length'], String(body.length));
    assert.equal(answer.body, '');
    const known = await app.inject({ method: 'HEAD', url: '/thing', headers: { 'if-none-match': etag } });
    assert.equal(known.statusCode, 304);
  });

  test('that is long is compressed on its way, in one piece or as a stream', async () => {
    for (const entries of [100, 30_000]) {
      const content = Array.from({ length: entries }, (_, id) => ({ id, name: 'é' }));
      const app = Fastify();
      // As most of our handlers do: they have ended before a stream would have begun.
      app.get('/live', async (_request, reply) => {
        sendLive(reply, content, 'json');
      });
      app.get('/tagged', (request, reply) => sendRendered(request, reply, render(content, 'json')));
      for (const url of ['/live', '/tagged'])
        for (const [encoding, decode] of Object.entries(DECODE)) {
          const answer = await app.inject({ url, headers: { 'accept-encoding': encoding } });
          assert.equal(answer.headers['content-encoding'], encoding);
          assert.deepEqual(JSON.parse(decode(answer.rawPayload).toString()), content);
          const head = await app.inject({ method: 'HEAD', url, headers: { 'accept-encoding': encoding } });
          assert.equal(head.statusCode, 200);
          assert.equal(head.headers['content-encoding'], encoding);
          assert.equal(head.rawPayload.length, 0);
        }
    }
  });

  test('of a write carries no tag and is always sent', async () => {
    const answer = await appThatSends(value).inject({
      method: 'POST',
      url: '/thing',
      headers: { 'if-none-match': '*' },
    });
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers.etag, undefined);
    assert.deepEqual(answer.json(), plain);
  });
});
