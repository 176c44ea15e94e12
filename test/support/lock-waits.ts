import type { Sql } from '../../src/db/database.ts';

/** Whether somebody waits in this database for what somebody else holds. */
export async function someoneWaits(sql: Sql): Promise<boolean> {
  const waiting = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return waiting.length > 0;
}
