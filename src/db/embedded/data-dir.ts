import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEADLINES } from '../../kernel/deadlines.ts';
import { reasonOf, StartError } from '../../kernel/problem.ts';
import { isRoot } from './unprivileged.ts';

const LOCK_POLL_MS = 50;

/** Creates `DATA_DIR` when it is missing. PostgreSQL, run by root as another user, has to pass through it. */
export function ensureDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(`DATA_DIR ${dataDir} cannot be written to (${reasonOf(error)}).`);
  }
}

/**
 * Runs `work` while no other node does so for the same `DATA_DIR`.
 * Node offers no file locks, SQLite does: the operating system lets go of them when a process dies in any way,
 * so that a node killed hard never leaves a lock behind.
 */
export async function withDataDirLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  ensureDataDir(dataDir);
  const lock = await acquire(join(dataDir, 'start.lock'));
  try {
    return await work();
  } finally {
    lock.close();
  }
}

async function acquire(path: string): Promise<DatabaseSync> {
  const deadline = Date.now() + DEADLINES.dataDirectory;
  for (;;) {
    const lock = tryLock(path);
    if (lock) return lock;
    if (Date.now() > deadline) {
      throw new StartError(`Another node has been starting or stopping for too long; it holds ${path}.`);
    }
    await sleep(LOCK_POLL_MS);
  }
}

const SQLITE_BUSY = 5;

function tryLock(path: string): DatabaseSync | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec('begin exclusive');
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined;
    throw new StartError(`The lock file ${path} cannot be used (${reasonOf(error)}).`);
  }
}
