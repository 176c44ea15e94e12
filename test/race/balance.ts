/** What bookings say and what the built-in systems hold, counted against each other. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sql } from '../../src/db/database.ts';

/**
 * Sentences about everything that does not add up; none when the books balance. Asked of older versions too, whose
 * bookings know nothing of visits.
 */
export async function imbalances(sql: Sql): Promise<string[]> {
  const rows = await sql<{ fault: string }[]>`
    select format('booking %s is %s and has a table', r.id, coalesce(b.status, 'not there')) as fault
      from house_reservation r left join booking b using (id) where b.status is null or b.status not in ('confirmed', 'completed', 'no_show')
    union all
    select format('booking %s is %s and has tickets', r.id, coalesce(b.status, 'not there'))
      from ticket_reservation r left join booking b using (id) where b.status is null or b.status not in ('confirmed', 'completed', 'no_show')
    union all
    select format('booking %s is confirmed without a table at its time', b.id)
      from booking b where status = 'confirmed' and coalesce(to_jsonb(b) ->> 'visit_state', 'expected') = 'expected' and venue_id like '%|house|%' and not exists (
        select from house_reservation r join house_allocation a on a.reservation_id = r.id
        where r.id = b.id and r.starts_at = b.starts_at and r.guests = b.adults + b.children
          and r.reference = b.operator_booking_id and lower(a.during) = b.starts_at
          and upper(a.during) = b.starts_at + make_interval(mins => b.duration_minutes))
    union all
    select format('booking %s is confirmed without its tickets', b.id)
      from booking b where status = 'confirmed' and venue_id like '%|tickets|%' and not exists (
        select from ticket_reservation r
        where r.id = b.id and r.starts_at = b.starts_at and r.quantity = b.adults + b.children
          and r.reference = b.operator_booking_id)
    union all
    select format('table %s is taken twice at %s', a.table_id, lower(a.during))
      from house_allocation a join house_allocation o on o.table_id = a.table_id
        and o.reservation_id > a.reservation_id and o.during && a.during
    union all
    select format('%s of %s tickets for occurrence %s are sold, %s are held', s.sold, s.capacity, s.occurrence_id, held)
      from ticket_stock s, lateral (select coalesce(sum(quantity), 0) as held from ticket_reservation r
        where r.occurrence_id = s.occurrence_id and r.product_id = s.product_id) r
      where sold <> held or sold > (select capacity from ticket_type t where t.product_id = s.product_id)
    union all
    select format('booking %s has no event about being %s', b.id, b.status)
      from booking b where partner_id is not null and not exists (
        select from event e where e.booking_id = b.id and e.occurred_at = b.last_update)`;
  return rows.map(({ fault }) => fault);
}

/**
 * Deadlocks that the server has found in this database. Connections tell their counts when they end, so all others
 * are ended first; their pools make new ones.
 */
export async function deadlocks(sql: Sql): Promise<number> {
  const own = await sql.reserve();
  try {
    await own`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    const [row] = await own<[{ deadlocks: number }]>`
      select deadlocks from pg_stat_database where datname = current_database()`;
    return row.deadlocks;
  } finally {
    own.release();
    // Only then do pools see which connections have ended; until then they would send calls on them.
    await nextTurn();
    await nextTurn();
  }
}
