import { sparseRows } from '../../db/bulk-insert.ts';
import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { TicketsDocument } from './document.ts';

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
