import { spawn } from 'node:child_process';
import { reasonOf, StartError } from '../../kernel/problem.ts';

/**
 * PostgreSQL refuses to run as root, for good reasons. This module finds or makes the user it runs as
 * and starts programs as that user.
 */
export interface Identity {
  uid: number;
  gid: number;
}

export interface ProcessExit {
  code: number;
  output: string;
}

const PIPES_LINGER_MS = 1000;

/** Undefined `identity`: the user of this node. */
export function run(command: string, args: string[], identity?: Identity): Promise<ProcessExit> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      // A folder that every user may be in; the current one may be closed to `identity`.
      cwd: identity ? '/' : undefined,
      // A session of its own: Ctrl-C in the terminal is for the node, which decides what stops when.
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, LC_ALL: 'C' },
      ...identity,
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => resolve({ code: -1, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? -1, output }));
    // A server that pg_ctl leaves behind may hold the pipes open (on Windows), and then they never close.
    child.on('exit', (code) =>
      setTimeout(() => resolve({ code: code ?? -1, output }), PIPES_LINGER_MS).unref(),
    );
  });
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Whether that user can reach `path`: tested by the kernel, which checks more than mode bits. */
export async function canReach(path: string, identity: Identity | undefined): Promise<boolean> {
  return !identity || (await run('test', ['-x', path], identity)).code === 0;
}

async function lookUp(user: string): Promise<Identity | undefined> {
  const [uid, gid] = await Promise.all([run('id', ['-u', user]), run('id', ['-g', user])]);
  return uid.code === 0 && gid.code === 0
    ? { uid: Number(uid.output.trim()), gid: Number(gid.output.trim()) }
    : undefined;
}

/** The user PostgreSQL runs as when we are root: `postgres` where there is one, else our own system user. */
export async function ensureUnprivileged(): Promise<Identity> {
  try {
    const existing = (await lookUp('postgres')) ?? (await lookUp('maitred'));
    if (existing) return existing;
    const made = await run('useradd', ['--system', '--user-group', '--no-create-home', 'maitred']);
    // Alpine and other BusyBox systems know only adduser.
    if (made.code !== 0) await run('adduser', ['-S', '-D', '-H', 'maitred']);
    const created = await lookUp('maitred');
    if (created) return created;
    throw new Error(made.output.trim() || 'neither useradd nor adduser worked');
  } catch (error) {
    throw new StartError(
      `PostgreSQL does not run as root and no system user "maitred" could be made for it (${reasonOf(error)}); ` +
        'start Maitred as an ordinary user or set DATABASE_URL.',
    );
  }
}
