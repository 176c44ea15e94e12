import type { Tx } from '../../src/db/database.ts';

/** Takes the n-th table of a venue for an hour and a half in the afternoon, when nobody else has it. */
export async function bookTable(tx: Tx, productId: string, date: string, n: number): Promise<void> {
  const startsAt = tx`(${date}::date + interval '15 hours') at time zone 'Europe/London'`;
  await tx`
    with reserved as (
      insert into house_reservation (id, reference, product_id, venue_id, trading_day, starts_at, duration_minutes, guests)
      select fresh, fresh::text, p.id, p.venue_id, ${date}, ${startsAt}, 90, 2 from product p, uuidv7() fresh
      where p.id = ${productId}
      returning id, venue_id, starts_at
    )
    insert into house_allocation (reservation_id, table_id, venue_id, during)
    select r.id, t.id, r.venue_id, tstzrange(r.starts_at, r.starts_at + interval '90 minutes')
    from reserved r, lateral (select id from house_table where venue_id = r.venue_id order by id offset ${n} limit 1) t`;
}

/** Lets venues that have tables sell them from Friday to Sunday, and have a feed. */
export async function sellTables(tx: Tx, venues: string): Promise<void> {
  await tx`set local session_replication_role = replica`;
  await tx`
    insert into house_product (product_id, venue_id, max_guests, turn_times, min_duration_minutes, max_duration_minutes,
      duration_step_minutes)
    select id, venue_id, 4, '[{"upTo": 4, "minutes": 90}]', 60, 240, 15 from product where venue_id like ${`${venues}%`}`;
  await tx`
    insert into house_product_zone (product_id, zone_id, venue_id)
    select p.id, z.id, p.venue_id from product p join house_zone z using (venue_id)
    where p.venue_id like ${`${venues}%`}`;
  await tx`delete from product_hours where venue_id like ${`${venues}%`} and weekday < 5`;
  await tx`select change_feed(array(select id from venue where id like ${`${venues}%`}))`;
}

/** Lets a partner book at these venues over HTTP. */
export async function takeBookings(tx: Tx, partnerId: number, venues: string): Promise<void> {
  await tx`
    insert into operator_system (operator_id, tms)
    select distinct operator_id, tms from venue where id like ${`${venues}%`}`;
  await tx`
    insert into partner_source (operator_id, partner_id, name)
    select distinct operator_id, ${partnerId}::int, 'Bench' from venue where id like ${`${venues}%`}`;
}

/** Everything about the feeds of these venues is to be made anew. */
export async function wantAnew(tx: Tx, venues: string): Promise<void> {
  await tx`
    update feed_venue set due_at = '-infinity', full_due_at = '-infinity' where venue_id like ${`${venues}%`}`;
}

/** How many venues wait for their feeds. */
export async function countWaiting(tx: Tx): Promise<number> {
  const [{ waiting }] = await tx<[{ waiting: number }]>`
    select count(*)::int as waiting from feed_venue
    where mark > made_mark or due_at <= now() or leased_until > now()`;
  return waiting;
}
