import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { S3 } from '@aws-sdk/client-s3';
import { readConfig } from '../../../../src/config.ts';
import { createBucketStorage } from '../../../../src/features/feed/bucket-storage.ts';
import { openStorage } from '../../../../src/features/feed/storage.ts';
import { newToken, storageConformance } from './storage-conformance.ts';

const S3rver: new (options: object) => { run(): Promise<AddressInfo>; close(): Promise<void> } =
  createRequire(import.meta.url)('@20minutes/s3rver');

// As the SDK reads them, and as the server knows them.
Object.assign(process.env, {
  AWS_ACCESS_KEY_ID: 'S3RVER',
  AWS_SECRET_ACCESS_KEY: 'S3RVER',
  AWS_REGION: 'eu-west-2',
});

const directory = mkdtempSync(join(tmpdir(), 'maitred-bucket-'));
const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  directory,
  silent: true,
  vhostBuckets: false,
  configureBuckets: [{ name: 'feeds' }],
});
let endpoint: string;
let reader: S3;
before(async () => {
  endpoint = `http://127.0.0.1:${(await server.run()).port}`;
  reader = new S3({ endpoint, forcePathStyle: true });
});
after(async () => {
  reader.destroy();
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

const fetched = (path: string) => reader.getObject({ Bucket: 'feeds', Key: `of/maitred/${path}` });

async function read(path: string): Promise<Buffer | undefined> {
  try {
    const { Body } = await fetched(path);
    return Body && Buffer.from(await Body.transformToByteArray());
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
    throw error;
  }
}

const configured = () =>
  readConfig({
    FEED_URL: 'https://feeds.example.com',
    FEED_BUCKET: 's3://feeds/of/maitred',
    FEED_BUCKET_ENDPOINT: endpoint,
  });

storageConformance(() => ({ storage: openStorage(configured()), read }));

test('an index is JSON that is asked for again, a shard is a gzip file that never changes', async () => {
  const storage = openStorage(configured());
  const token = newToken();
  const paths = [`${token}/index.json`, `${token}/2026-11-15.7.json.gz`];
  for (const path of paths) await storage.put(path, Buffer.from('{}'));
  const told = await Promise.all(paths.map(fetched));
  assert.deepEqual(
    told.map(({ ContentType, CacheControl, ContentEncoding }) => [
      ContentType,
      CacheControl,
      ContentEncoding,
    ]),
    [
      ['application/json', 'public, max-age=5, must-revalidate', undefined],
      ['application/gzip', 'public, max-age=31536000, immutable', undefined],
    ],
  );
});

test('without a prefix files lie in the bucket itself', async () => {
  const storage = createBucketStorage({ address: 's3://feeds', endpoint });
  const path = `${newToken()}/index.json`;
  await storage.put(path, Buffer.from('{}'));
  const { Body } = await reader.getObject({ Bucket: 'feeds', Key: path });
  assert.equal(await Body?.transformToString(), '{}');
});

test('what the bucket refuses is not passed over', async () => {
  const storage = createBucketStorage({ address: 's3://nobodys', endpoint });
  const path = `${newToken()}/index.json`;
  await assert.rejects(storage.put(path, Buffer.from('{}')), { name: 'NoSuchBucket' });
  await assert.rejects(storage.remove([path]), { name: 'NoSuchBucket' });
});

/** A service that is busy the first few times; says what it was asked. */
async function busyService(t: TestContext, refusals: number) {
  const asked: string[] = [];
  const service = createServer((request, response) => {
    asked.push(`${request.method} ${request.url?.split('?')[0]}`);
    request.resume();
    response.writeHead(asked.length > refusals ? 200 : 503).end();
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    service.closeAllConnections();
    service.close();
  });
  const { port } = service.address() as AddressInfo;
  const address = 's3://feeds/of/maitred';
  return { asked, storage: createBucketStorage({ address, endpoint: `http://127.0.0.1:${port}` }) };
}

test('a service that is busy for a moment is asked again, for the same object', async (t) => {
  const { asked, storage } = await busyService(t, 2);
  const path = `${newToken()}/index.json`;
  await storage.put(path, Buffer.from('{}'));
  assert.deepEqual(asked, Array(3).fill(`PUT /feeds/of/maitred/${path}`));
});

test('a service that stays busy fails what was to be put or removed', async (t) => {
  const { storage } = await busyService(t, Number.POSITIVE_INFINITY);
  const path = `${newToken()}/index.json`;
  await assert.rejects(storage.put(path, Buffer.from('{}')));
  await assert.rejects(storage.remove([path]));
});
