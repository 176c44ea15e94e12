import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPool, type Sql } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { codeOf } from '../../src/kernel/error-facts.ts';

const TEMPLATE = 'maitred_template';

export interface TestDatabase {
  url: string;
  sql: Sql;
  drop(): Promise<void>;
}

export interface TestServer {
  /** The address of an administrator. */
  url: string;
  stop(): Promise<void>;
}

/** A server in a temporary folder, with one migrated database that all others are copied from. */
export async function startTestServer(): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'maitred-test-'));
  // Run by root, PostgreSQL is another user and would be kept somewhere else if it could not get in here.
  chmodSync(dataDir, 0o711);
  const server = await startEmbedded({ dataDir });
  const admin = openPool(server.url, { max: 1 });
  await admin.unsafe(`create database ${TEMPLATE}`);
  await admin.end();
  const template = openPool(urlOf(server.url, TEMPLATE), { max: 1 });
  await migrate(template);
  await template.end();
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  const abandon = () => {
    killPostmaster(dataDir);
    remove();
  };
  // A test file that dies of an error never comes to its end.
  process.once('exit', abandon);
  return {
    url: server.url,
    async stop() {
      await server.stop();
      process.off('exit', abandon);
      remove();
    },
  };
}

function killPostmaster(dataDir: string): void {
  const lockFile = readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8');
  process.kill(Number.parseInt(lockFile, 10), 'SIGQUIT');
}

/** A fresh migrated database for one test file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await useServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = openPool(server.url, { max: 1 });
  await copyTemplate(admin, name);
  const url = urlOf(server.url, name);
  const sql = openPool(url);
  return {
    url,
    sql,
    async drop() {
      await sql.end({ timeout: 5 });
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin.end();
      await server.release();
    },
  };
}

let own: { server: Promise<TestServer>; users: number } | undefined;

/** The server of the whole run; a file that is run by itself starts one, and the last database takes it along. */
async function useServer(): Promise<{ url: string; release(): Promise<void> }> {
  const shared = process.env.MAITRED_TEST_SERVER;
  if (shared) return { url: shared, release: async () => {} };
  own ??= { server: startTestServer(), users: 0 };
  const current = own;
  current.users += 1;
  const { url, stop } = await current.server;
  return {
    url,
    async release() {
      current.users -= 1;
      if (current.users > 0) return;
      own = undefined;
      await stop();
    },
  };
}

const OBJECT_IN_USE = '55006';

/** PostgreSQL copies a database only while nobody is connected to it, not even for a moment. */
async function copyTemplate(admin: Sql, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await admin.unsafe(`create database ${name} template ${TEMPLATE}`);
      return;
    } catch (error) {
      const isInUse = codeOf(error) === OBJECT_IN_USE;
      if (!isInUse || attempt === 50) throw error;
      await sleep(100);
    }
  }
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
