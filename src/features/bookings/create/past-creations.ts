/** Past bookings with the facts of their creation, to backtest rules that are not stored yet. */

import type { Sql } from '../../../db/database.ts';
import type { CreationWindow, PastCreation } from '../../booking-rules/service.ts';
import { factsOfBooking } from '../ruling.ts';
import { type Creation, listCreations } from './past-creations-store.ts';

const BATCH = 500;

/** In batches, the latest first; each is read on demand. */
export async function* pastCreations(
  sql: Sql,
  operatorId: number,
  window: CreationWindow,
): AsyncGenerator<PastCreation[]> {
  let last: Creation | undefined;
  for (;;) {
    const creations = await listCreations(sql, operatorId, window, { last, limit: BATCH });
    if (creations.length > 0) yield creations.map(creationView);
    if (creations.length < BATCH) return;
    last = creations.at(-1);
  }
}

/** As the booking is now, at the moment at which it was made. */
function creationView(creation: Creation): PastCreation {
  const nowMs = creation.createdAt.epochMilliseconds;
  return {
    bookingId: creation.id,
    ruleContext: {
      facts: factsOfBooking(creation, creation.surroundings, nowMs),
      nowMs,
      startsMs: [creation.startsAt.epochMilliseconds],
    },
  };
}
