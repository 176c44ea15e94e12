import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEADLINES } from '../../kernel/deadlines.ts';
import { tryPort } from '../../kernel/network.ts';
import { codeOf, StartError } from '../../kernel/problem.ts';
import type { Installation } from './files.ts';
import { type ProcessExit, run } from './unprivileged.ts';

/** Making, starting and stopping a PostgreSQL with the programs that come with it. */
export interface Server extends Installation {
  cluster: string;
  log: string;
  password: string;
}

export const USER = 'maitred';
const RETRY_MS = 100;

/** A cluster appears under its name when it is complete; what a kill leaves of one is thrown away. */
export async function createCluster({ bin, home, identity }: Installation, cluster: string): Promise<void> {
  for (const name of readdirSync(home)) {
    if (name.startsWith('cluster.new')) rmSync(join(home, name), { recursive: true, force: true });
  }
  const password = join(home, 'password');
  // As lasting as the cluster, which could not be opened without it.
  writeFileSync(password, randomBytes(24).toString('hex'), { mode: 0o600, flush: true });
  if (identity) chownSync(password, identity.uid, identity.gid);
  const temporary = `${cluster}.new-${process.pid}`;
  const { code, output } = await run(
    join(bin, 'initdb'),
    [
      ...['--pgdata', temporary, '--username', USER, '--pwfile', password, '--auth', 'scram-sha-256'],
      ...[
        '--encoding',
        'UTF8',
        '--locale',
        'C',
        '--locale-provider',
        'builtin',
        '--builtin-locale',
        'C.UTF-8',
      ],
      ...['--set', 'listen_addresses=127.0.0.1', '--set', 'unix_socket_directories='],
      ...['--set', 'max_connections=200', '--set', 'log_checkpoints=off', '--set', 'random_page_cost=1.1'],
    ],
    identity,
  );
  if (code !== 0) {
    rmSync(temporary, { recursive: true, force: true });
    throw new StartError(`PostgreSQL could not create a database in ${home} (${lastLine(output)}).`);
  }
  renameSync(temporary, cluster);
}

const MAX_LOG_BYTES = 10_000_000;

export async function launch(server: Server, progress: (line: string) => void): Promise<number> {
  progress('Starting PostgreSQL …');
  if (sizeOf(server.log) > MAX_LOG_BYTES) renameSync(server.log, `${server.log}.old`);
  const deadline = Date.now() + DEADLINES.embeddedAnswer;
  for (;;) {
    const port = await tryPort('127.0.0.1', 0);
    const logged = sizeOf(server.log);
    const { code, output } = await pgCtl(server, [
      'start',
      '-w',
      '-t',
      String(DEADLINES.embeddedStart / 1000),
      '-l',
      server.log,
      '-o',
      `-p ${port}`,
    ]);
    if (code === 0) return port;
    const hasLogged = sizeOf(server.log) > logged;
    const said = hasLogged ? readFileSync(server.log).subarray(logged).toString() : withoutChatter(output);
    // Another process took the port since the check, or processes of a killed server still hold its shared memory.
    const isPassing = /could not bind|Address already in use|still in use/i.test(said);
    if (!isPassing || Date.now() > deadline) {
      throw new StartError(`PostgreSQL did not start (${fatalLine(said)}); see ${server.log}.`);
    }
    await sleep(RETRY_MS);
  }
}

export async function stopServer(server: Server): Promise<ProcessExit> {
  return pgCtl(server, ['stop', '-m', 'fast', '-w', '-t', String(DEADLINES.embeddedStop / 1000)]);
}

function pgCtl({ bin, cluster, identity }: Server, args: string[]): Promise<ProcessExit> {
  return run(join(bin, 'pg_ctl'), ['-D', cluster, ...args], identity);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

export function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? '';
}

/** The rest of the output of `pg_ctl` says why the server never reached its log. */
function withoutChatter(output: string): string {
  return output.replace(
    /waiting for server to start\.*|stopped waiting|pg_ctl: could not start server|Examine the log output\./g,
    '',
  );
}

function fatalLine(log: string): string {
  const fatal = log.split('\n').find((line) => /FATAL|PANIC|ERROR/.test(line));
  return (fatal ?? lastLine(log)).replace(/^.*?(FATAL|PANIC|ERROR):\s*/, '');
}

/**
 * What `postmaster.pid` in a cluster says about the server that runs, or ran, on it. `gone`: no server, PostgreSQL
 * starts as it is. `ours`: its process is alive. `taken`: its process id now belongs to another process, or to a
 * zombie. `torn`: the file was being written when its server died.
 */
type Postmaster =
  | { state: 'gone' }
  | { state: 'torn' }
  | { state: 'taken' }
  | { state: 'ours'; port: number };

export function readPostmaster(cluster: string): Postmaster {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return { state: 'gone' };
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return { state: 'torn' };
  if (!isAlive(pid)) return { state: 'gone' };
  return worksIn(pid, cluster) ? { state: 'ours', port: Number(lines[3]) || 0 } : { state: 'taken' };
}

/** PostgreSQL refuses to start while a half-written file is there. */
export function discardPostmaster(cluster: string): void {
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

/** Above every limit on process numbers, so that no process can have it. */
const NOBODY_PID = 2_147_483_646;

/**
 * PostgreSQL takes any living process with the number in its lock file for its predecessor. Only the number is
 * changed: the file also names the shared memory, by which PostgreSQL tells whether a server is still using the data.
 */
export function disownPostmaster(cluster: string): void {
  const path = join(cluster, 'postmaster.pid');
  const { uid, gid, mode } = statSync(path);
  const [, ...rest] = readFileSync(path, 'utf8').split('\n');
  writeFileSync(`${path}.new`, [NOBODY_PID, ...rest].join('\n'), { mode });
  chownSync(`${path}.new`, uid, gid);
  renameSync(`${path}.new`, path);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Whether that process is the server of this cluster and not one that got its number later. */
function worksIn(pid: number, cluster: string): boolean {
  try {
    // A postmaster lives in the folder of its cluster; this also tells several servers on one machine apart.
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === cluster;
    if (process.platform === 'win32') {
      return execFileSync('tasklist', ['/FI', `PID eq ${pid}`, '/NH'], { encoding: 'utf8' }).includes(
        'postgres',
      );
    }
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).includes(cluster);
  } catch {
    return false;
  }
}
