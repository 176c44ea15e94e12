import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { OccurrenceDocument, TicketsDocument, TicketTypeDocument } from './document.ts';
import { saveTicketType } from './manage-store.ts';

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
  await tx`delete from ticket_type
    where venue_id = ${venueId} and product_id <> all(${types.map(({ key }) => `${venueId}|${key}`)})`;
  for (const type of types) await saveTicketType(tx, venueId, type);
}
