import type { Tx } from '../../src/db/database.ts';

export interface Stretch {
  /** Venues whose id begins like this. */
  venues: string;
  productKey: string;
  /** The day that is filled first; the others follow by their distance from it. */
  middle: string;
  daysAround: number;
  dayStep: number;
  /** At most this many. */
  limit: number;
}

/**
 * Evenings with every table taken twice and noons with every second one, so sixty tables have 150 reservations.
 * Tables differ by quarters of an hour in when they are free again. Says how many were made.
 */
export async function fillReservations(tx: Tx, stretch: Stretch): Promise<number> {
  const { venues, productKey, middle, daysAround, dayStep, limit } = stretch;
  await tx`set local session_replication_role = replica`;
  await tx`
    create temporary table stay on commit drop as
    select uuidv7() as id, t.id as table_id, t.venue_id, t.max_covers as guests, day, s.minutes,
      (day + make_interval(mins => s.begins + t.id % 4 * 15)) at time zone 'Europe/London' as starts_at
    from generate_series(${-daysAround}::int, ${daysAround}::int, ${dayStep}::int) distance,
      lateral (select ${middle}::date + distance as day) d,
      house_table t,
      (values (0, 735, 90), (1, 1080, 120), (2, 1215, 90)) s (seating, begins, minutes)
    where t.venue_id like ${`${venues}%`} and (seating > 0 or t.id % 2 = 0)
    order by abs(distance)
    limit ${limit}`;
  await tx`
    insert into house_reservation (id, reference, product_id, venue_id, trading_day, starts_at, duration_minutes, guests)
    select id, id::text, venue_id || ${`|${productKey}`}, venue_id, day, starts_at, minutes, guests from stay`;
  const { count } = await tx`
    insert into house_allocation (reservation_id, table_id, venue_id, during)
    select id, table_id, venue_id, tstzrange(starts_at, starts_at + make_interval(mins => minutes)) from stay`;
  // What the triggers would have left behind.
  await tx`
    insert into house_day (venue_id, day, mark)
    select venue_id, day, nextval('house_mark')
    from (select distinct venue_id, (starts_at at time zone 'UTC')::date as day from stay) touched
    on conflict do nothing`;
  await tx`drop table stay`;
  return count;
}

/** Ten tables for each venue of an operator that has none. */
export async function fillTables(tx: Tx, venues: string): Promise<void> {
  await tx`set local session_replication_role = replica`;
  await tx`insert into house_zone (venue_id, name) select id, 'All' from venue where id like ${`${venues}%`}`;
  await tx`
    insert into house_area (zone_id, venue_id, name)
    select id, venue_id, 'All' from house_zone where venue_id like ${`${venues}%`}`;
  await tx`
    insert into house_table (area_id, venue_id, name, min_covers, max_covers)
    select id, venue_id, 'T' || n, 1, 4 from house_area, generate_series(1, 10) n
    where venue_id like ${`${venues}%`}`;
}

/**
 * Adding rows one by one to the index behind the constraint that no table is taken twice would take minutes, so it
 * is dropped meanwhile. Putting it back also proves that what was filled in could have been booked.
 */
export async function withoutOverlapCheck(tx: Tx, fill: () => Promise<void>): Promise<void> {
  const [constraint] = await tx<{ name: string; definition: string }[]>`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = 'house_allocation'::regclass and contype = 'x'`;
  if (!constraint) throw new Error('house_allocation has lost its exclusion constraint.');
  await tx`set local maintenance_work_mem = '512MB'`;
  await tx`alter table house_allocation drop constraint ${tx(constraint.name)}`;
  await fill();
  await tx.unsafe(
    `alter table house_allocation add constraint "${constraint.name}" ${constraint.definition}`,
  );
}

/** Makes every node believe that a stay of that day has changed. */
export async function markDay(tx: Tx, venueId: string, date: string): Promise<void> {
  await tx`select mark_house_days(${venueId}, array[tstzrange(${date}::timestamptz, ${date}::timestamptz + '20 hours')])`;
}
