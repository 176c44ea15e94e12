import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { BlockedTime, DeskStore, ListedBlock, Pace, TakenSeat } from '../desk.ts';
import { blocks } from './block-store.ts';

interface SeatRow extends TakenSeat {
  bookingId: string;
}

async function listSeats(tx: Tx, bookingIds: readonly string[]): Promise<Map<string, TakenSeat>> {
  const rows = await tx<SeatRow[]>`
    select reservation_id as "bookingId", array_agg(table_id order by table_id) as "tableIds",
      min(lower(during)) as from, max(upper(during)) as to
    from house_stay where reservation_id = any(${bookingIds as string[]}::uuid[])
    group by reservation_id
    union all
    select id, array(select unnest(table_ids) order by 1), lower(during), upper(during)
    from house_hold where id = any(${bookingIds as string[]}::uuid[])`;
  return new Map(rows.map(({ bookingId, ...seat }) => [bookingId, seat]));
}

/** Of a stay that begins at that very instant nothing is left. */
async function release(tx: Tx, bookingId: string, at: Temporal.Instant): Promise<void> {
  // In this order: what is moved meanwhile is met in the second table.
  await Promise.all(
    ['house_allocation', 'house_past_allocation'].flatMap((stays) => [
      tx`delete from ${tx(stays)} where reservation_id = ${bookingId} and lower(during) >= ${at}`,
      tx`update ${tx(stays)} set during = tstzrange(lower(during), ${at})
        where reservation_id = ${bookingId} and upper(during) > ${at}`,
    ]),
  );
}

async function listBlocks(tx: Tx, venueId: VenueId, { from, to }: BlockedTime): Promise<ListedBlock[]> {
  const rows = await tx<ListedBlock[]>`
    select id, lower(during) as from, upper(during) as to, reason,
      array(select table_id from house_block_table where block_id = b.id order by table_id) as "tableIds"
    from house_block b
    where venue_id = ${venueId} and upper(during) > ${from} and lower(during) < ${to}
    order by lower(during), id`;
  return [...rows];
}

async function listPaces(tx: Tx, venueId: VenueId, date: string): Promise<Pace[]> {
  const period = tx`json_build_object('opens', opens_minute, 'closes', closes_minute)`;
  const dated = tx`product_dated_hours where product_id = p.id and date = ${date}::date`;
  const rows = await tx<Pace[]>`
    select h.covers_per_start as "coversPerStart", p.time_interval_minutes as "stepMinutes",
      case when exists (select from ${dated}) then array(select ${period} from ${dated} and opens_minute is not null)
        else array(select ${period} from product_hours
          where product_id = p.id and weekday = extract(isodow from ${date}::date)) end as periods
    from house_product h join product p on p.id = h.product_id
    where h.venue_id = ${venueId}`;
  return [...rows];
}

export const deskStore: DeskStore = { listSeats, release, listBlocks, listPaces, blocks };
