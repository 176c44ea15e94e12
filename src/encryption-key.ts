import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { withDataDirLock } from './db/embedded/data-dir.ts';
import { codeOf, reasonOf, StartError } from './kernel/problem.ts';

/** The key that protects secrets in the database: as configured, or (outside live) made once and kept. */
export async function loadEncryptionKey(config: Config): Promise<Buffer> {
  if (config.encryptionKey) return config.encryptionKey;
  const path = join(config.dataDir, 'encryption-key');
  // Under the lock, so that nodes which start together end up with the same key.
  return withDataDirLock(config.dataDir, async () => {
    try {
      return readKey(path) ?? createKey(path);
    } catch (error) {
      throw new StartError(`The encryption key in ${path} cannot be used (${reasonOf(error)}).`);
    }
  });
}

function readKey(path: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new Error('it is not 32 bytes in base64');
  return key;
}

function createKey(path: string): Buffer {
  const key = randomBytes(32);
  writeFileSync(`${path}.new`, `${key.toString('base64')}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  return key;
}
