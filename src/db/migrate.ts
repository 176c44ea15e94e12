import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEADLINES } from '../kernel/deadlines.ts';
import { codeOf, reasonOf, StartError } from '../kernel/problem.ts';
import { inTransaction, limitLockWaits, type Sql, type Tx } from './database.ts';

const MIGRATIONS = join(import.meta.dirname, '..', '..', 'migrations');
const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/;
/** Any fixed number does, as long as nothing else in this database locks it. */
const LOCK_KEY = 7_261_951;

interface Migration {
  version: number;
  file: string;
  text: string;
  checksum: string;
}

interface Applied {
  version: number;
  name: string;
  checksum: string;
}

export interface MigrateOptions {
  directory?: string;
  progress?: (line: string) => void;
}

/**
 * Brings the schema up to what this program expects. Forward only, one transaction per file; several nodes may run it
 * at the same time: a lock ensures that each file is applied once. Returns how many were missing.
 */
export async function migrate(sql: Sql, options: MigrateOptions = {}): Promise<number> {
  const migrations = readMigrations(options.directory ?? MIGRATIONS);
  const applied = await inTransaction(sql, prepare).catch((error) => {
    throw new StartError(`The database cannot be prepared (${reasonOf(error)}).`, { cause: error });
  });
  refuseSurprises(migrations, applied);
  const known = new Set(applied.map(({ version }) => version));
  const pending = migrations.filter(({ version }) => !known.has(version));
  if (pending.length > 0) options.progress?.('Migrating …');
  for (const migration of pending) await apply(sql, migration);
  return pending.length;
}

/** Applies the migrations that another database has had, within a transaction that then brings its data. */
export async function migrateWithin(tx: Tx, wanted: readonly Applied[]): Promise<void> {
  const migrations = readMigrations(MIGRATIONS);
  await prepare(tx);
  refuseSurprises(migrations, wanted);
  for (const migration of migrations)
    if (wanted.some(({ version }) => version === migration.version)) await applyWithin(tx, migration);
}

function readMigrations(directory: string): Migration[] {
  const files = readdirSync(directory).filter((file) => file.endsWith('.sql'));
  const migrations = files.sort().map((file) => {
    const version = Number(FILE_NAME.exec(file)?.[1] ?? Number.NaN);
    if (Number.isNaN(version))
      throw new StartError(`Migration ${file} must be named like 0001_what_it_does.sql.`);
    // A checkout on Windows may have other line ends; they do not make another migration.
    const text = readFileSync(join(directory, file), 'utf8').replaceAll('\r\n', '\n');
    return { version, file, text, checksum: createHash('sha256').update(text).digest('hex') };
  });
  const twice = migrations.find(({ version }, index) => migrations[index + 1]?.version === version);
  if (twice) throw new StartError(`Two migrations have the number of ${twice.file}.`);
  return migrations;
}

async function prepare(tx: Tx): Promise<Applied[]> {
  await lock(tx);
  await tx`
    create table if not exists schema_migration (
      version integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`;
  return tx<Applied[]>`select version, name, checksum from schema_migration order by version`;
}

/** However long the node before us takes. */
async function lock(tx: Tx): Promise<void> {
  await tx`set local lock_timeout = 0`;
  await tx`select pg_advisory_xact_lock(${LOCK_KEY})`;
}

function refuseSurprises(migrations: readonly Migration[], applied: readonly Applied[]): void {
  for (const { version, name, checksum } of applied) {
    const ours = migrations.find((migration) => migration.version === version);
    if (!ours) {
      throw new StartError(
        `The database is newer than this program: it has had migration ${name}, unknown here.`,
      );
    }
    if (ours.checksum !== checksum) {
      throw new StartError(
        `Migration ${ours.file} was changed after it had been applied; put the change in a new file.`,
      );
    }
  }
}

/** Deadlock detected, and lock not available. */
const CONTESTED = ['40P01', '55P03'];
const PAUSE_MS = 100;

/**
 * Older nodes may be serving. A file that waits for one of its locks while it has others keeps their callers waiting, so
 * it waits briefly and begins again: the file is one transaction, and an attempt that fails leaves nothing.
 */
async function apply(sql: Sql, migration: Migration): Promise<void> {
  const endMs = performance.now() + DEADLINES.migrationLocks;
  for (;;) {
    try {
      return await attempt(sql, migration);
    } catch (error) {
      if (!CONTESTED.includes(codeOf(error) ?? '') || performance.now() > endMs)
        throw new StartError(`Migration ${migration.file} failed and was undone (${reasonOf(error)}).`, {
          cause: error,
        });
      await sleep(PAUSE_MS);
    }
  }
}

async function attempt(sql: Sql, migration: Migration): Promise<void> {
  await inTransaction(sql, async (tx) => {
    await lock(tx);
    const [done] = await tx`select 1 from schema_migration where version = ${migration.version}`;
    if (done) return;
    await limitLockWaits(tx, DEADLINES.migrationLock);
    await applyWithin(tx, migration);
  });
}

async function applyWithin(tx: Tx, { version, file, text, checksum }: Migration): Promise<void> {
  await tx.unsafe(text);
  await tx`insert into schema_migration (version, name, checksum) values (${version}, ${file}, ${checksum})`;
}
