/** Writes a whole database into a file while nodes use it: everything as it was at one moment. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { timestampOf } from '../../kernel/clock.ts';
import { PROGRAM_VERSION } from '../../kernel/version.ts';
import { inSnapshot, type Sql, type Tx } from '../database.ts';
import { type Copied, checksumOf, listPartitions, listSequences, listTables } from './catalogue.ts';
import { type BackupEnd, type BackupHeader, type BackupTable, FORMAT, recordOf } from './format.ts';

export interface DumpOptions {
  to: string;
  signal?: AbortSignal;
  progress(line: string): void;
}

export interface Dumped extends Omit<BackupEnd, 'sha256'> {
  header: BackupHeader;
  contents: BackupTable[];
}

/** The file appears under its name once it is whole and on the disk. */
export async function dump(sql: Sql, { to, signal, progress }: DumpOptions): Promise<Dumped> {
  const partial = `${to}.partial`;
  const gzip = createGzip();
  try {
    const writing = pipeline(gzip, createWriteStream(partial, { mode: 0o600, flush: true }));
    const dumped = await Promise.race([
      inSnapshot(sql, (tx) => writeRecords(tx, gzip, progress, signal)),
      writing.then(() => Promise.reject(new Error('The file was closed too early.'))),
    ]);
    gzip.end();
    await writing;
    await rename(partial, to);
    await using folder = await open(dirname(to));
    await folder.sync();
    return dumped;
  } catch (error) {
    gzip.destroy();
    await rm(partial, { force: true });
    throw error;
  }
}

type Gzip = ReturnType<typeof createGzip>;

async function writeRecords(
  tx: Tx,
  gzip: Gzip,
  progress: (line: string) => void,
  signal?: AbortSignal,
): Promise<Dumped> {
  const hash = createHash('sha256');
  const write = async (record: Buffer) => {
    signal?.throwIfAborted();
    if (gzip.destroyed) throw new Error('The file was closed too early.');
    hash.update(record);
    if (!gzip.write(record)) await drained(gzip, signal);
  };
  const header = await readHeader(tx);
  await write(recordOf('H', header));
  const tables = await listTables(tx);
  const contents: BackupTable[] = [];
  for (const [index, { table, columns }] of tables.entries()) {
    const content = { table, columns, ...(await checksumOf(tx, table)) };
    await write(recordOf('T', content));
    for await (const rows of gathered(copyOf(tx, { table, columns }))) await write(recordOf('D', rows));
    contents.push(content);
    progress(`${index + 1} of ${tables.length}: ${table}, ${content.rows} rows`);
  }
  const end = {
    tables: tables.length,
    rows: contents.reduce((sum, { rows }) => sum + rows, 0),
    // Read last: their values never go back, and none may be lower than what was copied.
    sequences: await listSequences(tx),
  };
  gzip.write(recordOf('Z', { ...end, sha256: hash.digest('hex') }));
  return { ...end, header, contents };
}

async function drained(gzip: Gzip, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const give = () => reject(signal?.reason ?? new Error('The file was closed too early.'));
  gzip.once('drain', resolve).once('close', give);
  try {
    await promise;
  } finally {
    gzip.off('drain', resolve).off('close', give);
  }
}

async function readHeader(tx: Tx): Promise<BackupHeader> {
  const [facts] = await tx<[{ postgres: string; now: Temporal.Instant }]>`
    select current_setting('server_version') as postgres, now() as now`;
  const migrations = await tx<BackupHeader['migrations']>`
    select version, name, checksum from schema_migration order by version`;
  const [there] = await tx<[{ exists: boolean }]>`
    select to_regclass('encryption_key') is not null as exists`;
  const keys = there.exists
    ? await tx<{ id: string }[]>`select id from encryption_key where retired_at is null order by id`
    : [];
  return {
    format: FORMAT,
    version: PROGRAM_VERSION,
    madeAt: timestampOf(facts.now),
    postgres: facts.postgres,
    migrations: [...migrations],
    keyIds: keys.map(({ id }) => id),
    partitions: await listPartitions(tx),
  };
}

const RECORD_BYTES = 256 * 1024;

/** The database sends row by row. */
async function* gathered(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const row of rows) {
    waiting.push(row);
    bytes += row.length;
    if (bytes < RECORD_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

async function* copyOf(tx: Tx, { table, columns }: Copied): AsyncGenerator<Buffer> {
  const rows: Readable = await tx`copy (select ${tx(columns)} from ${tx(table)}) to stdout`.readable();
  try {
    yield* rows;
  } finally {
    // The driver stops reading the connection while its stream is full, and goes on only when the stream is read on:
    // where it was full at its end, the next answer would never be read.
    rows._read(0);
  }
}
