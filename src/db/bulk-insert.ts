import type { Tx } from './database.ts';

/** `insert` refuses an empty list, and most documents lack one thing or another. */
export async function insertAll<Row extends object>(tx: Tx, table: string, rows: Row[]): Promise<void> {
  if (rows.length > 0) await tx`insert into ${tx(table)} ${tx(rows as never)}`;
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
