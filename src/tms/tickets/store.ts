import type { Fragment, Tx } from '../../db/database.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import type { ProductFacts } from '../contract.ts';
import type { Occurrence, TicketType } from './offer.ts';

export interface Offers {
  type: TicketType;
  policy: string | null;
  cancellationPolicy: string | null;
  /** Over all occurrences of the event, null when it has none. */
  shortestMinutes: number | null;
  longestMinutes: number | null;
  /** Those of the days asked for, in order of their start. */
  occurrences: Occurrence[];
}

interface OfferRow extends TicketType, Omit<Offers, 'type' | 'occurrences'> {
  occurrence: Occurrence | null;
}

export interface OfferQuery {
  productId: ProductId;
  venueId: VenueId;
  nowMs: number;
  /** What is held for this booking is not in its way. */
  bookingId?: string;
}

/** Undefined when the event has no such ticket type. Tickets that are held at that moment count as sold. */
export async function findOffers(
  tx: Tx,
  { productId, venueId, nowMs, bookingId }: OfferQuery,
  dates: readonly string[],
): Promise<Offers | undefined> {
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs);
  const notOwn = bookingId === undefined ? tx`` : tx`and hold.id <> ${bookingId}`;
  const rows = await tx<OfferRow[]>`
    select type.capacity, price_pence as "pricePence", min_per_booking as "minPerBooking", max_per_booking as "maxPerBooking",
      sales_open_days_before as "salesOpenDaysBefore", sales_close_minutes_before as "salesCloseMinutesBefore",
      policy, cancellation_policy as "cancellationPolicy",
      lengths.shortest as "shortestMinutes", lengths.longest as "longestMinutes",
      case when occurrence.id is not null then json_build_object('id', occurrence.id, 'date', occurrence.date,
        'minute', starts_minute, 'durationMinutes', duration_minutes, 'sold', coalesce(sold, 0) + coalesce(held.quantity, 0)) end as occurrence
    from ticket_type as type
    cross join lateral (select min(duration_minutes) as shortest, max(duration_minutes) as longest
      from ticket_occurrence where venue_id = type.venue_id and not is_withdrawn) as lengths
    left join ticket_occurrence as occurrence on occurrence.venue_id = type.venue_id
      and occurrence.date = any(${dates as string[]}::date[]) and not is_withdrawn
    left join ticket_stock as stock on stock.occurrence_id = occurrence.id and stock.product_id = type.product_id
    left join lateral (select sum(hold.quantity) as quantity from ticket_hold as hold
      where hold.occurrence_id = occurrence.id and hold.product_id = type.product_id
        and hold.expires_at > ${now} ${notOwn}) as held on true
    where type.product_id = ${productId} and type.venue_id = ${venueId}
    order by occurrence.date, starts_minute`;
  const [first] = rows;
  if (!first) return undefined;
  const { policy, cancellationPolicy, shortestMinutes, longestMinutes, ...type } = first;
  const occurrences = rows.flatMap(({ occurrence }) => occurrence ?? []);
  return { type, policy, cancellationPolicy, shortestMinutes, longestMinutes, occurrences };
}

/** When the event `v` takes place and is sold, in the words of hours. */
export const occurrencesOf = (tx: Tx): Fragment => tx`
  select date, starts_minute as opens_minute, starts_minute + duration_minutes as closes_minute
  from ticket_occurrence where venue_id = v.id and not is_withdrawn`;

export async function describeTypes(tx: Tx, venueIds: readonly VenueId[]): Promise<ProductFacts[]> {
  const rows = await tx<ProductFacts[]>`
    select product_id as "productId", price_pence as "pricePence", min_per_booking as "minQuantity",
      least(max_per_booking, capacity) as "maxQuantity", least(max_per_booking, capacity) as "maxInstantQuantity"
    from ticket_type where venue_id = any(${venueIds as VenueId[]}::text[])`;
  return [...rows];
}

/** Names sort as the starts do, which is the order in which every transaction locks them. */
export const occurrenceName = ({ venueId, date, minute }: Pick<Reservation, 'venueId' | 'date' | 'minute'>) =>
  `occurrence/${venueId}/${date}/${String(minute).padStart(4, '0')}`;

/**
 * Held until the transaction ends and taken in the order given. Every transaction locks a booking before occurrences
 * and occurrences in the order of their names, so there are no deadlocks.
 */
export async function lock(tx: Tx, names: readonly string[]): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('tickets/' || name, 0))
    from unnest(${names as string[]}::text[]) as name`;
}

/** Takes tickets from the stock if there are enough; false, and nothing taken, if not. */
export async function sell(
  tx: Tx,
  productId: ProductId,
  occurrenceId: number,
  quantity: number,
): Promise<boolean> {
  const rows = await tx`
    insert into ticket_stock as stock (product_id, occurrence_id, capacity, sold)
    select product_id, ${occurrenceId}::integer, capacity, ${quantity}::integer from ticket_type
    where product_id = ${productId} and capacity >= ${quantity}
    on conflict (occurrence_id, product_id) do update
      set sold = stock.sold + excluded.sold, capacity = excluded.capacity
      where stock.sold + excluded.sold <= excluded.capacity
    returning sold`;
  return rows.length > 0;
}

export async function giveBack(
  tx: Tx,
  productId: ProductId,
  occurrenceId: number,
  quantity: number,
): Promise<void> {
  await tx`update ticket_stock set sold = sold - ${quantity}
    where product_id = ${productId} and occurrence_id = ${occurrenceId}`;
}

export interface Reservation {
  id: string;
  reference: string;
  productId: ProductId;
  venueId: VenueId;
  occurrenceId: number;
  date: string;
  minute: number;
  startsAt: Temporal.Instant;
  durationMinutes: number;
  quantity: number;
  pricePence: number;
  /** The price at which the tickets were held; null: they cost what their type does. */
  heldPricePence: number | null;
}

export async function findReservation(tx: Tx, bookingId: string): Promise<Reservation | undefined> {
  const [reservation] = await tx<Reservation[]>`
    select reservation.id, reference, product_id as "productId", occurrence.venue_id as "venueId",
      occurrence_id as "occurrenceId", date, starts_minute as minute, starts_at as "startsAt",
      duration_minutes as "durationMinutes", quantity, coalesce(held_price_pence, price_pence) as "pricePence",
      held_price_pence as "heldPricePence"
    from ticket_reservation as reservation
    join ticket_occurrence as occurrence on occurrence.id = occurrence_id
    join ticket_type as type using (product_id)
    where reservation.id = ${bookingId}`;
  return reservation;
}

export interface Held {
  productId: ProductId;
  occurrenceId: number;
  startMs: number;
  quantity: number;
  heldPricePence?: number | null;
}

/** Inserts the reservation or moves it; the system's number for it stays. What is held for it is not any more. */
export async function saveReservation(tx: Tx, bookingId: string, held: Held): Promise<{ reference: string }> {
  const startsAt = Temporal.Instant.fromEpochMilliseconds(held.startMs);
  const [saved] = await tx<[{ reference: string }]>`
    with freed as (delete from ticket_hold where id = ${bookingId})
    insert into ticket_reservation (id, product_id, occurrence_id, starts_at, quantity, held_price_pence)
    values (${bookingId}, ${held.productId}, ${held.occurrenceId}, ${startsAt}, ${held.quantity},
      ${held.heldPricePence ?? null})
    on conflict (id) do update set product_id = excluded.product_id, occurrence_id = excluded.occurrence_id,
      starts_at = excluded.starts_at, quantity = excluded.quantity, held_price_pence = excluded.held_price_pence
    returning reference`;
  return saved;
}

export async function deleteReservation(tx: Tx, bookingId: string): Promise<void> {
  await tx`delete from ticket_reservation where id = ${bookingId}`;
}
