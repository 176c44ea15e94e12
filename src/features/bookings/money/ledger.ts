/** What a booking costs and what has been paid of it, in pence. */

import { priceOf } from '../preorder.ts';
import { type BookingRecord, guestsOf, isOpenPayment, type PaymentRecord } from '../record.ts';

type Priced = Pick<BookingRecord, 'preorders' | 'pricePerGuestPence' | 'adults' | 'children'>;

/** What was ordered. */
export function orderedOf(booking: Priced): number {
  return priceOf(booking.preorders) + (booking.pricePerGuestPence ?? 0) * guestsOf(booking);
}

/** The same, unless the operator's rules set another balance. */
export function balanceOf(booking: Priced & Pick<BookingRecord, 'ruledBalancePence'>): number {
  return booking.ruledBalancePence ?? orderedOf(booking);
}

/** What we have taken and not given back. */
export function takenOf(payments: readonly PaymentRecord[]): number {
  return payments
    .filter(({ status }) => status === 'succeeded')
    .reduce((sum, { amountPence, refundedPence }) => sum + amountPence - refundedPence, 0);
}

/** What we have taken and what the partner says it has. */
export function paidOf({ payments, depositPence }: Pick<BookingRecord, 'payments' | 'depositPence'>): number {
  return takenOf(payments) + Math.round(depositPence ?? 0);
}

/** The same with open payments, which are not demanded a second time. */
export function promisedOf(booking: Pick<BookingRecord, 'payments' | 'depositPence'>): number {
  const open = booking.payments.filter(isOpenPayment);
  return open.reduce((sum, { amountPence }) => sum + amountPence, paidOf(booking));
}
