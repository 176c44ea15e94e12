import { execFileSync } from 'node:child_process';
import { chownSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../kernel/error-facts.ts';

/**
 * What `postmaster.pid` in a cluster says about the server that runs, or ran, on it.
 * `gone`: no server, PostgreSQL starts as it is. `ours`: its process is alive. `taken`: the process that has its
 * number now is another one, or a corpse nobody buried. `torn`: the file was being written when its server died.
 */
export type Postmaster =
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

/** Half a file tells PostgreSQL nothing, and it refuses to start until somebody removes it. */
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
