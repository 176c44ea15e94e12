import { t } from '../../app/language.ts';
import { type Names, namesOf } from './booking-facts.ts';

/** What a party is called: its guest, or how it came. */
export function guestName(booking: Names & { origin?: string | null }): string {
  return namesOf(booking) ?? (booking.origin === 'walk_in' ? t.booking.origins.walk_in : t.common.noName);
}

/** `4 people`, and the children among them. */
export const partyText = ({ partySize, children }: { partySize: number; children: number }) =>
  children === 0 ? t.common.people(partySize) : t.booking.party(partySize, children);

/** The partner, or the way by which it reached the house. */
export function cameFrom({
  partner,
  origin,
}: {
  partner: { name: string } | null;
  origin: keyof typeof t.booking.origins | null;
}): string {
  return partner?.name ?? t.booking.origins[origin ?? 'other'];
}
