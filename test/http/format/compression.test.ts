import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { createFolderStorage } from '../../../src/features/feed/folder-storage.ts';
import { feedFolder } from '../../../src/features/feed/storage.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';

const ENCODINGS = ['zstd', 'br', 'gzip'] as const;
const DECODE = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };
const TOKEN = 'a'.repeat(32);
const INDEX = JSON.stringify({ shards: Array.from({ length: 180 }, (_, day) => ({ day, url: TOKEN })) });

const dataDir = mkdtempSync(join(tmpdir(), 'maitred-compression-'));
let maitred: TestApp;
let authorization: string;
before(async () => {
  maitred = await startTestApp({ config: { dataDir } });
  authorization = `Bearer ${await maitred.token('demo-partner')}`;
  await createFolderStorage(feedFolder({ dataDir })).put(`${TOKEN}/index.json`, Buffer.from(INDEX));
});
after(async () => {
  await maitred.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  maitred.app.inject({ method, url, headers: { authorization, ...headers } });

const CHANGING = ['date', 'x-correlation-id', 'connection'];
const lasting = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !CHANGING.includes(name)));

const day = Temporal.Now.plainDateISO('Europe/London').add({ days: 7 }).toString();
/** With what is asked for beside the encoding. */
const WITH_TAG: [what: string, url: string, headers?: Record<string, string>][] = [
  ['a kept page', '/venues?pageSize=50'],
  ['a kept page in TOON', '/venues?pageSize=49', { accept: 'text/toon' }],
  ['one venue', '/venues/1%7Chouse%7Csoho-grill'],
  ['the OpenAPI document', '/openapi.json'],
  ['the reference page', '/docs/'],
  ['its script', '/docs/js/scalar.js'],
  ['the list of problems', '/problems'],
  ['the list of problems as JSON', '/problems', { accept: 'application/json' }],
  ['the index of a feed', `/feed/${TOKEN}/index.json`],
];
const WITHOUT_TAG: typeof WITH_TAG = [
  ['live availability', `/venues/1%7Chouse%7Csoho-grill%7Cdinner/availability?date=${day}&partySize=2`],
  [
    'live availability in TOON',
    `/venues/1%7Chouse%7Csoho-grill%7Cdinner/availability?date=${day}&partySize=2`,
    { accept: 'text/toon' },
  ],
];

for (const [what, url, headers = {}] of [...WITH_TAG, ...WITHOUT_TAG]) {
  test(`${what} comes in each encoding, says the same in all, and tells caches so`, async () => {
    const plain = await ask(url, headers);
    assert.equal(plain.statusCode, 200);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.match(String(plain.headers.vary), /(^|, )Accept-Encoding$/);
    for (const encoding of ENCODINGS) {
      const answer = await ask(url, { ...headers, 'accept-encoding': encoding });
      assert.equal(answer.headers['content-encoding'], encoding);
      assert.equal(answer.headers['content-type'], plain.headers['content-type']);
      assert.equal(answer.headers['cache-control'], plain.headers['cache-control']);
      assert.equal(answer.headers.vary, plain.headers.vary);
      assert.equal(answer.headers['content-length'], String(answer.rawPayload.length));
      assert.ok(answer.rawPayload.length < plain.rawPayload.length / 2);
      assert.ok(DECODE[encoding](answer.rawPayload).equals(plain.rawPayload));
    }
  });
}

for (const [what, url, headers = {}] of WITH_TAG) {
  test(`${what} has a tag of its own in each encoding, which is known again there`, async () => {
    const { etag } = (await ask(url, headers)).headers;
    const tags = [String(etag)];
    for (const encoding of ENCODINGS) {
      const accepting = { ...headers, 'accept-encoding': encoding };
      const answer = await ask(url, accepting);
      const own = String(answer.headers.etag);
      tags.push(own);
      assert.deepEqual(lasting((await ask(url, accepting, 'HEAD')).headers), lasting(answer.headers));
      const again = await ask(url, { ...accepting, 'if-none-match': own });
      assert.equal(again.statusCode, 304);
      assert.equal(again.headers.etag, own);
      assert.equal(again.headers['content-encoding'], undefined);
      assert.equal(again.rawPayload.length, 0);
      // Everybody can read what is not encoded, and nobody is sent an encoding that they did not ask for.
      const unencoded = await ask(url, { ...accepting, 'if-none-match': String(etag) });
      assert.deepEqual([unencoded.statusCode, unencoded.headers.etag], [304, etag]);
      const other = await ask(url, { ...headers, 'if-none-match': own });
      assert.equal(other.statusCode, 200);
    }
    assert.equal(new Set(tags).size, 4);
    for (const tag of tags) assert.match(tag, /^"[!#-~]+"$/);
  });
}

test('the caller decides between encodings, and whether there is one', async () => {
  const cases: [header: string, expected: string | undefined][] = [
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['gzip;q=0.001', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP;Q=1.0', 'gzip'],
    ['*', 'zstd'],
    ['*, zstd;q=0, br;q=0', 'gzip'],
    ['gzip, *;q=0', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['gzip;q=0', undefined],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['deflate', undefined],
    ['gzip;q=2', undefined],
    ['', undefined],
    [`gzip${' '.repeat(1000)}`, undefined],
  ];
  for (const [header, expected] of cases) {
    const answer = await ask('/venues?pageSize=50', { 'accept-encoding': header });
    assert.equal(answer.headers['content-encoding'], expected, header);
  }
});

test('what is short is sent as it is', async () => {
  const accepting = { 'accept-encoding': 'gzip' };
  for (const url of ['/venues?pageSize=1&fields=id', '/health/live', '/problems/HTTP-N-404?']) {
    const answer = await ask(url, { ...accepting, accept: 'application/json' });
    assert.equal(answer.statusCode, 200);
    assert.ok(answer.rawPayload.length < 1024);
    assert.equal(answer.headers['content-encoding'], undefined);
  }
});

test('a long problem is compressed too, a short one is not', async () => {
  const long = await maitred.app.inject({
    method: 'POST',
    url: '/v1/orders',
    headers: { authorization, 'accept-encoding': 'gzip' },
    payload: { items: Array.from({ length: 20 }, () => ({})) },
  });
  assert.equal(long.statusCode, 400);
  assert.equal(long.headers['content-encoding'], 'gzip');
  assert.equal(JSON.parse(gunzipSync(long.rawPayload).toString()).code, 'VALID-N-001');
  const short = await ask('/venues/1%7Chouse%7Cnowhere', { 'accept-encoding': 'gzip' });
  assert.equal(short.headers['content-encoding'], undefined);
  assert.equal(short.json().code, 'VENUE-N-001');
});

test('a part of the index of a feed is a part of the file, whatever encodings the caller takes', async () => {
  const url = `/feed/${TOKEN}/index.json`;
  const plain = await ask(url);
  const part = await ask(url, { range: 'bytes=0-9', 'accept-encoding': 'gzip' });
  assert.equal(part.statusCode, 206);
  assert.equal(part.headers['content-encoding'], undefined);
  assert.equal(part.headers['content-range'], `bytes 0-9/${INDEX.length}`);
  assert.equal(part.headers.etag, plain.headers.etag);
  assert.equal(part.body, INDEX.slice(0, 10));
  const encoded = await ask(url, { 'accept-encoding': 'gzip' });
  const mixed = await ask(url, { range: 'bytes=0-9', 'if-range': String(encoded.headers.etag) });
  assert.deepEqual([mixed.statusCode, mixed.body], [200, INDEX]);
});

test('who has read something compressed may change it with the tag that came with it', async () => {
  const url = '/manage/venues/1%7Chouse%7Csoho-grill/photos';
  const headers = { authorization: `Bearer ${await maitred.token('demo-operator')}` };
  const put = (count: number, ifMatch: string) => {
    const data = Array.from({ length: count }, (_, n) => ({ url: `https://pictures.example/${n}.jpg` }));
    const payload = { data };
    return maitred.app.inject({ method: 'PUT', url, headers: { ...headers, 'if-match': ifMatch }, payload });
  };
  const made = await put(30, '*');
  assert.equal(made.statusCode, 200, made.body);
  const read = await ask(url, { ...headers, 'accept-encoding': 'gzip' });
  assert.equal(read.headers['content-encoding'], 'gzip');
  assert.equal((await put(0, '"another+gzip"')).statusCode, 412);
  assert.equal((await put(0, String(read.headers.etag))).statusCode, 200);
});
