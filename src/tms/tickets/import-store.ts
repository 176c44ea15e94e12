import { insertAll } from '../../db/bulk-insert.ts';
import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { TicketsDocument } from './document.ts';
import { saveTicketType } from './manage-store.ts';

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
