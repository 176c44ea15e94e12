import type { Sql } from '../../../src/db/database.ts';

/** Whether so many wait in this database for what somebody else holds. */
export async function areWaiting(sql: Sql, count: number): Promise<boolean> {
  const waiting = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return waiting.length >= count;
}

export const someoneWaits = (sql: Sql): Promise<boolean> => areWaiting(sql, 1);
