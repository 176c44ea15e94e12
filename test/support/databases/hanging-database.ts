/** A PostgreSQL of one's own that can be made to stand still, as on a machine that swaps or a disk that is gone. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../../src/db/embedded/embedded.ts';
import { serverProcesses } from '../server-processes.ts';

export interface HangingDatabase {
  url: string;
  /** Stops every process of the server; connections stay open, and nothing is answered. */
  hang(): void;
  wake(): void;
  close(): Promise<void>;
}

export async function startHangingDatabase(): Promise<HangingDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'maitred-hang-'));
  // Run by root, PostgreSQL is another user.
  chmodSync(dataDir, 0o711);
  const server = await startEmbedded({ dataDir });

  function signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
    for (const pid of serverProcesses(dataDir)) {
      try {
        process.kill(pid, name);
      } catch {
        // It ended between being listed and being signalled.
      }
    }
  }

  const abandon = () => {
    signal('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  };
  // A test that dies of an error must not leave a stopped server behind.
  process.once('exit', abandon);
  return {
    url: server.url,
    hang: () => signal('SIGSTOP'),
    wake: () => signal('SIGCONT'),
    async close() {
      signal('SIGCONT');
      await server.stop();
      process.off('exit', abandon);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
