import type { Tx } from '../../db/database.ts';
import type { DeskStore, TakenSeat } from '../desk.ts';
import { blocks } from './block-store.ts';

interface SeatRow extends TakenSeat {
  bookingId: string;
}

async function listSeats(tx: Tx, bookingIds: readonly string[]): Promise<Map<string, TakenSeat>> {
  const rows = await tx<SeatRow[]>`
    select reservation_id as "bookingId", array_agg(table_id order by table_id) as "tableIds",
      min(lower(during)) as from, max(upper(during)) as to
    from house_allocation where reservation_id = any(${bookingIds as string[]}::uuid[])
    group by reservation_id`;
  return new Map(rows.map(({ bookingId, ...seat }) => [bookingId, seat]));
}

/** Of a stay that begins at that very instant nothing is left. */
async function release(tx: Tx, bookingId: string, at: Temporal.Instant): Promise<void> {
  await Promise.all([
    tx`delete from house_allocation where reservation_id = ${bookingId} and lower(during) >= ${at}`,
    tx`update house_allocation set during = tstzrange(lower(during), ${at})
      where reservation_id = ${bookingId} and upper(during) > ${at}`,
  ]);
}

export const deskStore: DeskStore = { listSeats, release, blocks };
