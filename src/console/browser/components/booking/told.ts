/** Whom a change is told, in a sentence: confirmations and forms say it before it is done. */
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { money } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { heldPence } from './booking-facts.ts';

export function toldText({ partner, email }: ManagedBooking): string {
  if (partner) return t.booking.tellsPartner(partner.name);
  return email ? t.booking.mailsGuest(email) : t.booking.noAddress;
}

/** What goes back when the venue cancels or rejects. */
export function refundText(booking: ManagedBooking, currency: string): string {
  const held = heldPence(booking);
  const deposit = booking.depositAmount ?? 0;
  return [
    held > 0 ? t.booking.refunds(money(held, currency)) : t.booking.refundsNothing,
    deposit > 0 && booking.partner
      ? t.booking.partnerRefunds(booking.partner.name, money(deposit, currency))
      : '',
  ]
    .filter(Boolean)
    .join(' ');
}
