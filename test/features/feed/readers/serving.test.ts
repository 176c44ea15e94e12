import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertProblem } from '../../../support/app.ts';
import { eventually } from '../../../support/eventually.ts';
import { NO_PATHS, newToken } from '../storage/storage-conformance.ts';
import { servingApp } from './serving-support.ts';

const { maitred, ask, storage, folder, dataDir } = servingApp();

test('an index and a shard are served to anybody, as often as they like, with all that is said of them', async () => {
  const token = newToken();
  const shard = gzipSync('{"slots":[]}');
  await storage.put(`${token}/index.json`, Buffer.from('{"shards":[]}'));
  await storage.put(`${token}/2026-11-15.1.json.gz`, shard);
  for (let time = 0; time < 3; time += 1) {
    const index = await ask(`${token}/index.json`);
    assert.equal(index.statusCode, 200);
    assert.deepEqual(index.json(), { shards: [] });
    assert.equal(index.headers['content-type'], 'application/json');
    assert.equal(index.headers['cache-control'], 'public, max-age=5, must-revalidate');
    assert.equal(index.headers['x-ratelimit-limit'], undefined);
  }
  const answer = await ask(`${token}/2026-11-15.1.json.gz`, { 'accept-encoding': 'gzip, br' });
  assert.deepEqual(answer.rawPayload, shard);
  assert.equal(answer.headers['content-type'], 'application/gzip');
  assert.equal(answer.headers['content-encoding'], undefined);
  assert.equal(answer.headers['content-length'], String(shard.length));
  assert.equal(answer.headers['accept-ranges'], 'bytes');
  assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.match(String(answer.headers.etag), /^"[^"]+"$/);
  assert.ok(Date.parse(String(answer.headers['last-modified'])) <= Date.now());
});

test('HEAD says of a file what GET does, without it', async () => {
  const path = `${newToken()}/index.json`;
  await storage.put(path, Buffer.from('{"shards":[]}'));
  const changing = ['date', 'x-correlation-id', 'connection'];
  const [whole, head] = (await Promise.all([ask(path), ask(path, {}, 'HEAD')])).map((answer) => ({
    status: answer.statusCode,
    length: answer.rawPayload.length,
    headers: Object.entries(answer.headers)
      .filter(([name]) => !changing.includes(name))
      .sort(),
  }));
  assert.deepEqual(head, { ...whole, length: 0 });
  const ofPart = await ask(path, { range: 'bytes=0-1' }, 'HEAD');
  assert.deepEqual([ofPart.statusCode, ofPart.headers['content-length']], [200, '13']);
});

test('what is not there is a problem that nobody keeps', async () => {
  const answer = await maitred().call(`/feed/${newToken()}/index.json`, { as: null });
  assertProblem(answer, 404, 'HTTP-N-404');
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.equal(answer.headers['x-ratelimit-limit'], undefined);
});

test('a name that no feed file has is not looked for, whatever lies there', async () => {
  const token = newToken();
  mkdirSync(join(folder, token), { recursive: true });
  writeFileSync(join(folder, token, 'notes.json'), '{}');
  writeFileSync(join(folder, 'aside', 'index.json'), '{}');
  writeFileSync(join(dataDir, 'encryption-key'), 'secret');
  const addresses = [
    // What has other dots or slashes leads to other addresses before it is sent.
    ...NO_PATHS.filter((path) => /^[^./][^/]*\/[^/]+$/.test(path)),
    `${token}/notes.json`,
    'aside/index.json',
    `${token}/..%2F..%2Fencryption-key`,
    '..%2F..%2F..%2F..%2Fetc/passwd',
    `${token}/%2e%2e%5cindex.json`,
    `${token}/index.json%00`,
  ];
  assert.ok(addresses.length > 12);
  for (const path of addresses) {
    const answer = await maitred().call(`/feed/${path.replace('\n', '%0A')}`, { as: null });
    assertProblem(answer, 404, 'HTTP-N-404');
  }
});

test('a feed is only read', async () => {
  const path = `/feed/${newToken()}/index.json`;
  for (const [index, method] of (['PUT', 'POST', 'DELETE'] as const).entries()) {
    // Whoever does not only read is counted, by address.
    const remoteAddress = `192.0.2.${index}`;
    const answer = await maitred().app.inject({ method, url: path, remoteAddress });
    assert.equal(answer.statusCode, 405);
    assert.equal(answer.json().code, 'HTTP-N-405');
    assert.equal(answer.headers.allow, 'GET, HEAD');
  }
});

test('whoever has a file is told so, by its ETag first and by its date otherwise', async () => {
  const path = `${newToken()}/index.json`;
  await storage.put(path, Buffer.from('{}'));
  const { etag = '', 'last-modified': date = '' } = (await ask(path)).headers;
  const earlier = new Date(Date.parse(date) - 1000).toUTCString();
  const cases: [Record<string, string>, number][] = [
    [{ 'if-none-match': String(etag) }, 304],
    [{ 'if-none-match': `"a", W/${etag}` }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"another"' }, 200],
    [{ 'if-none-match': '"another"', 'if-modified-since': date }, 200],
    [{ 'if-none-match': String(etag), 'if-modified-since': earlier }, 304],
    [{ 'if-none-match': String(etag), range: 'bytes=0-0' }, 304],
    [{ 'if-modified-since': date }, 304],
    [{ 'if-modified-since': new Date(Date.now() + 60_000).toUTCString() }, 304],
    [{ 'if-modified-since': earlier }, 200],
    [{ 'if-modified-since': 'tomorrow' }, 200],
    [{ 'if-modified-since': '2099' }, 200],
    [{ 'if-modified-since': 'Invalid Date' }, 200],
    [{ 'if-match': String(etag) }, 200],
    [{ 'if-match': `"another", ${etag}` }, 200],
    [{ 'if-match': '*', 'if-none-match': String(etag) }, 304],
    [{ 'if-match': String(etag), 'if-unmodified-since': earlier }, 200],
    [{ 'if-unmodified-since': date }, 200],
    [{ 'if-unmodified-since': 'yesterday' }, 200],
    [{ 'if-unmodified-since': date, 'if-none-match': String(etag) }, 304],
  ];
  for (const [headers, status] of cases)
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await ask(path, headers, method);
      assert.equal(answer.statusCode, status, JSON.stringify(headers));
      assert.equal(answer.headers.etag, etag);
      assert.equal(answer.headers['last-modified'], date);
      assert.equal(answer.rawPayload.length, status === 304 || method === 'HEAD' ? 0 : 2);
    }
});

test('a read that insists on another state of a file is 412, whatever else it says', async () => {
  const path = `${newToken()}/index.json`;
  await storage.put(path, Buffer.from('{}'));
  const { etag = '', 'last-modified': date = '' } = (await ask(path)).headers;
  const earlier = new Date(Date.parse(date) - 1000).toUTCString();
  const cases: Record<string, string>[] = [
    { 'if-match': '"another"' },
    { 'if-match': `W/${etag}` },
    { 'if-match': '"another"', 'if-none-match': String(etag) },
    { 'if-match': '"another"', range: 'bytes=0-0' },
    { 'if-unmodified-since': earlier },
    { 'if-unmodified-since': earlier, 'if-modified-since': date },
  ];
  for (const headers of cases)
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await ask(path, headers, method);
      assert.equal(answer.statusCode, 412, JSON.stringify(headers));
      assert.equal(answer.headers.etag, undefined);
      if (method === 'GET') assert.equal(answer.json().code, 'HTTP-N-412');
    }
});

test('indexes that follow each other in one moment have different ETags, and none hides behind a date', async () => {
  const path = `${newToken()}/index.json`;
  const etags = new Set();
  let known: string | undefined;
  for (let n = 0; n < 5; n += 1) {
    await storage.put(path, Buffer.from(String(n)));
    const answer = await ask(path, known === undefined ? {} : { 'if-modified-since': known });
    assert.equal(answer.body, String(n));
    etags.add(answer.headers.etag);
    known = answer.headers['last-modified'];
    assert.ok(Date.parse(String(known)) <= Date.now());
  }
  assert.equal(etags.size, 5);
});

test('the date of a file that lies ahead is capped, and then nothing is known by it', async () => {
  const path = `${newToken()}/index.json`;
  await storage.put(path, Buffer.from('{}'));
  const ahead = new Date(Date.now() + 60_000);
  utimesSync(join(folder, path), ahead, ahead);
  const { 'last-modified': date = '' } = (await ask(path)).headers;
  assert.ok(Date.parse(date) <= Date.now());
  assert.equal((await ask(path, { 'if-modified-since': date })).statusCode, 200);
  assert.equal((await ask(path, { range: 'bytes=0-0', 'if-range': date })).statusCode, 200);
});

/** More than the buffers between two processes of one machine hold. */
const LONG = 32 * 1024 * 1024;

const openIn = (place: string) =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(place);
    } catch {
      return false;
    }
  });

test('an index that is replaced while it is sent arrives as it began, and the next answer is the new one', async () => {
  const path = `${newToken()}/index.json`;
  const before = Buffer.alloc(LONG, 'a');
  await storage.put(path, before);
  const { etag } = (await ask(path, {}, 'HEAD')).headers;
  const address = await maitred().app.listen({ host: '127.0.0.1', port: 0 });
  const [answer] = (await once(get(`${address}/feed/${path}`), 'response')) as [IncomingMessage];
  await storage.put(path, Buffer.from('b'));
  const chunks = await answer.toArray();
  assert.equal(answer.headers.etag, etag);
  assert.ok(Buffer.concat(chunks).equals(before));
  const after = await ask(path, { 'if-none-match': String(etag) });
  assert.equal(after.body, 'b');
});

test('no file stays open, whether it was sent, known, out of range or not wanted to the end', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const path = `${newToken()}/index.json`;
  await storage.put(path, Buffer.alloc(LONG, 'a'));
  await ask(path, {}, 'HEAD');
  await ask(path, { 'if-none-match': '*' });
  await ask(path, { range: `bytes=${LONG}-` });
  await ask(path, { range: 'bytes=5-9' });
  const { port } = maitred().app.server.address() as AddressInfo;
  const request = get(`http://127.0.0.1:${port}/feed/${path}`);
  t.after(() => request.destroy());
  await once(request, 'response');
  assert.equal(openIn(folder).length, 1);
  request.destroy();
  await eventually(async () => openIn(folder).length === 0);
});
