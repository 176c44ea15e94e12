import { readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The processes of the PostgreSQL under a `DATA_DIR`: all of them live in the folder of its cluster. */
export function serverProcesses(dataDir: string): number[] {
  const cluster = realpathSync(join(dataDir, 'postgres', 'cluster'));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === cluster;
      } catch {
        return false;
      }
    });
}

/** As a power cut would: no process of the server gets to say goodbye. */
export async function killServer(dataDir: string): Promise<void> {
  for (let pids = serverProcesses(dataDir); pids.length > 0; pids = serverProcesses(dataDir)) {
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended between being listed and being killed.
      }
    }
    await sleep(10);
  }
}
