/** How many bookings there are: each statement adds a row to `booking_count`, and now and then those are added up. */
import type { Fragment, Tx } from '../../db/database.ts';

/** All bookings for which `whose` holds, which may only ask for `partner_id` and `operator_id`. */
export async function countBookings(tx: Tx, whose: Fragment): Promise<number> {
  const [counted] = await tx<{ total: number }[]>`
    select coalesce(sum(bookings), 0)::bigint as total from booking_count b where ${whose}`;
  return counted?.total ?? 0;
}

/** Makes one row of all that say something of the same two, up to a limit. Says how many are gone. */
export async function addUpCounts(tx: Tx, limit: number): Promise<number> {
  const [row] = await tx<[{ gone: number }]>`
    with several as (
      select partner_id, operator_id from booking_count group by partner_id, operator_id having count(*) > 1),
    taken as (
      delete from booking_count where ctid = any(array(
        select c.ctid from booking_count c join several using (partner_id, operator_id)
        limit ${limit} for update of c skip locked))
      returning partner_id, operator_id, bookings),
    added as (
      insert into booking_count (partner_id, operator_id, bookings)
      select partner_id, operator_id, sum(bookings) from taken group by partner_id, operator_id
      returning 1)
    select (select count(*) from taken) - (select count(*) from added) as gone`;
  return row.gone;
}
