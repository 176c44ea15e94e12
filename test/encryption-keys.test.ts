import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../src/config.ts';
import { loadEncryptionKeys } from '../src/encryption-keys.ts';
import { StartError } from '../src/kernel/problem.ts';
import { scratchFolder } from './support/scratch.ts';

test('a configured key is used and nothing is written', async (t) => {
  const folder = scratchFolder(t);
  const key = randomBytes(32);
  const config = readConfig({ DATA_DIR: join(folder, 'unused'), ENCRYPTION_KEY: key.toString('base64') });
  assert.deepEqual((await loadEncryptionKeys(config)).first.bytes, key);
  assert.equal(statSync(join(folder, 'unused'), { throwIfNoEntry: false }), undefined);
});

test('nodes that start together make one key, which stays and which only its owner can read', async (t) => {
  const config = readConfig({ DATA_DIR: scratchFolder(t) });
  const [first, ...others] = await Promise.all([1, 2, 3].map(() => loadEncryptionKeys(config)));
  assert.equal(first?.all.length, 1);
  for (const key of [...others, await loadEncryptionKeys(config)]) assert.deepEqual(key, first);
  assert.equal(statSync(join(config.dataDir, 'encryption-key')).mode & 0o777, 0o600);
});

test('a damaged key is reported and never replaced, since data depends on it', async (t) => {
  const config = readConfig({ DATA_DIR: scratchFolder(t) });
  const path = join(config.dataDir, 'encryption-key');
  writeFileSync(path, 'dGVzdA==');
  await assert.rejects(
    loadEncryptionKeys(config),
    (error) => error instanceof StartError && error.message.includes(path),
  );
});
