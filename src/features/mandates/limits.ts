/** What a mandate says to one booking, before anything is counted. */
import type { VenueId } from '../../kernel/ids.ts';
import { CURRENCY } from '../../kernel/money.ts';
import { type Problem, problem } from '../../kernel/problem.ts';
import { clockTime, daysBetween, localOf } from '../../kernel/zone-time.ts';
import type { Mandate } from './schema.ts';

export type Limit = Exclude<keyof Mandate, 'confirmAbove'>;

/** What is known of a booking before its price is. */
export interface MandatedStay {
  venue: { id: VenueId; name: string; city: string; timeZone: string };
  /** Trading day. */
  date: string;
  guests: number;
}

/** The limit that the stay is beyond, if there is one, with a sentence about it. */
export function limitOfStay(mandate: Mandate, stay: MandatedStay, nowMs: number): Problem | undefined {
  const { venue, date, guests } = stay;
  const { maxPartySize, maxDaysAhead, venueIds, cities } = mandate;
  if (venueIds && !venueIds.includes(venue.id))
    return beyond('venueIds', venueIds, `Your mandate does not cover ${venue.name}.`);
  if (cities && !cities.some((city) => isSameCity(city, venue.city)))
    return beyond('cities', cities, `Your mandate covers ${cities.join(', ')}, and not ${venue.city}.`);
  if (maxPartySize != null && guests > maxPartySize)
    return beyond(
      'maxPartySize',
      maxPartySize,
      `Your mandate allows at most ${maxPartySize} guests in a booking, and these are ${guests}.`,
    );
  if (maxDaysAhead == null) return undefined;
  const ahead = daysBetween(localOf(venue.timeZone, nowMs).date, date);
  if (ahead <= maxDaysAhead) return undefined;
  return beyond(
    'maxDaysAhead',
    maxDaysAhead,
    `Your mandate allows bookings at most ${maxDaysAhead} days ahead, and ${date} is ${ahead} days from today.`,
  );
}

const isSameCity = (one: string, other: string) =>
  one.trim().toLocaleLowerCase('en') === other.trim().toLocaleLowerCase('en');

export function limitOfMoney({ maxDepositPence }: Mandate, amountPence: number): Problem | undefined {
  if (maxDepositPence == null || amountPence <= maxDepositPence) return undefined;
  return beyond(
    'maxDepositPence',
    maxDepositPence,
    `Your mandate allows at most ${moneyText(maxDepositPence)} to be paid ahead for a booking, and this makes ${moneyText(amountPence)}.`,
  );
}

export function limitOfOpen(allowed: number): Problem {
  return beyond(
    'maxOpenBookings',
    allowed,
    `Your mandate allows at most ${allowed} open bookings at a time, held places included.`,
  );
}

export function limitOfDay(allowed: number): Problem {
  return beyond(
    'maxBookingsPerDay',
    allowed,
    `Your mandate allows at most ${allowed} bookings within 24 hours.`,
  );
}

const beyond = (limit: Limit, allowed: number | readonly string[], detail: string) =>
  problem('MANDT-N-001', { detail, extensions: { limit, allowed } });

const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: CURRENCY });
const moneyText = (amountPence: number) => pounds.format(amountPence / 100);

/** What is to be confirmed by a person. */
export interface Confirmable extends MandatedStay {
  /** With its article: a booking, an enquiry. */
  what: string;
  minute: number;
  depositPence: number;
}

export function isAboveConfirmation(
  { confirmAbove }: Mandate,
  { guests, depositPence }: Confirmable,
): boolean {
  if (!confirmAbove) return false;
  const { partySize, depositPence: most } = confirmAbove;
  return (partySize != null && guests > partySize) || (most != null && depositPence > most);
}

/** For a person, who reads nothing else. */
export function summaryOf({ what, venue, date, minute, guests, depositPence }: Confirmable): string {
  const party = guests === 1 ? '1 guest' : `${guests} guests`;
  const money = depositPence > 0 ? `a deposit of ${moneyText(depositPence)}` : 'no deposit';
  return `${what} at ${venue.name}, ${venue.city}, on ${date} at ${clockTime(minute)} for ${party}, with ${money}`;
}
