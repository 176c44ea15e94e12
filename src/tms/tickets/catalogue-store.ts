import { insertAll, sparseRows } from '../../db/bulk-insert.ts';
import type { Tx } from '../../db/database.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import type { TicketsDocument, TicketTypeDocument } from './document.ts';

/** These events, as `importTickets` reads them: without occurrences that are kept only because of sold tickets. */
export async function exportEvents(
  tx: Tx,
  venueIds: readonly VenueId[],
): Promise<Map<VenueId, TicketsDocument>> {
  const found = await tx<{ venueId: VenueId; tickets: TicketsDocument }[]>`
    select v.id as "venueId", json_build_object(
      'occurrences', ${sparseRows(
        tx,
        tx`select date, starts_minute as "startsMinute", duration_minutes as "durationMinutes"
           from ticket_occurrence o where o.venue_id = v.id and not is_withdrawn order by date, starts_minute`,
      )},
      'ticketTypes', ${sparseRows(
        tx,
        tx`select split_part(t.product_id, '|', 4) as key, price_pence as "pricePence", capacity,
             min_per_booking as "minPerBooking", max_per_booking as "maxPerBooking",
             sales_open_days_before as "salesOpenDaysBefore",
             sales_close_minutes_before as "salesCloseMinutesBefore", policy,
             cancellation_policy as "cancellationPolicy"
           from ticket_type t join product p on p.id = t.product_id
           where t.venue_id = v.id order by p.position, p.id`,
      )}) as tickets
    from unnest(${[...venueIds] as string[]}::text[]) as v (id)`;
  return new Map(found.map(({ venueId, tickets }) => [venueId, tickets]));
}

/** Writes the occurrences and ticket types of an event whose products are already there. */
export async function importTickets(tx: Tx, venueId: VenueId, document: TicketsDocument): Promise<void> {
  await insertAll(
    tx,
    'ticket_occurrence',
    document.occurrences.map(({ date, startsMinute, durationMinutes }) => ({
      venue_id: venueId,
      date,
      starts_minute: startsMinute,
      duration_minutes: durationMinutes,
    })),
  );
  for (const type of document.ticketTypes) await saveTicketType(tx, venueId, type);
}

/** A ticket type with nothing left to a default. */
export interface SoldTicketType {
  pricePence: number;
  capacity: number;
  minPerBooking: number;
  maxPerBooking: number;
  salesOpenDaysBefore: number | null;
  salesCloseMinutesBefore: number;
  policy: string | null;
  cancellationPolicy: string | null;
}

/** Makes the ticket type what the document says; its product must exist. */
export async function saveTicketType(tx: Tx, venueId: VenueId, type: TicketTypeDocument): Promise<void> {
  const row = {
    product_id: `${venueId}|${type.key}`,
    venue_id: venueId,
    price_pence: type.pricePence,
    capacity: type.capacity,
    min_per_booking: type.minPerBooking ?? 1,
    max_per_booking: type.maxPerBooking,
    sales_open_days_before: type.salesOpenDaysBefore ?? null,
    sales_close_minutes_before: type.salesCloseMinutesBefore ?? 0,
    policy: type.policy ?? null,
    cancellation_policy: type.cancellationPolicy ?? null,
  };
  await tx`insert into ticket_type ${tx(row)} on conflict (product_id) do update set ${tx(row)}`;
}

/** All of the event's, or one of them. */
export async function listTicketTypes(
  tx: Tx,
  venueId: VenueId,
  productId?: ProductId,
): Promise<Map<ProductId, SoldTicketType>> {
  const rows = await tx<(SoldTicketType & { productId: ProductId })[]>`
    select product_id as "productId", price_pence as "pricePence", capacity, min_per_booking as "minPerBooking",
      max_per_booking as "maxPerBooking", sales_open_days_before as "salesOpenDaysBefore",
      sales_close_minutes_before as "salesCloseMinutesBefore", policy, cancellation_policy as "cancellationPolicy"
    from ticket_type
    where venue_id = ${venueId} and ${productId ? tx`product_id = ${productId}` : tx`true`}`;
  return new Map(rows.map(({ productId: id, ...type }) => [id, type]));
}
