/** When the feeds of a venue are looked over: after each midnight there, and on one day of the week from scratch. */
import { createHash } from 'node:crypto';
import type { VenueId } from '../../kernel/ids.ts';

/** Venues of one zone are spread over this long, so that they do not all come at once. */
const SPREAD_MINUTES = 120;
const MONDAY = 1;

export interface Due {
  dueAt: Temporal.Instant;
  fullDueAt: Temporal.Instant;
}

export function dueAfter(nowMs: number, venueId: VenueId, timeZone: string): Due {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone).toPlainDate();
  const at = (days: number) =>
    today
      .add({ days })
      .toZonedDateTime(timeZone)
      .add({ minutes: minutesOf(venueId) })
      .toInstant();
  const daysToMonday = (MONDAY - today.dayOfWeek + 7) % 7 || 7;
  return { dueAt: at(1), fullDueAt: at(daysToMonday) };
}

/** The same every day, and for each venue another. */
function minutesOf(venueId: VenueId): number {
  return createHash('sha256').update(venueId).digest().readUInt16BE(0) % SPREAD_MINUTES;
}
