import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../src/config.ts';
import { createTestDatabase } from '../test/support/databases/database.ts';
import type { Figure } from './figure.ts';
import type { BareBookings } from './servers/bare-bookings-server.ts';
import type { BareCall } from './servers/bare-call-server.ts';
import type { BareSelect } from './servers/bare-select-server.ts';
import type { BareAnswer } from './servers/bare-server.ts';
import type { RemoteSystem } from './servers/remote-system.ts';
import { type ServerProcess, startServer } from './servers/server-process.ts';

/** What a file of benchmarks exports. */
export interface Benchmark {
  name: string;
  run(context: Context): Promise<Figure[]>;
}

/** What a benchmark may use; everything it starts is stopped when it ends. */
export interface Context {
  progress(line: string): void;
  createDatabase: typeof createTestDatabase;
  /**
   * A node with default settings, apart from a rate limit that is on and never reached. Unless another role is asked
   * for it only answers: making feeds for a new database takes a processor of its own for a while.
   */
  startOurs(
    databaseUrl: string,
    role?: Config['role'],
    settings?: Record<string, string>,
  ): Promise<ServerProcess>;
  /** A bare Fastify route that sends these bytes at `/`. */
  startBare(answer: BareAnswer): Promise<ServerProcess>;
  /** The same, after it has read one row of the database. */
  startBareSelect(answer: BareSelect): Promise<ServerProcess>;
  /** The same, after it has put one question to another server. */
  startBareCall(answer: BareCall): Promise<ServerProcess>;
  /** A system that speaks `connect`. */
  startRemoteSystem(system: RemoteSystem): Promise<ServerProcess>;
  /** A loop of bare transactions, run for a while whenever it is asked. */
  startBareBookings(rows: BareBookings): Promise<ServerProcess>;
}

export interface ContextOptions {
  progress(line: string): void;
  /** Where processor profiles of our nodes are written, when they are wanted. */
  profileFolder?: string | undefined;
}

export async function withContext<T>(
  { progress, profileFolder }: ContextOptions,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'maitred-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  started.defer(() => {
    process.off('exit', remove);
    remove();
  });

  async function start(...args: Parameters<typeof startServer>): Promise<ServerProcess> {
    const server = await startServer(...args);
    started.defer(() => server.stop());
    return server;
  }

  return await work({
    progress,
    async createDatabase(options) {
      const database = await createTestDatabase(options);
      started.defer(() => database.drop());
      return database;
    },
    startOurs: (databaseUrl, role = 'api', settings = {}) =>
      start('our-server.ts', {
        env: {
          DATABASE_URL: databaseUrl,
          DATA_DIR: folder,
          PORT: '0',
          ROLE: role,
          RATE_LIMIT: '1000000',
          ...settings,
        },
        logFile: join(folder, 'node.log'),
        nodeFlags: profileFolder ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`] : [],
      }),
    startBare: (answer) => start('bare-server.ts', { logFile: join(folder, 'bare.log'), setup: answer }),
    startBareSelect: (answer) =>
      start('bare-select-server.ts', { logFile: join(folder, 'bare.log'), setup: answer }),
    startBareCall: (answer) =>
      start('bare-call-server.ts', { logFile: join(folder, 'bare.log'), setup: answer }),
    startRemoteSystem: (system) =>
      start('remote-system.ts', { logFile: join(folder, 'system.log'), setup: system }),
    startBareBookings: (rows) =>
      start('bare-bookings-server.ts', { logFile: join(folder, 'bare.log'), setup: rows }),
  });
}
