/** Stays that are over leave the table that is read and locked for every booking, so that it stays small. */
import type { Tx } from '../../db/database.ts';
import { MS_PER_DAY } from '../../kernel/zone-time.ts';

/** Nothing that a desk still does to an evening that is over comes later than this. */
const KEPT_MS = 3 * MS_PER_DAY;
const VENUES_AT_ONCE = 100;
const STAYS_AT_ONCE = 2000;

/**
 * Moves stays of the next venues after `after`, and removes the marks of days that can no longer be booked. Says
 * after which venue to go on; undefined: that was the last. A stay whose booking is being changed is left for the next
 * time: who changes it locks its reservation first, as here.
 */
export async function movePastStays(tx: Tx, nowMs: number, after: string): Promise<string | undefined> {
  const until = new Date(nowMs - KEPT_MS).toISOString();
  await tx`select set_config('maitred.moves_stays', 'on', true)`;
  const venues = await tx<{ id: string }[]>`
    select id from venue where id > ${after} order by id limit ${VENUES_AT_ONCE}`;
  const ids = venues.map(({ id }) => id);
  const { count } = await tx`
    with over as materialized (
      select s.reservation_id, s.table_id
      from house_allocation s join house_reservation r on r.id = s.reservation_id
      where s.venue_id = any(${ids}::text[]) and upper(s.during) < ${until}::timestamptz
      limit ${STAYS_AT_ONCE} for key share of r skip locked),
    moved as (
      delete from house_allocation s using over o
      where s.reservation_id = o.reservation_id and s.table_id = o.table_id and upper(s.during) < ${until}::timestamptz
      returning s.*)
    insert into house_past_allocation (reservation_id, table_id, venue_id, during)
    select reservation_id, table_id, venue_id, during from moved
    on conflict (reservation_id, table_id) do update set during = excluded.during`;
  if (count > 0) return after;
  await tx`
    delete from house_day d using (
      select venue_id, day from house_day
      where venue_id = any(${ids}::text[]) and day < ${until.slice(0, 10)} and is_fed
      order by venue_id, day for update skip locked) over
    where d.venue_id = over.venue_id and d.day = over.day`;
  return ids.length < VENUES_AT_ONCE ? undefined : ids.at(-1);
}
