/** Brings a backup into an empty database, in one transaction: all of it, or nothing. */
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { StartError } from '../../kernel/problem.ts';
import { inTransaction, type Sql, type Tx } from '../database.ts';
import { migrateWithin } from '../migrate.ts';
import * as catalogue from './catalogue.ts';
import {
  type BackupEnd,
  type BackupHeader,
  type BackupRecord,
  type BackupTable,
  jsonOf,
  readBackup,
} from './format.ts';

export interface Checked {
  header: BackupHeader;
  tables: BackupTable[];
  end: BackupEnd;
}

/** Reads the whole file before anything is touched. */
export async function check(path: string): Promise<Checked> {
  const found: BackupRecord[] = [];
  for await (const { letter, content } of readBackup(path))
    if (letter !== 'D') found.push({ letter, content: Buffer.from(content) });
  // Understood only now that the whole file is known to be as it was written.
  const [header] = found.filter(({ letter }) => letter === 'H').map(jsonOf<BackupHeader>);
  const [end] = found.filter(({ letter }) => letter === 'Z').map(jsonOf<BackupEnd>);
  if (!header || !end) throw new StartError(`${path} cannot be used: it is cut short. Nothing was changed.`);
  return { header, tables: found.filter(({ letter }) => letter === 'T').map(jsonOf<BackupTable>), end };
}

export async function load(
  sql: Sql,
  { from, progress }: { from: string; progress(line: string): void },
): Promise<Checked> {
  const checked = await check(from);
  await inTransaction(sql, async (tx) => {
    if (!(await catalogue.isEmptyDatabase(tx)))
      throw new StartError(
        'The database is not empty; a backup is restored into an empty one. Nothing was changed.',
      );
    await migrateWithin(tx, checked.header.migrations);
    await catalogue.replacePartitions(tx, checked.header.partitions);
    const tables = await catalogue.listTables(tx);
    const resume = await catalogue.suspendRules(tx, tables);
    await catalogue.emptyTables(tx, tables);
    await writeRows(tx, from, { count: checked.tables.length, progress });
    await catalogue.setSequences(tx, checked.end.sequences);
    await resume();
    progress('Comparing …');
    for (const table of checked.tables) await compare(tx, table);
  });
  return checked;
}

async function writeRows(
  tx: Tx,
  from: string,
  { count, progress }: { count: number; progress(line: string): void },
): Promise<void> {
  let into: Writable | undefined;
  let index = 0;
  for await (const record of readBackup(from)) {
    if (record.letter === 'D' && into) await write(into, record);
    else if (into) await close(into);
    if (record.letter === 'T') {
      const { table, columns, rows } = jsonOf<BackupTable>(record);
      index += 1;
      progress(`${index} of ${count}: ${table}, ${rows} rows`);
      into = rows > 0 ? await tx`copy ${tx(table)} (${tx(columns)}) from stdin`.writable() : undefined;
    } else if (record.letter !== 'D') into = undefined;
  }
}

async function write(into: Writable, { content }: BackupRecord): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  into.write(content, (error) => (error ? reject(error) : resolve()));
  await promise;
}

async function close(into: Writable): Promise<void> {
  into.end();
  await finished(into);
}

async function compare(tx: Tx, { table, rows, checksum }: BackupTable): Promise<void> {
  const restored = await catalogue.checksumOf(tx, table);
  if (restored.rows === rows && restored.checksum === checksum) return;
  throw new StartError(
    `The rows of ${table} came out differently (${restored.rows} of ${rows}). Nothing was changed.`,
  );
}
