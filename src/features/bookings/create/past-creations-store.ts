import type { Tx } from '../../../db/database.ts';
import type { CreationWindow } from '../../booking-rules/service.ts';
import type { BookingRecord } from '../record.ts';
import type { RuledBooking, RuledSurroundings } from '../ruling-store.ts';

export interface Creation extends RuledBooking, Pick<BookingRecord, 'id' | 'startsAt' | 'createdAt'> {
  surroundings: RuledSurroundings;
  /** Null: the house. */
  partnerName: string | null;
}

type Row = Omit<Creation, 'venue' | 'surroundings'> &
  RuledSurroundings & {
    venueName: string;
    productName: string;
    timeZone: string;
    area: string;
    city: string;
  };

/** The latest first, from before `last` on. No data of the guest is read. */
export async function listCreations(
  tx: Tx,
  operatorId: number,
  { from, to }: CreationWindow,
  { last, limit }: { last: Creation | undefined; limit: number },
): Promise<Creation[]> {
  const rows = await tx<Row[]>`
    select b.id, b.partner_id as "partnerId", b.venue_id as "venueId", b.product_id as "productId", b.source, b.type,
      b.trading_day as date, b.starts_minute as minute, b.starts_at as "startsAt",
      b.requested_duration_minutes as "requestedDurationMinutes", b.adults, b.children, b.space_id as "spaceId",
      b.preorders, b.deposit_pence as "depositPence", b.created_at as "createdAt",
      v.name as "venueName", v.time_zone as "timeZone", v.area, v.city, p.name as "productName",
      pa.name as "partnerName",
      p.slug, c.slug as category, s.name as "spaceName",
      array(select k.id from partner_category k join partner_category_member m on m.category_id = k.id
        where k.operator_id = b.operator_id and m.partner_id = b.partner_id order by k.id) as "categoryIds"
    from booking b
      join venue v on v.id = b.venue_id
      join product p on p.id = b.product_id
      left join partner pa on pa.id = b.partner_id
      left join category c on c.id = p.category_id
      left join space s on s.id = b.space_id
    where b.operator_id = ${operatorId} and b.created_at >= ${from} and b.created_at < ${to}
      ${last ? tx`and (b.created_at, b.id) < (${last.createdAt}, ${last.id})` : tx``}
    order by b.created_at desc, b.id desc limit ${limit}`;
  return rows.map(creationOf);
}

function creationOf(row: Row): Creation {
  const { venueName, productName, timeZone, area, city, slug, category, spaceName, categoryIds, ...rest } =
    row;
  return {
    ...rest,
    venue: { name: venueName, productName, timeZone, location: { area, city } },
    surroundings: { slug, category, spaceName, categoryIds },
  };
}

export async function countCreations(
  tx: Tx,
  operatorId: number,
  { from, to }: CreationWindow,
): Promise<number> {
  const [row] = await tx<{ total: number }[]>`
    select count(*) as total from booking
    where operator_id = ${operatorId} and created_at >= ${from} and created_at < ${to}`;
  return row?.total ?? 0;
}
