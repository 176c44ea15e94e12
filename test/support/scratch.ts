import { chmodSync, existsSync, lstatSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killServer } from './server-processes.ts';

/** A folder for one test, or for a file that passes its own `after`; afterwards it is gone, with the server and whatever else a `DATA_DIR` named `data` in it has. */
export function scratchFolder(t: { after(clean: () => Promise<void>): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'maitred-scratch-'));
  // Passable for the user that PostgreSQL runs as when the tests are run by root.
  chmodSync(folder, 0o711);
  t.after(async () => {
    const home = join(folder, 'data', 'postgres');
    if (existsSync(join(home, 'cluster')) && process.platform === 'linux')
      await killServer(join(folder, 'data'));
    if (lstatSync(home, { throwIfNoEntry: false })?.isSymbolicLink()) {
      rmSync(readlinkSync(home), { recursive: true, force: true });
    }
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
