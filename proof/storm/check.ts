/**
 * Holds what clients were told against what the database, the log, the receivers and the remote system hold. It knows
 * the interface and the tables, and nothing of the code that it judges.
 */
import { checkBookings } from './check-bookings.ts';
import { checkEvents } from './check-events.ts';
import { checkHistories } from './check-histories.ts';
import { checkMoney } from './check-money.ts';
import { checkOrders } from './check-orders.ts';
import { checkPlaces } from './check-places.ts';
import { checkTrail } from './check-trail.ts';
import type { Evidence } from './evidence.ts';

/** Sentences about everything that does not fit together; none when all is well. */
export function contradictions(evidence: Evidence): string[] {
  return [
    ...evidence.witnessed,
    ...checkAnswers(evidence),
    ...checkBookings(evidence),
    ...checkHistories(evidence),
    ...checkPlaces(evidence),
    ...checkOrders(evidence),
    ...checkMoney(evidence),
    ...checkEvents(evidence),
    ...checkTrail(evidence),
  ];
}

/** Whatever happens around a node, it knows what to say. */
function checkAnswers({ entries }: Evidence): string[] {
  return entries
    .filter(({ status }) => status !== null && status >= 500 && status !== 503)
    .map(
      ({ route, path, status, code, actor }) => `${actor}: ${route} (${path}) was answered ${status} ${code}`,
    );
}
