/** What every storage of feed files does, whatever it keeps them in. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FeedStorage } from '../../../../src/features/feed/feed-file.ts';

export interface Subject {
  storage: FeedStorage;
  /** As a reader finds it; undefined: there is none. */
  read(path: string): Promise<Buffer | undefined>;
}

export const newToken = () => randomBytes(24).toString('base64url');

/** Each of them leads out of the storage, or is a name that feeds do not have. */
export const NO_PATHS = [
  '',
  'index.json',
  '../index.json',
  `../${newToken()}/index.json`,
  `${newToken()}/../index.json`,
  `${newToken()}/../${newToken()}/index.json`,
  `/${newToken()}/index.json`,
  `${newToken()}//index.json`,
  `${newToken()}/index.json/`,
  `${newToken()}/index.json\n`,
  `${newToken()}\\index.json`,
  `${newToken()}/index.json.gz`,
  `${newToken()}/2026-11-15.json.gz`,
  `${newToken()}/2026-11-15.1.json`,
  `${newToken()}/2026-11-15.-1.json.gz`,
  `${newToken()}/2026-11-15.1.json.gz.part`,
  `${newToken()}/2026-11-15.1.json.gz/../../x`,
  `${newToken()}x/index.json`,
  `${newToken().slice(1)}/index.json`,
  `${newToken().slice(1)}./index.json`,
];

export function storageConformance(subject: () => Subject): void {
  test('what is put is read byte for byte', async () => {
    const { storage, read } = subject();
    const files = fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 5000 }), fc.nat());
    await fc.assert(
      fc.asyncProperty(files, async ([bytes, number]) => {
        const path = `${newToken()}/2026-11-15.${number}.json.gz`;
        await storage.put(path, Buffer.from(bytes));
        assert.deepEqual(await read(path), Buffer.from(bytes));
      }),
      { numRuns: 20 },
    );
  });

  test('an index that is put again takes the place of the one before, longer or shorter', async () => {
    const { storage, read } = subject();
    const path = `${newToken()}/index.json`;
    for (const text of ['{"shards":[]}', '{"shards":[1,2,3]}', '{}']) {
      await storage.put(path, Buffer.from(text));
      assert.equal(String(await read(path)), text);
    }
  });

  test('many files of several feeds are put at the same time', async () => {
    const { storage, read } = subject();
    const tokens = [newToken(), newToken()];
    const paths = tokens.flatMap((token) =>
      Array.from({ length: 30 }, (_, n) => `${token}/2026-11-15.${n}.json.gz`),
    );
    await Promise.all(paths.map((path) => storage.put(path, Buffer.from(path))));
    for (const path of paths) assert.equal(String(await read(path)), path);
  });

  test('what is removed is gone, and nothing else', async () => {
    const { storage, read } = subject();
    const token = newToken();
    const [kept, ...gone] = [1, 2, 3].map((n) => `${token}/2026-11-15.${n}.json.gz`);
    assert.ok(kept);
    for (const path of [kept, ...gone]) await storage.put(path, Buffer.from(path));
    await storage.remove(gone);
    assert.deepEqual(await Promise.all(gone.map(read)), [undefined, undefined]);
    assert.equal(String(await read(kept)), kept);
  });

  test('removing what is not there, twice, or nothing at all is no mistake', async () => {
    const { storage } = subject();
    const path = `${newToken()}/index.json`;
    await storage.remove([path, path]);
    await storage.remove([]);
  });

  test('a feed of which everything was removed can be put again', async () => {
    const { storage, read } = subject();
    const path = `${newToken()}/index.json`;
    for (const text of ['{"a":1}', '{"a":2}']) {
      await storage.put(path, Buffer.from(text));
      assert.equal(String(await read(path)), text);
      await storage.remove([path]);
    }
  });

  test('a path that no feed file has is neither put nor removed', async () => {
    const { storage } = subject();
    for (const path of NO_PATHS) {
      await assert.rejects(storage.put(path, Buffer.from('{}')), /is no path of a feed file/, path);
      await assert.rejects(storage.remove([path]), /is no path of a feed file/, path);
    }
  });
}
