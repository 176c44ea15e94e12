/**
 * Holds what clients were told against what the database, the log, the receivers and the remote system hold. It knows
 * the interface and the tables, and nothing of the code that it judges.
 */

import type { Evidence } from '../evidence.ts';
import { checkAuditLog } from './audit-log.ts';
import { checkBookings } from './bookings.ts';
import { checkCurated } from './curated.ts';
import { checkDesk } from './desk.ts';
import { checkEvents } from './events.ts';
import { checkHistories } from './histories.ts';
import { checkHolds } from './holds.ts';
import { checkLedger } from './ledger.ts';
import { checkMappings } from './mappings.ts';
import { checkMoney } from './money.ts';
import { checkOrders } from './orders.ts';
import { checkPlaces } from './places.ts';
import { checkScreens } from './screens.ts';
import { checkSystems } from './systems.ts';

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
    ...checkAuditLog(evidence),
    ...checkDesk(evidence),
    ...checkScreens(evidence),
    ...checkHolds(evidence),
    ...checkLedger(evidence),
    ...checkSystems(evidence),
    ...checkMappings(evidence),
    ...checkCurated(evidence),
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
