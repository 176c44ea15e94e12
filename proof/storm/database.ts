/** A PostgreSQL of the storm's own, at one address for as long as it lasts, however often it goes down. */
import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPool, type Sql } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded/embedded.ts';
import { prepareInstallation } from '../../src/db/embedded/files.ts';
import { run } from '../../src/db/embedded/unprivileged.ts';
import { killServer } from '../../test/support/server-processes.ts';

export interface StormDatabase {
  url: string;
  sql: Sql;
  /** As a power cut would do it, with a start afterwards. */
  crash(): Promise<void>;
  /** As an administrator does it: whoever is connected is cut off, and what was committed is on disk. */
  restart(): Promise<void>;
  remove(): Promise<void>;
}

const MOST_STARTS = 60;
const START_AGAIN_MS = 250;

export async function startDatabase(folder: string): Promise<StormDatabase> {
  const dataDir = join(folder, 'server');
  mkdirSync(dataDir, { recursive: true });
  // Passable for the user that PostgreSQL runs as when the storm is run by root.
  chmodSync(dataDir, 0o711);
  const { url } = await startEmbedded({ dataDir });
  const { bin, home, identity } = await prepareInstallation(dataDir);
  const sql = openPool(url, { max: 4 });

  async function control(...args: string[]): Promise<void> {
    const { code, output } = await run(join(bin, 'pg_ctl'), ['-D', join(home, 'cluster'), ...args], identity);
    if (code !== 0) throw new Error(`pg_ctl ${args[0]} failed: ${output}`);
  }
  const abandon = () => {
    const lockFile = readFileSync(join(home, 'cluster', 'postmaster.pid'), 'utf8');
    process.kill(Number.parseInt(lockFile, 10), 'SIGQUIT');
  };
  // A storm that dies of an error never comes to its end.
  process.once('exit', abandon);
  const port = new URL(url).port;
  /** On a busy machine a server can be told to have started while it still recovers. */
  const answered = async () => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await sql`select`;
        return;
      } catch (error) {
        if (attempt === MOST_STARTS) throw error;
        await sleep(START_AGAIN_MS);
      }
    }
  };
  /** Processes of a server that was killed let go of its memory and its port when they get round to it. */
  const start = async () => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await control('start', '-w', '-t', '60', '-l', join(home, 'server.log'), '-o', `-p ${port}`);
        await answered();
        return;
      } catch (error) {
        if (attempt === MOST_STARTS) throw error;
        await sleep(START_AGAIN_MS);
      }
    }
  };

  return {
    url,
    sql,
    async crash() {
      if (process.platform === 'linux') await killServer(dataDir);
      else await control('stop', '-m', 'immediate', '-w');
      await start();
    },
    async restart() {
      await control('stop', '-m', 'fast', '-w', '-t', '60');
      await start();
    },
    async remove() {
      process.off('exit', abandon);
      await sql.end({ timeout: 2 });
      await control('stop', '-m', 'immediate', '-w').catch(() => {});
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
