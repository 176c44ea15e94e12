import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { OccurrenceDocument, TicketsDocument, TicketTypeDocument } from './document.ts';

/**
 * Makes the event what the document says; its products must exist. Nobody loses a ticket: an occurrence that
 * the document no longer has is removed if it sold none, and otherwise only taken off sale.
 */
export async function importTickets(tx: Tx, venueId: VenueId, document: TicketsDocument): Promise<void> {
  await saveOccurrences(tx, venueId, document.occurrences);
  await saveTypes(tx, venueId, document.ticketTypes);
}

async function saveOccurrences(
  tx: Tx,
  venueId: VenueId,
  occurrences: readonly OccurrenceDocument[],
): Promise<void> {
  await tx`update ticket_occurrence set is_withdrawn = true where venue_id = ${venueId}`;
  const rows = occurrences.map(({ date, startsMinute, durationMinutes }) => ({
    venue_id: venueId,
    date,
    starts_minute: startsMinute,
    duration_minutes: durationMinutes,
  }));
  if (rows.length > 0) {
    await tx`insert into ticket_occurrence ${tx(rows)}
      on conflict (venue_id, date, starts_minute)
      do update set duration_minutes = excluded.duration_minutes, is_withdrawn = false`;
  }
  await tx`delete from ticket_occurrence as occurrence
    where venue_id = ${venueId} and is_withdrawn
      and not exists (select from ticket_reservation where occurrence_id = occurrence.id)`;
}

async function saveTypes(tx: Tx, venueId: VenueId, types: readonly TicketTypeDocument[]): Promise<void> {
  const rows = types.map((type) => ({
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
  }));
  await tx`delete from ticket_type
    where venue_id = ${venueId} and product_id <> all(${rows.map((row) => row.product_id)})`;
  for (const row of rows) {
    await tx`insert into ticket_type ${tx(row)} on conflict (product_id) do update set ${tx(row)}`;
  }
}
