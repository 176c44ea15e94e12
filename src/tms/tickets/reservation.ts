import type { SystemBooking } from '../contract.ts';
import type { Reservation } from './store.ts';

export const NOT_SEATED = { tables: [], areaId: null, areaName: null };

/** What is locked for a booking, before occurrences are. */
export const bookingName = (bookingId: string) => `booking/${bookingId}`;

type Bought = Pick<
  Reservation,
  'id' | 'reference' | 'startsAt' | 'durationMinutes' | 'quantity' | 'pricePence'
>;

export function asBooking({
  id,
  reference,
  startsAt,
  durationMinutes,
  quantity,
  pricePence,
}: Bought): SystemBooking {
  return {
    bookingId: id,
    reference,
    ...NOT_SEATED,
    startMs: startsAt.epochMilliseconds,
    durationMinutes,
    guests: quantity,
    pricePerGuestPence: pricePence,
  };
}
