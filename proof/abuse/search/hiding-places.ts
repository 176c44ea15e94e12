/** Where something could have been left behind: every row of every table, and every file of the node. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Sql } from '../../../src/db/database.ts';
import { codeOf } from '../../../src/kernel/problem.ts';
import type { Search } from './needles.ts';

export interface Found {
  /** The label of the needle. */
  what: string;
  /** The table or the file. */
  where: string;
  times: number;
}

export interface Searched {
  bytes: number;
  places: number;
  found: Found[];
}

function ledger() {
  const found = new Map<string, Found>();
  return {
    note(what: string, where: string): void {
      found.getOrInsertComputed(`${what} ${where}`, () => ({ what, where, times: 0 })).times += 1;
    },
    all: () => [...found.values()],
  };
}

const ROWS = 2000;

/** Whole rows as text, bytes in hex, of every table of every schema but the server's own. */
export async function searchDatabase(sql: Sql, search: Search): Promise<Searched> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_toast'
    order by 1`;
  const { note, all } = ledger();
  let bytes = 0;
  for (const { name } of tables) {
    const rows = sql.unsafe<{ row: string }[]>(`select t::text as row from ${name} t`).cursor(ROWS);
    for await (const chunk of rows) {
      const text = Buffer.from(chunk.map(({ row }) => row).join('\n'));
      bytes += text.length;
      search(text, (what) => note(what, name));
    }
  }
  return { bytes, places: tables.length, found: all() };
}

const CHUNK_BYTES = 8 * 1024 * 1024;
/** Longer than any needle, so that one that lies across two chunks is in one of them. */
const OVERLAP_BYTES = 8192;

export function searchFiles(folder: string, search: Search, skips: (path: string) => boolean): Searched {
  const { note, all } = ledger();
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() && !skips(relative(folder, path)));
  let bytes = 0;
  // One for all: there are tens of thousands of small files.
  const buffer = Buffer.alloc(CHUNK_BYTES);
  for (const path of files)
    bytes += searchFile(path, buffer, search, (what) => note(what, relative(folder, path)));
  return { bytes, places: files.length, found: all() };
}

function searchFile(path: string, buffer: Buffer, search: Search, found: (what: string) => void): number {
  const file = openIfThere(path);
  if (file === undefined) return 0;
  let position = 0;
  try {
    for (;;) {
      const length = readSync(file, buffer, 0, CHUNK_BYTES, position);
      search(buffer.subarray(0, length), found);
      if (length < CHUNK_BYTES) return position + length;
      position += CHUNK_BYTES - OVERLAP_BYTES;
    }
  } finally {
    closeSync(file);
  }
}

/** A database at work removes files of its own while they are listed. */
function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
