import type { Tx } from '../../../src/db/database.ts';

/** Not by `truncate`: its locks on all months would cross those of a dispatcher that is at work. */
export async function emptyEventLog(sql: Tx): Promise<void> {
  for (const table of ['delivery_attempt', 'delivery', 'event']) await sql`delete from ${sql(table)}`;
}
