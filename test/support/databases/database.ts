import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPool, type Sql } from '../../../src/db/database.ts';
import { startEmbedded } from '../../../src/db/embedded/embedded.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { codeOf } from '../../../src/kernel/problem.ts';

const TEMPLATE = 'maitred_template';
/** The demo data is of the day on which it was made. */
const demoTemplate = () =>
  `maitred_demo_${Temporal.Now.plainDateISO('Europe/London').toString().replaceAll('-', '_')}`;

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

/** A server in a temporary folder, with two migrated databases that all others are copied from: one has the demo data. */
export async function startTestServer({ isDurable = false } = {}): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'maitred-test-'));
  // Run by root, PostgreSQL is another user and would be kept somewhere else if it could not get in here.
  chmodSync(dataDir, 0o711);
  const server = await startEmbedded({ dataDir });
  const admin = openPool(server.url, { max: 1 });
  if (!isDurable) await hurry(admin);
  await admin.unsafe(`create database ${TEMPLATE}`);
  await within(urlOf(server.url, TEMPLATE), migrate);
  const demo = demoTemplate();
  await admin.unsafe(`create database ${demo} template ${TEMPLATE}`);
  await within(urlOf(server.url, demo), seed);
  await admin.end();
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

/**
 * Nothing here has to survive a loss of power. What a test kills are processes, and those lose nothing by it: what is
 * committed is with the operating system.
 */
async function hurry(admin: Sql): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes', 'autovacuum']) {
    await admin.unsafe(`alter system set ${setting} = off`);
  }
  await admin`select pg_reload_conf()`;
}

async function within(url: string, work: (sql: Sql) => Promise<unknown>): Promise<void> {
  const sql = openPool(url, { max: 1 });
  await work(sql);
  await sql.end();
}

/** Loaded when it is needed: most test files get by with a copy. */
async function seed(sql: Sql): Promise<void> {
  const { seedDemo } = await import('../../../src/demo/seed.ts');
  await seedDemo(sql, systemClock);
}

function killPostmaster(dataDir: string): void {
  const lockFile = readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8');
  process.kill(Number.parseInt(lockFile, 10), 'SIGQUIT');
}

/** A fresh migrated database for one test file; the demo data is copied, because hashing its secrets takes a second. */
export async function createTestDatabase({ hasDemo = false, isBare = false } = {}): Promise<TestDatabase> {
  const server = await useServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = openPool(server.url, { max: 1 });
  const isCopied = hasDemo && (await copyTemplate(admin, demoTemplate(), name));
  if (!isCopied) await copyTemplate(admin, isBare ? 'template1' : TEMPLATE, name);
  const url = urlOf(server.url, name);
  const sql = openPool(url);
  // Since the server was started another day has begun.
  if (hasDemo && !isCopied) await seed(sql);
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
const NO_SUCH_DATABASE = '3D000';

/** False: there is no such template. PostgreSQL copies one only while nobody is connected to it, not even for a moment. */
async function copyTemplate(admin: Sql, template: string, name: string): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await admin.unsafe(`create database ${name} template ${template}`);
      return true;
    } catch (error) {
      if (codeOf(error) === NO_SUCH_DATABASE) return false;
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
