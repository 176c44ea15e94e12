/**
 * Feed files in a folder. Each is written aside, under a name that is never served, and moved to its place when it is
 * safely on the disk: a node that dies at any moment leaves the file before, or the whole new one.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../../kernel/problem.ts';
import { type FeedStorage, factsOf } from './feed-file.ts';

/** No write takes that long; an older file was left by a process that died. */
const LEFT_BEHIND_MS = 3_600_000;
/** Names cannot be listed by others, since they are all that protects a file. */
const FOLDER_MODE = 0o711;

export function createFolderStorage(folder: string): FeedStorage {
  const aside = join(folder, 'aside');
  let sweptMs = Number.NEGATIVE_INFINITY;

  async function sweepNowAndThen(): Promise<void> {
    if (Date.now() - sweptMs < LEFT_BEHIND_MS) return;
    sweptMs = Date.now();
    await sweep(aside);
  }

  return {
    async put(path, body) {
      const place = placeOf(folder, path);
      const written = join(aside, randomUUID());
      await ensureFolder(aside);
      await sweepNowAndThen();
      try {
        await write(written, body, await dateAfter(place));
        await ensureFolder(dirname(place));
        await rename(written, place);
      } catch (error) {
        await rm(written, { force: true });
        throw error;
      }
      await sync(dirname(place));
    },

    async remove(paths) {
      const places = paths.map((path) => placeOf(folder, path));
      await Promise.all(places.map((place) => rm(place, { force: true })));
      for (const emptier of new Set(places.map(dirname))) await settle(emptier);
    },
  };
}

/** Undefined: there is no such file. What is open stays as it is, even if another takes its place. */
export async function openFeedFile(folder: string, path: string): Promise<FileHandle | undefined> {
  return whereFound(open(placeOf(folder, path)));
}

function placeOf(folder: string, path: string): string {
  factsOf(path);
  return join(folder, path);
}

/**
 * Callers get the date of a file in whole seconds. Two files in the same place never share one, so that a caller that
 * compares dates only still sees every change.
 */
async function dateAfter(place: string): Promise<Date> {
  const before = await whereFound(stat(place));
  const nextSecondMs = before ? (Math.floor(before.mtimeMs / 1000) + 1) * 1000 : 0;
  return new Date(Math.max(Date.now(), nextSecondMs));
}

async function write(path: string, body: Buffer, date: Date): Promise<void> {
  await using file = await open(path, 'wx');
  await file.writeFile(body);
  await file.utimes(date, date);
  await file.sync();
}

async function ensureFolder(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  if (made) await sync(dirname(made));
}

/** What was renamed or removed in a folder is only then certain to stay so when the power fails. */
async function sync(folder: string): Promise<void> {
  // Windows does not let folders be opened.
  if (process.platform === 'win32') return;
  await using opened = await open(folder);
  await opened.sync();
}

/** After files were removed: the folder goes too when nothing is left in it. */
async function settle(folder: string): Promise<void> {
  try {
    await rmdir(folder);
    await sync(dirname(folder));
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOTEMPTY' || code === 'EEXIST') await sync(folder);
    else if (code !== 'ENOENT') throw error;
  }
}

async function sweep(aside: string): Promise<void> {
  for (const name of await readdir(aside)) {
    const left = await whereFound(stat(join(aside, name)));
    if (left && Date.now() - left.mtimeMs > LEFT_BEHIND_MS) await rm(join(aside, name), { force: true });
  }
}

async function whereFound<Found>(looking: Promise<Found>): Promise<Found | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
