/** What a supplier is told of a booking. */
import type { BookingDetails } from '../contract.ts';
import { activeItems } from './attempts.ts';
import type { Quantities } from './offer.ts';
import type { Booking, ContactBody, UnitItemBody } from './schema.ts';

/** A confirmation has notes of the contact only. Names are missing of a guest who has been forgotten, or walked in. */
export function contactOf(details: BookingDetails): ContactBody {
  const { firstName = null, lastName = null, email = null, phone = null } = details.guest ?? {};
  const notes = notesOf(details);
  const fullName = [firstName, lastName].filter((name) => name !== null).join(' ');
  return {
    ...(fullName !== '' && { fullName }),
    ...(firstName !== null && { firstName }),
    ...(lastName !== null && { lastName }),
    ...(email !== null && { emailAddress: email }),
    ...(phone !== null && { phoneNumber: phone }),
    ...(notes !== null && { notes }),
  };
}

/** OCTO has one text for all that it has no field for. */
export function notesOf({ notes, company, preorders, partner }: BookingDetails): string | null {
  const lines = [
    notes,
    company && `Company: ${company}`,
    preorders.length > 0 &&
      `Ordered ahead: ${preorders.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ')}`,
    partner && `Sold by ${partner.name}${partner.bookingId === null ? '' : ` (${partner.bookingId})`}`,
  ];
  return lines.filter(Boolean).join('\n') || null;
}

export function newItems(quantities: Quantities): UnitItemBody[] {
  return [...quantities].flatMap(([unitId, count]) => Array.from({ length: count }, () => ({ unitId })));
}

/** Items that stay are named by their uuid; what is not named is given back. */
export function itemsAfter(booking: Booking, quantities: Quantities): UnitItemBody[] {
  const active = activeItems(booking);
  return [...quantities].flatMap(([unitId, count]) => {
    const kept = active.filter((item) => item.unitId === unitId).slice(0, count);
    return Array.from({ length: count }, (_, index) => {
      const uuid = kept[index]?.uuid;
      return { ...(uuid !== undefined && { uuid }), unitId };
    });
  });
}
