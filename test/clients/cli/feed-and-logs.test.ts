import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { TestApp } from '../../support/app.ts';
import { startFaultyProxy } from '../../support/databases/faulty-proxy.ts';
import { eventually } from '../../support/eventually.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { createHome, inDays, interrupt, linesOf, SOHO_DINNER, startListening } from './support.ts';

const home = createHome({ after });
const dataDir = scratchFolder({ after });
let maitred: TestApp;
let address: string;
let remake: () => void;

/** Where feed files are fetched from: the service, which can be kept from answering after some days. */
const asked: string[] = [];
let daysLeft = Number.POSITIVE_INFINITY;
let isForbidden = (_url: string) => false;
const front = createServer(async (request, response) => {
  const isDay = request.url?.endsWith('.gz');
  if (isDay && daysLeft-- <= 0) return;
  asked.push(request.url ?? '');
  if (isForbidden(request.url ?? '')) return response.writeHead(403).end();
  const etag = request.headers['if-none-match'];
  const answer = await fetch(address + request.url, { headers: etag ? { 'if-none-match': etag } : {} });
  response.writeHead(answer.status, { etag: answer.headers.get('etag') ?? '' });
  response.end(Buffer.from(await answer.arrayBuffer()));
});

before(async () => {
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const feedUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}/feed`;
  ({ maitred, address } = await startListening({ config: { dataDir, feedUrl } }));
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: maitred.url,
    DATA_DIR: dataDir,
    FEED_URL: feedUrl,
  };
  remake = () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/feed.ts', '--product', SOHO_DINNER], {
      env,
    });
    assert.equal(status, 0, String(stderr));
  };
  remake();
  await home.login('default', 'demo-partner', address);
});
after(async () => {
  front.closeAllConnections();
  front.close();
  await maitred.close();
});

const FOLDER = '1,house,soho-grill,dinner';
const pull = (dir: string, ...more: string[]) =>
  home.json('feed', 'pull', SOHO_DINNER, '--dir', dir, ...more);
const daysAsked = () => asked.filter((url) => url.endsWith('.gz')).length;

test('a feed is written as files, and later only what has changed is fetched', async () => {
  const dir = join(home.folder, 'feed');
  const first = await pull(dir);
  assert.ok(first.changed > 100 && first.bytes > 10_000, JSON.stringify(first));
  const files = readdirSync(join(dir, FOLDER));
  assert.equal(files.filter((file) => file.endsWith('.json.gz')).length, first.changed);
  const index = JSON.parse(readFileSync(join(dir, FOLDER, 'index.json'), 'utf8'));
  assert.deepEqual([index.product_id, index.shards.length], [SOHO_DINNER, first.changed]);
  const day = inDays(9);
  const readDay = () => JSON.parse(String(gunzipSync(readFileSync(join(dir, FOLDER, `${day}.json.gz`)))));
  assert.deepEqual([readDay().product_id, readDay().date], [SOHO_DINNER, day]);
  assert.ok(!existsSync(join(dir, '.fetched')), 'nothing is left over');

  assert.deepEqual(await pull(dir), { ...first, changed: 0, bytes: 0 });
  const before = readDay();
  await home.print('book', SOHO_DINNER, '--date', day, '--time', '19:30', '--name', 'Ada Lovelace');
  remake();
  const next = await pull(dir);
  assert.equal(next.changed, 1);
  assert.ok(next.bytes < first.bytes / 5, `${next.bytes} of ${first.bytes} bytes`);
  assert.notDeepEqual(readDay(), before);

  rmSync(join(dir, FOLDER, `${day}.json.gz`));
  assert.equal((await pull(dir)).changed, 1, 'what was deleted comes again');
  const plain = join(home.folder, 'plain');
  await pull(plain, '--unpack');
  assert.deepEqual(JSON.parse(readFileSync(join(plain, FOLDER, `${day}.json`), 'utf8')), readDay());
  const packed = await pull(plain);
  assert.equal(packed.changed, first.changed, 'in the other form everything is new');
  const days = readdirSync(join(plain, FOLDER)).filter((file) => /^\d/.test(file));
  assert.ok(days.length === first.changed && days.every((file) => file.endsWith('.json.gz')));
});

test('one run at a time writes to a folder, and only there', async () => {
  const dir = join(home.folder, 'shared');
  await pull(dir);
  const lock = join(dir, '.lock');
  writeFileSync(lock, String(process.pid));
  const second = await home.run(['feed', 'pull', SOHO_DINNER, '--dir', dir]);
  assert.deepEqual([second.code, second.stderr.includes(`Process ${process.pid} is writing`)], [1, true]);
  const gone = spawnSync(process.execPath, ['--version']).pid;
  writeFileSync(lock, String(gone));
  const outside = join(home.folder, 'outside.json.gz');
  writeFileSync(outside, 'not of the feed');
  const stateFile = join(dir, FOLDER, '.state.json');
  const state = JSON.parse(readFileSync(stateFile, 'utf8'));
  const hashes = { ...state.hashes, '../../outside': 'known' };
  writeFileSync(stateFile, JSON.stringify({ ...state, etag: null, hashes }));
  await pull(dir);
  assert.ok(existsSync(outside));
  assert.deepEqual(readdirSync(dir), [FOLDER]);
});

test('a pull that was interrupted goes on where it stopped', async () => {
  const dir = join(home.folder, 'interrupted');
  daysLeft = 50;
  const child = home.start(['feed', 'pull', SOHO_DINNER, '--dir', dir]);
  const kept = () => (existsSync(join(dir, '.fetched')) ? readdirSync(join(dir, '.fetched')) : []);
  await eventually(() => kept().filter((file) => !file.endsWith('.tmp')).length === 50);
  assert.equal(await interrupt(child), 130);
  assert.ok(!existsSync(join(dir, FOLDER, 'index.json')));
  daysLeft = Number.POSITIVE_INFINITY;
  asked.length = 0;
  const { changed } = await pull(dir);
  assert.equal(daysAsked(), changed - 50);
  assert.deepEqual(readdirSync(dir), [FOLDER]);
});

test('all feeds are pulled with progress, and a product without one is named', async () => {
  const dir = join(home.folder, 'all');
  const { code, stdout, stderr } = await home.run(['feed', 'pull', '--all', '--dir', dir]);
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    /^2 feeds in .*: \d+ days written, 0 removed, .* fetched\.\n\d+ products have no feed yet\.\n$/,
  );
  assert.match(stderr, /^0 of 2 feeds\n/);
  assert.match(stderr, /\n2 of 2 feeds \d+ days, .*\n$/);
  const broken = join(home.folder, 'broken');
  const { products } = await home.json('venues', 'show', '1|house|soho-grill');
  const { feedUrl } = products.find(
    ({ compositeId }: { compositeId: string }) => compositeId === SOHO_DINNER,
  );
  isForbidden = (url) => !url.endsWith('.gz') && !feedUrl.endsWith(url);
  const partly = await home.run(['feed', 'pull', '--all', '--dir', broken]);
  isForbidden = () => false;
  assert.deepEqual(
    [partly.code, /\n1 feeds could not be pulled\.\n/.test(partly.stdout)],
    [1, true],
    partly.stdout,
  );
  assert.match(partly.stderr, /\S+\|\S+: http\S+: answered 403\n$/);
  assert.ok(existsSync(join(broken, FOLDER, 'index.json')));
  const none = await home.run(['feed', 'pull', '2|house|night-owl|booth']);
  assert.deepEqual(
    [none.code, /There is no feed of 2\|house\|night-owl\|booth yet/.test(none.stderr)],
    [1, true],
  );
  assert.equal((await home.run(['feed', 'pull', '1|house|soho-grill|lunch'])).code, 2);
  assert.equal((await home.run(['feed', 'pull'])).code, 2);
});

const flush = () => maitred.services.requestLog.recorder.flush();
const calls = (count: number, path: string) =>
  Promise.all(Array.from({ length: count }, () => maitred.call(path)));

test('the request log is followed: each call once, the oldest first, more than a page between two looks', async () => {
  await calls(3, '/venues/nonsense');
  await flush();
  const child = home.start(['logs', 'tail', '--status', '400', '-n', '2', '--json']);
  const { stdout } = linesOf(child);
  await eventually(() => stdout().length === 2);
  await calls(230, '/venues?pageSize=none');
  await flush();
  await eventually(() => stdout().length >= 232);
  await calls(1, '/venues?city=');
  await flush();
  await eventually(() => stdout().length >= 233);
  assert.equal(await interrupt(child), 130);
  const entries = stdout().map((line) => JSON.parse(line));
  assert.equal(entries.length, 233);
  assert.equal(new Set(entries.map(({ id }) => id)).size, 233);
  assert.deepEqual(
    entries.slice(0, 2).map(({ route, status }) => [route, status]),
    Array(2).fill(['/venues/{venueId}', 400]),
  );
  const times = entries.map(({ at }) => at);
  assert.ok(
    [times.slice(2, 232), times.slice(232)].every((part) =>
      part.every((at, index) => index === 0 || part[index - 1] <= at),
    ),
  );
});

test('the log is followed through an outage', async (t) => {
  const proxy = await startFaultyProxy(address);
  t.after(() => proxy.close());
  await home.login('behind', 'demo-partner', proxy.url);
  const child = home.start(['logs', 'tail', '--status', '404', '--json', '--profile', 'behind']);
  const { stdout, stderr } = linesOf(child);
  await eventually(() => proxy.seen.some(({ path }) => path.startsWith('/request-log')));
  proxy.decide(() => ({ cut: 'before' }));
  await eventually(() => stderr().includes('waiting for it'));
  await calls(1, '/venues/1|house|nowhere');
  await flush();
  proxy.decide(() => undefined);
  await eventually(() => stdout().some((line) => JSON.parse(line).venueId === '1|house|nowhere'));
  assert.equal(await interrupt(child), 130);
});

test('the log is shown once, by status and by code, without the calls that read it', async () => {
  await calls(1, '/venues/3|house|hidden-kitchen');
  await flush();
  const shown = await home.print('logs', 'tail', '--once', '--code', 'PMAP-N-001');
  assert.match(
    shown,
    /^\d\d:\d\d:\d\d\.\d{3} {2}403 {3}GET {5}\/venues\/\{venueId\} .*PMAP-N-001 {2}[\d.]+ ms {2}demo-partner\n$/,
  );
  const all = await home.print('logs', 'tail', '--once', '--lines', '50');
  assert.doesNotMatch(all, /request-log/);
  assert.equal((await home.run(['logs', 'tail', '--status', 'bad'])).code, 2);
  assert.equal((await home.run(['logs'])).code, 2);
});
