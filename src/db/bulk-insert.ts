import type { Fragment, Tx } from './database.ts';

/** As many values as one statement can carry. */
const MAX_PARAMETERS = 65_534;

/** `insert` refuses an empty list, and most documents lack one thing or another. All rows have the same columns. */
export async function insertAll<Row extends object>(tx: Tx, table: string, rows: Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).length;
  const rowsPerInsert = Math.floor(MAX_PARAMETERS / Math.max(columns, 1));
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    await tx`insert into ${tx(table)} ${tx(rows.slice(from, from + rowsPerInsert) as never)}`;
  }
}

/**
 * To be called after rows were stored under ids of their own: what the sequences give out next collides neither
 * with them nor with a row that has been deleted since.
 */
export async function continueNumbering(tx: Tx, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await tx`
      select setval(sequence, greatest(1, (select max(id) from ${tx(table)}), pg_sequence_last_value(sequence)))
      from (select pg_get_serial_sequence(${table}, 'id')::regclass as sequence) as it`;
  }
}

/** Rows as one JSON array, in which all that is null is left out. */
export const sparseRows = (tx: Tx, query: Fragment): Fragment =>
  tx`(select coalesce(json_strip_nulls(json_agg(row)), '[]') from (${query}) row)`;
