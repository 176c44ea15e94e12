import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readKeys } from './config.ts';
import { withDataDirLock } from './db/embedded/data-dir.ts';
import { createKeyring, type Keyring } from './kernel/crypto.ts';
import { codeOf, reasonOf, StartError } from './kernel/problem.ts';

/** The keys that protect secrets in the database: as configured, or (outside live) one that is made once and kept. */
export async function loadEncryptionKeys(config: Config): Promise<Keyring> {
  if (config.encryptionKeys) return createKeyring(config.encryptionKeys);
  const path = join(config.dataDir, 'encryption-key');
  // Under the lock, so that nodes which start together end up with the same key.
  return withDataDirLock(config.dataDir, async () => {
    try {
      return findKeys(path) ?? createKey(path);
    } catch (error) {
      throw new StartError(`The encryption key in ${path} cannot be used (${reasonOf(error)}).`);
    }
  });
}

/** Its lines are keys; to change the key, another one is written above it. */
function findKeys(path: string): Keyring | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  return createKeyring(readKeys(text, 'it'));
}

function createKey(path: string): Keyring {
  const key = randomBytes(32);
  writeFileSync(`${path}.new`, `${key.toString('base64')}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  return createKeyring([key]);
}
