import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Redis } from 'ioredis';
import { tryPort } from '../../../src/kernel/network.ts';
import { addRoom, operatorOf, startsApart } from '../../race/venues.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type NodeProcess, startNodeProcess } from '../../support/node-process.ts';
import { patience } from '../../support/patience.ts';
import { type MailServer, startMailServer } from '../../support/peers/mail-server.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { tokenFrom } from '../booking-clients.ts';

/** Redis, the bucket of the feed and the mail server go away together; calls notice nothing, and nothing is lost. */

const S3rver: new (options: object) => { run(): Promise<AddressInfo>; close(): Promise<void> } =
  createRequire(import.meta.url)('@20minutes/s3rver');
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

const folder = scratchFolder({ after });
let ports: { redis: number; bucket: number; mail: number };
let redis: ChildProcess;
let bucket: InstanceType<typeof S3rver>;
let mail: MailServer;
/** Of all mail servers that there were. */
const sentTo: string[] = [];

async function startAll(): Promise<void> {
  redis = spawn('redis-server', ['--port', String(ports.redis), '--save', ''], { stdio: 'ignore' });
  bucket = new S3rver({
    address: '127.0.0.1',
    port: ports.bucket,
    directory: join(folder, 'bucket'),
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: 'feeds' }],
  });
  await bucket.run();
  mail = await startMailServer(ports.mail);
}

async function stopAll(): Promise<void> {
  const ended = once(redis, 'exit');
  redis.kill('SIGKILL');
  await Promise.all([ended, bucket.close(), mail.close()]);
  sentTo.push(...mail.received.flatMap(({ to }) => to));
  mail.received.length = 0;
}

let database: TestDatabase;
let node: NodeProcess;
let token: string;
let productId: string;
before(async () => {
  if (!hasRedis) return;
  mkdirSync(join(folder, 'bucket'));
  ports = {
    redis: await tryPort('127.0.0.1', 0),
    bucket: await tryPort('127.0.0.1', 0),
    mail: await tryPort('127.0.0.1', 0),
  };
  await startAll();
  database = await createTestDatabase({ hasDemo: true });
  const { sql, url } = database;
  const room = await addRoom(sql, 4);
  productId = room;
  await sql`update venue_mapping set guest_mails = 'venue'`;
  await sql`delete from account_notification`;
  await sql`delete from feed_venue where split_part(venue_id, '|', 1) <> ${String(operatorOf(room))}`;
  node = await startNodeProcess({
    env: {
      DATABASE_URL: url,
      DATA_DIR: join(folder, 'data'),
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      RATE_LIMIT: '100000',
      REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
      FEED_URL: 'http://feeds.example.com',
      FEED_BUCKET: 's3://feeds/of',
      FEED_BUCKET_ENDPOINT: `http://127.0.0.1:${ports.bucket}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      AWS_REGION: 'eu-west-2',
      SMTP_URL: `smtp://127.0.0.1:${ports.mail}`,
      MAIL_FROM: 'no-reply@maitred.example',
      LOG_LEVEL: 'silent',
    },
  });
  token = await tokenFrom(node.address);
});
after(async () => {
  node?.child.kill('SIGKILL');
  await node?.exit;
  if (hasRedis) await stopAll();
  await database?.drop();
});

const starts = startsApart(40);
const guests: string[] = [];

/** Books the next start for a guest of its own; answers the status. */
async function book(): Promise<Response> {
  const email = `guest-${guests.length}@example.com`;
  const start = starts[guests.length];
  guests.push(email);
  return fetch(`${node.address}/venues/${encodeURIComponent(productId)}/booking`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ type: 'book', partySize: 2, firstName: 'Ada', lastName: 'Lovelace', email },
      ...start,
    }),
  });
}

const waiting = async () => (await database.sql`select from mail where attempts > 0`).length;
/** Attempts at feeds that are not finished. */
const attempts = async () => {
  const rows = await database.sql<{ attempts: number }[]>`
    select attempts from feed_venue where mark > made_mark or attempts > 0`;
  return rows.map((row) => row.attempts);
};
const isToldAll = () => {
  const told = new Set([...sentTo, ...mail.received.flatMap(({ to }) => to)]);
  return guests.every((guest) => told.has(guest));
};

async function countedByRedis(): Promise<number> {
  const client = new Redis({ port: ports.redis, maxRetriesPerRequest: 5 });
  try {
    const keys = await client.keys('maitred:calls:*');
    const counts = await Promise.all(keys.map((key) => client.hget(key, 'count')));
    return counts.reduce((sum, count) => sum + Number(count), 0);
  } finally {
    client.disconnect();
  }
}

test('while they are away calls are answered as before; when they are back, what waited is done', {
  skip: hasRedis ? false : 'there is no redis-server on this machine',
  timeout: patience(240_000),
}, async () => {
  assert.equal((await book()).status, 201);
  await eventually(isToldAll);
  await eventually(async () => (await attempts()).length === 0);
  assert.ok((await countedByRedis()) > 0, 'Redis counts');

  await stopAll();
  for (let count = 0; count < 5; count += 1) {
    const answer = await book();
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get('x-ratelimit-limit'), '100000', 'calls are counted all the same');
  }
  assert.equal((await fetch(`${node.address}/health/ready`)).status, 200);
  await eventually(async () => (await waiting()) === 5);
  await eventually(async () => (await attempts()).some((count) => count > 1));
  assert.equal(isToldAll(), false);

  await startAll();
  // A minute of waiting that the next mail need not share.
  await database.sql`update mail set attempt_at = now()`;
  assert.equal((await book()).status, 201);
  await eventually(isToldAll);
  await eventually(async () => (await attempts()).length === 0);
  await eventually(async () => {
    await (await fetch(`${node.address}/venues`, { headers: { authorization: `Bearer ${token}` } })).text();
    return (await countedByRedis()) > 0;
  });
  assert.equal((await database.sql`select from mail`).length, 0);
});
