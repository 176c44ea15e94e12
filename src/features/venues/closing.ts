/** Venues that close for good, and those that open again after all. */
import { inTransaction, type Sql } from '../../db/database.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { Events } from '../events/service.ts';
import { listDistributors, markClosed, markOpen } from './closing-store.ts';

export interface ClosingDeps {
  sql: Sql;
  clock: Clock;
  events: Pick<Events, 'append'>;
}

/** Tells every partner that distributes it. Closing what is closed does nothing. */
export function closeVenue({ sql, clock, events }: ClosingDeps, id: VenueId): Promise<void> {
  return inTransaction(sql, async (tx) => {
    const occurredAt = nowOf(clock);
    if (!(await markClosed(tx, id, occurredAt))) return;
    const content = { venues: [{ compositeId: id, active: false }] };
    const partnerIds = await listDistributors(tx, id);
    await Promise.all(
      partnerIds.map((partnerId) =>
        events.append(tx, { type: 'venue.updated', partnerId, venueId: id, occurredAt, content }),
      ),
    );
  });
}

/** Nobody is told: there is no event for it. */
export function reopenVenue({ sql }: ClosingDeps, id: VenueId): Promise<void> {
  return inTransaction(sql, (tx) => markOpen(tx, id));
}
