import type { Fragment, Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';

export const GROUPINGS = ['day', 'venue', 'product', 'partner', 'origin'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Trading days; both belong to it. */
export interface Period {
  from: string;
  to: string;
}

export interface Figures {
  bookings: number;
  covers: number;
  cancellations: number;
  noShows: number;
  spendPence: number;
  leadDays: number | null;
}

export interface FiguresRow extends Figures {
  isTotal: boolean;
  key: string;
  name: string;
}

/** A trading day begins and ends within these in whichever zone, so that the index by start can be used for it. */
const ofPeriod = (tx: Tx, operatorId: number, { from, to }: Period): Fragment => tx`
  b.operator_id = ${operatorId} and b.trading_day between ${from} and ${to}
    and b.starts_at >= (${from}::date - 1)::timestamptz and b.starts_at < (${to}::date + 3)::timestamptz`;

/** Key and name of what a booking is counted under. */
const KEYS: Record<Grouping, (tx: Tx) => { key: Fragment; name: Fragment }> = {
  day: (tx) => ({ key: tx`b.trading_day::text`, name: tx`b.trading_day::text` }),
  venue: (tx) => ({ key: tx`b.venue_id`, name: tx`v.name` }),
  product: (tx) => ({ key: tx`b.product_id`, name: tx`v.name || ': ' || p.name` }),
  partner: (tx) => ({
    key: tx`coalesce(b.partner_id::text, 'house')`,
    name: tx`coalesce(r.name, 'The house')`,
  }),
  origin: (tx) => ({ key: tx`coalesce(b.origin, 'partner')`, name: tx`coalesce(b.origin, 'partner')` }),
};

/**
 * Bookings that had a place, by what they are grouped by, and all of them. The lead is counted in days of the venue's
 * calendar, from the day on which a booking was made.
 */
export async function sumCovers(
  tx: Tx,
  operatorId: number,
  period: Period,
  by: Grouping,
  venueId?: VenueId,
): Promise<FiguresRow[]> {
  const { key, name } = KEYS[by](tx);
  const rows = await tx<FiguresRow[]>`
    with counted as (
      select ${key} as key, ${name} as name, b.status, b.actual_spend_pence,
        b.status in ('confirmed', 'completed', 'no_show') as is_held,
        coalesce(b.actual_guests, b.adults + b.children) as guests,
        greatest(0, b.trading_day - (b.created_at at time zone v.time_zone)::date) as lead
      from booking b join venue v on v.id = b.venue_id join product p on p.id = b.product_id
        left join partner r on r.id = b.partner_id
      where ${ofPeriod(tx, operatorId, period)}
        and ${venueId === undefined ? tx`true` : tx`b.venue_id = ${venueId}`})
    select grouping(key) = 1 as "isTotal", coalesce(key, '') as key, coalesce(name, '') as name,
      count(*) filter (where is_held) as bookings,
      coalesce(sum(guests) filter (where status in ('confirmed', 'completed')), 0)::bigint as covers,
      count(*) filter (where status = 'cancelled') as cancellations,
      count(*) filter (where status = 'no_show') as "noShows",
      coalesce(sum(actual_spend_pence) filter (where is_held), 0)::bigint as "spendPence",
      round(avg(lead) filter (where is_held), 1) as "leadDays"
    from counted group by grouping sets ((key, name), ())
    order by grouping(key), ${by === 'day' ? tx`key` : tx`covers desc, bookings desc, name, key`}`;
  return [...rows];
}

/** A booking as it stands in the file. */
export interface ExportedRow {
  id: string;
  venueId: VenueId;
  venueName: string;
  timeZone: string;
  productId: string;
  productName: string;
  date: string;
  minute: number;
  startsAt: Temporal.Instant;
  durationMinutes: number;
  status: string;
  type: string;
  adults: number;
  children: number;
  partnerName: string | null;
  origin: string | null;
  source: string;
  partnerBookingId: string | null;
  operatorBookingId: string | null;
  areaName: string | null;
  tables: string[];
  visitState: string;
  depositPence: number | null;
  paidPence: number;
  refundedPence: number;
  actualGuests: number | null;
  actualSpendPence: number | null;
  createdAt: Temporal.Instant;
  lastUpdate: Temporal.Instant;
  guest: Buffer | null;
}

export const ROWS_AT_A_TIME = 250;

/** In the order of their starts, so many at a time: the server keeps the rest until it is asked for. */
export function readBookings(
  tx: Tx,
  operatorId: number,
  period: Period,
  { hasGuests }: { hasGuests: boolean },
): AsyncIterable<ExportedRow[]> {
  return tx<ExportedRow[]>`
    select b.id, b.venue_id as "venueId", v.name as "venueName", v.time_zone as "timeZone",
      b.product_id as "productId", p.name as "productName", b.trading_day as date, b.starts_minute as minute,
      b.starts_at as "startsAt", b.duration_minutes as "durationMinutes", b.status, b.type, b.adults, b.children,
      r.name as "partnerName", b.origin, b.source, b.partner_booking_id as "partnerBookingId",
      b.operator_booking_id as "operatorBookingId", b.area_name as "areaName", b.tables, b.visit_state as "visitState",
      b.deposit_pence as "depositPence", paid.pence as "paidPence", paid.refunded as "refundedPence",
      b.actual_guests as "actualGuests", b.actual_spend_pence as "actualSpendPence", b.created_at as "createdAt",
      b.last_update as "lastUpdate", ${hasGuests ? tx`b.guest` : tx`null::bytea`} as guest
    from booking b join venue v on v.id = b.venue_id join product p on p.id = b.product_id
      left join partner r on r.id = b.partner_id
      cross join lateral (
        select coalesce(sum(y.amount_pence), 0)::bigint as pence, coalesce(sum((
          select sum(f.amount_pence) from refund f where f.payment_id = y.id)), 0)::bigint as refunded
        from payment y where b.has_payments and y.booking_id = b.id and y.status = 'succeeded') paid
    where ${ofPeriod(tx, operatorId, period)}
    order by b.starts_at, b.id`.cursor(ROWS_AT_A_TIME) as AsyncIterable<ExportedRow[]>;
}
