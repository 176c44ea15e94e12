/** Venues that close for good, and those that open again after all. */
import type { Tx } from '../../db/database.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { Events } from '../events/service.ts';
import { listDistributors, markClosed, markOpen } from './closing-store.ts';

export interface ClosingDeps {
  clock: Clock;
  events: Pick<Events, 'append'>;
}

/** Tells every partner that distributes it. Closing what is closed does nothing. */
export async function closeVenue(tx: Tx, { clock, events }: ClosingDeps, id: VenueId): Promise<void> {
  const occurredAt = nowOf(clock);
  if (!(await markClosed(tx, id, occurredAt))) return;
  const content = { venues: [{ compositeId: id, active: false }] };
  const partnerIds = await listDistributors(tx, id);
  await Promise.all(
    partnerIds.map((partnerId) =>
      events.append(tx, { type: 'venue.updated', partnerId, venueId: id, occurredAt, content }),
    ),
  );
}

/** Nobody is told: there is no event for it. */
export async function reopenVenue(tx: Tx, id: VenueId): Promise<void> {
  await markOpen(tx, id);
}
