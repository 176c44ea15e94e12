import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, type TestContext, test } from 'node:test';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { addBistro, type Bistro } from './readers/readers-bistro.ts';
import { forgetVenues, leases } from './scheduler/scheduler-support.ts';

const SCRIPT = join(import.meta.dirname, '..', '..', '..', 'scripts', 'feed.ts');

let maitred: TestApp;
let bistros: Bistro[];
before(async () => {
  maitred = await startTestApp();
  await forgetVenues(maitred.sql);
  bistros = [await addBistro(maitred.sql, 2), await addBistro(maitred.sql, 2)];
});
after(() => maitred.close());

async function feed(t: TestContext, ...args: string[]) {
  const dataDir = scratchFolder(t);
  const child = spawn(process.execPath, [SCRIPT, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '', DATABASE_URL: maitred.url, DATA_DIR: dataDir },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr, dataDir };
}

const [USAGE, BAD] = [/^npm run feed -- --product .+\n$/, 1];

test('the feeds of one product are made from scratch, and one line says what was made', async (t) => {
  const [bistro] = bistros;
  const { code, stdout, stderr, dataDir } = await feed(t, '--product', bistro?.productId ?? '');
  assert.equal(code, 0, stderr);
  const [addresses, made, ...rest] = stdout.split('\n');
  assert.match(addresses ?? '', /^Addresses begin with http\S+\/feed\.$/);
  assert.match(made ?? '', /^1 of 1, \d+\.\d s: \d+\|house\|bistro, 8 slots on 180 days, 3 files$/);
  assert.deepEqual(rest, ['']);
  const channels = await maitred.sql`select token, venue_id as "venueId" from feed_channel`;
  assert.deepEqual(
    channels.map(({ venueId }) => venueId),
    [bistro?.venueId],
  );
  assert.ok(existsSync(join(dataDir, 'feed', channels[0]?.token, 'index.json')));
  assert.deepEqual([...(await leases(maitred.sql))], []);
});

test('all feeds are made one venue after the other', async (t) => {
  const { code, stdout, stderr } = await feed(t, '--all');
  assert.equal(code, 0, stderr);
  assert.deepEqual(stdout.match(/^\d of \d/gm), ['1 of 2', '2 of 2']);
  assert.equal((await maitred.sql`select from feed_channel`).length, 2);
});

for (const args of [
  [],
  ['--nothing'],
  ['--product'],
  ['--product', ''],
  ['--all', '--product', '1|house|a|b'],
  ['all'],
])
  test(`asked with ${JSON.stringify(args)} it says how to ask`, async (t) => {
    const { code, stdout, stderr } = await feed(t, ...args);
    assert.deepEqual([code, stdout], [BAD, '']);
    assert.match(stderr, USAGE);
  });

test('a venue or a product that is not there is named, and nothing else is said', async (t) => {
  for (const [id, sentence] of [
    ['1|house|nowhere|table', /^There is no venue 1\|house\|nowhere\.\n$/],
    [`${bistros[0]?.venueId}|brunch`, /^There is no product \d+\|house\|bistro\|brunch\.\n$/],
    ['nonsense', /^[^\n]+\n$/],
  ] as const) {
    const { code, stdout, stderr } = await feed(t, '--product', id);
    assert.deepEqual([code, stdout], [BAD, ''], id);
    assert.match(stderr, sentence);
  }
});

test('somebody who is at the venue is waited for', async (t) => {
  const { sql } = maitred;
  const [bistro] = bistros;
  await sql`update feed_venue set lease = gen_random_uuid(), leased_until = now() + interval '2 seconds'
    where venue_id = ${bistro?.venueId ?? ''}`;
  const { code } = await feed(t, '--product', bistro?.productId ?? '');
  assert.equal(code, 0);
  assert.equal((await sql`select from feed_venue where leased_until > now()`).length, 0);
  assert.deepEqual([...(await leases(sql))], []);
});
