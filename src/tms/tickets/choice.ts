import { type Outcome, ok, type PlaceRequest, refused } from '../contract.ts';
import { type Occurrence, obstaclesTo, startOf, type TicketType } from './offer.ts';
import type { Offers } from './store.ts';

/** What will be bought, and of which type. */
export interface Choice {
  occurrence: Occurrence;
  type: TicketType;
}

export const guestsOf = ({ adults, children }: { adults: number; children: number }) => adults + children;

/** The occurrence that the request names, if it may have its tickets as things stand. Booking and holding decide here. */
export function choose(request: PlaceRequest, offers: Offers): Outcome<Choice> {
  if (request.spaceId !== null) return refused('rejected', 'Tickets are not for a space.');
  if (offers.occurrences.length === 0) return refused('closed');
  const occurrence = offers.occurrences.find(({ minute }) => minute === request.minute);
  // Of a time that the clocks show twice only one is the start.
  if (!occurrence || startOf(request.zone, occurrence) !== request.startMs) return refused('not-a-start');
  if (request.durationMinutes !== null && request.durationMinutes !== occurrence.durationMinutes)
    return refused('duration');
  const { zone, nowMs, isConfirmedByOperator = false, overrides = [] } = request;
  const waivesNotice = overrides.includes('notice');
  const asked = { zone, guests: guestsOf(request), nowMs, isConfirmedByOperator, waivesNotice };
  const { obstacle, untimely = obstacle } = obstaclesTo(offers.type, occurrence, request.startMs, asked);
  return untimely ? refused(untimely) : ok({ occurrence, type: offers.type });
}
