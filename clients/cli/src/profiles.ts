/**
 * Logins, in one file of the user's configuration folder that only the user can read. A new version of it replaces the
 * old one in one step, under a lock: two logins at once both end up in it, and a crash leaves the file as it was.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { replaceFile } from './files.ts';

export interface Profile {
  url: string;
  clientId: string;
  clientSecret: string;
  /** The partner that an agent acts for. */
  partnerReference?: string;
}

/** What `maitred listen` signs with. */
export interface Listener {
  webhookId: string;
  secret: string;
}

interface Stored {
  profiles: Record<string, Profile>;
  /** By client and service, because credentials from the environment have no profile. */
  listeners: Record<string, Listener>;
}

type Env = Record<string, string | undefined>;

export const DEFAULT_PROFILE = 'default';
export const DEFAULT_URL = 'http://127.0.0.1:3000';
export const PROFILE_NAME = /^[\w.-]{1,64}$/;

const SECRET_BYTES = 32;
const LOCK_POLL_MS = 20;
/** A write takes milliseconds; a lock of this age was left behind by a process that died. */
const LOCK_STALE_MS = 5000;

export function configFolder(env: Env, platform: NodeJS.Platform = process.platform): string {
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, 'maitred');
  if (platform === 'win32' && env.APPDATA) return join(env.APPDATA, 'maitred');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'maitred');
  return join(env.HOME || homedir(), '.config', 'maitred');
}

/** Without a prototype, so that «constructor» is a name like any other. */
const named = <Value>(values: Record<string, Value> = {}): Record<string, Value> =>
  Object.assign(Object.create(null), values);

export type Profiles = ReturnType<typeof openProfiles>;

export function openProfiles(env: Env) {
  const folder = configFolder(env);
  const file = join(folder, 'profiles.json');

  async function read(): Promise<Stored> {
    try {
      const { profiles, listeners } = JSON.parse(await readFile(file, 'utf8')) as Partial<Stored>;
      return { profiles: named(profiles), listeners: named(listeners) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        return { profiles: named(), listeners: named() };
      if (error instanceof SyntaxError)
        throw new Error(`${file} is no JSON any more. Delete it, and log in again.`);
      throw error;
    }
  }

  async function write(stored: Stored): Promise<void> {
    await replaceFile(file, `${JSON.stringify(stored, null, 2)}\n`, { isPrivate: true });
  }

  async function change<Result>(edit: (stored: Stored) => Result): Promise<Result> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    return withLock(join(folder, 'profiles.lock'), async () => {
      const stored = await read();
      const result = edit(stored);
      await write(stored);
      return result;
    });
  }

  return {
    file,
    list: async () => (await read()).profiles,

    save: (name: string, profile: Profile) =>
      change(({ profiles }) => {
        profiles[name] = profile;
      }),

    /** Whether there was one. */
    remove: (name: string) =>
      change(({ profiles }) => {
        const wasThere = name in profiles;
        delete profiles[name];
        return wasThere;
      }),

    /** The same each time, so that a receiver is told its secret once. */
    async listener({ clientId, url }: Profile): Promise<Listener> {
      const key = `${clientId} ${url}`;
      const known = (await read()).listeners[key];
      if (known) return known;
      return change(({ listeners }) => {
        listeners[key] ??= {
          webhookId: randomUUID(),
          secret: `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`,
        };
        return listeners[key];
      });
    },

    /** A sentence for people whose file can be read by others. */
    async warning(): Promise<string | undefined> {
      if (process.platform === 'win32') return undefined;
      const found = await stat(file).catch(() => undefined);
      if (!found || (found.mode & 0o077) === 0) return undefined;
      return `Other users can read your secrets. Put it right: chmod 600 '${file}'`;
    },
  };
}

/** Renamed first: of two that find it stale, one gets it. The other may get the new lock of the first, and puts it back. */
async function removeStale(path: string, ino: number): Promise<void> {
  const stale = `${path}.${randomUUID()}`;
  await rename(path, stale).catch(() => undefined);
  const moved = await stat(stale).catch(() => undefined);
  if (moved && moved.ino !== ino) await rename(stale, path);
  else await rm(stale, { force: true });
}

async function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      await (await open(path, 'wx', 0o600)).close();
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const found = await stat(path).catch(() => undefined);
      if (found && Date.now() - found.mtimeMs > LOCK_STALE_MS) {
        await removeStale(path, found.ino);
      } else await sleep(LOCK_POLL_MS);
    }
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}
