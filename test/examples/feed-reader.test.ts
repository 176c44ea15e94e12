/** The feed reader in examples/, as a process beside a node whose feeds are made by hand. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import net from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { after, before, test } from 'node:test';
import { tryPort } from '../../src/kernel/network.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { scratchFolder } from '../support/scratch.ts';
import { startExample } from './support.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PRODUCT = '1|house|soho-grill|dinner';
const folder = scratchFolder({ after });
const calendar = join(folder, 'calendar.sqlite');
const date = Temporal.Now.plainDateISO('Europe/London').add({ days: 20 }).toString();

const started = new AsyncDisposableStack();
after(() => started.disposeAsync());
let maitred: TestApp;
let address: string;

before(async () => {
  const port = await tryPort('127.0.0.1', 0);
  address = `http://127.0.0.1:${port}`;
  const places = { publicUrl: address, feedUrl: `${address}/feed`, dataDir: folder };
  maitred = await startTestApp({ config: places });
  await maitred.app.listen({ host: '127.0.0.1', port });
  makeFeed();
});
after(() => maitred.close());

function makeFeed(): void {
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: maitred.url,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    DATA_DIR: folder,
    FEED_URL: `${address}/feed`,
  };
  const made = spawnSync(process.execPath, ['scripts/feed.ts', '--product', PRODUCT], { cwd: ROOT, env });
  assert.equal(made.status, 0, String(made.stderr));
}

async function run(...args: string[]): Promise<string[]> {
  const env = { MAITRED_URL: address };
  const example = startExample(started, join('feed-reader', 'main.ts'), {
    env,
    args: [...args, '--file', calendar],
  });
  assert.equal(await example.exit, 0);
  return example.lines();
}

/** `2 products, 3 days changed: 4 requests, 5.6 kB`, and what a full read takes. */
function figuresIn([line = '']: string[]) {
  const [, days, requests] = /products, (\d+) days changed: (\d+) requests/.exec(line) ?? [];
  return { days: Number(days), requests: Number(requests), line };
}

const timesIn = (lines: string[]) =>
  /^Soho Grill, Dinner: (.*)$/m.exec(lines.join('\n'))?.[1]?.split(' ') ?? [];

test('the feed reader reads everything, then only what changed, and answers from its calendar', async () => {
  const full = figuresIn(await run('--once'));
  assert.ok(full.days > 100, full.line);
  assert.ok(full.requests > full.days, full.line);

  const again = figuresIn(await run('--once'));
  assert.equal(again.days, 0, again.line);
  assert.match(again.line, /0\.0 kB; a full read: \d+ requests/);

  const free = timesIn(await run('--free', date, '--party', '2'));
  assert.ok(free.includes('19:30'), free.join(' '));
});

test('what is booked out leaves the calendar with the next read, which fetches one day', async () => {
  const partySize = 8;
  const query = ['--free', date, '--party', String(partySize)];
  const [time = ''] = timesIn(await run(...query));
  const body = { type: 'book', partySize, date, time, firstName: 'Ada', lastName: 'Lovelace' };
  const book = () => maitred.call(`/venues/${PRODUCT}/booking`, { method: 'POST', body });
  assert.equal((await book()).status, 201);
  while ((await book()).status === 201);

  makeFeed();
  const changed = figuresIn(await run('--once'));
  const products = Number(/^(\d+) products/.exec(changed.line)?.[1]);
  assert.deepEqual([changed.days, changed.requests], [1, products + 1], changed.line);
  assert.equal(timesIn(await run(...query)).includes(time), false);
});

test('the feed reader outlasts a service that is away when it starts', async () => {
  let isAway = true;
  let refused = 0;
  const gateway = net.createServer((client) => {
    client.on('error', () => {});
    if (!isAway) return void pipeline(client, net.connect(Number(new URL(address).port)), client, () => {});
    refused += 1;
    client.destroy();
  });
  started.defer(() => void gateway.close());
  const port = await tryPort('127.0.0.1', 0);
  gateway.listen(port, '127.0.0.1');
  const example = startExample(started, join('feed-reader', 'main.ts'), {
    env: { MAITRED_URL: `http://127.0.0.1:${port}` },
    args: ['--every', '0.1', '--file', join(folder, 'away.sqlite')],
  });
  const ended = example.exit.then((code) => assert.fail(`it ended with ${code}`));
  ended.catch(() => {});
  // More than the client tries for one question.
  await Promise.race([eventually(() => refused > 5), ended]);
  isAway = false;
  await Promise.race([eventually(() => /days changed/.test(example.lines().join())), ended]);
});
