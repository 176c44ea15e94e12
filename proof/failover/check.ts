/** What callers were told, held against what the database has. */
import type { Sql } from '../../src/db/database.ts';
import type { Load } from './load.ts';

export interface Checked {
  acknowledged: number;
  /** Answered with 201 and not there. */
  lost: number;
  duplicates: number;
  /** Pairs of stays at one table at the same time. */
  oversold: number;
  withoutEvent: number;
}

export async function check(sql: Sql, { sent }: Load): Promise<Checked> {
  const ids = sent.flatMap(({ bookingId }) => bookingId ?? []);
  const [row] = await sql<[Omit<Checked, 'acknowledged'>]>`
    with acknowledged as (select unnest(${ids}::uuid[]) as id)
    select
      (select count(*)::int from acknowledged a where not exists (select from booking b where b.id = a.id)) as lost,
      (select count(*)::int from (
        select from booking group by partner_booking_id having count(*) > 1) as twice) as duplicates,
      (select count(*)::int from house_allocation one join house_allocation other
        on one.table_id = other.table_id and one.ctid < other.ctid and one.during && other.during) as oversold,
      (select count(*)::int from acknowledged a
        where exists (select from booking b where b.id = a.id)
          and not exists (select from event e where e.booking_id = a.id)) as "withoutEvent"`;
  return { acknowledged: ids.length, ...row };
}

/** Bookings that a former primary took after another server had its place, by their ids. */
export async function onlyThere(there: Sql, here: Sql): Promise<string[]> {
  const read = (sql: Sql) => sql<{ id: string }[]>`select id from booking`;
  const known = new Set((await read(here)).map(({ id }) => id));
  return (await read(there)).map(({ id }) => id).filter((id) => !known.has(id));
}
