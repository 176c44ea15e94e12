/** What can be paid for a booking at this moment. */

import { CURRENCY } from '../../../kernel/money.ts';
import { depositFor } from '../../venues/service.ts';
import {
  awaitsPayment,
  type BookedVenue,
  type BookingRecord,
  PAYMENT_OPTIONS,
  type PaymentOption,
} from '../record.ts';
import type { PaymentOptions } from '../schema.ts';
import { balanceOf, promisedOf } from './ledger.ts';

type Priced =
  | 'preorders'
  | 'pricePerGuestPence'
  | 'ruledBalancePence'
  | 'adults'
  | 'children'
  | 'depositPence'
  | 'depositDuePence'
  | 'paymentUntil';
export interface Payable extends Pick<BookingRecord, Priced | 'date' | 'payments' | 'status'> {
  venue: Pick<BookedVenue, 'paymentRules' | 'isClosed'>;
}

/** Whether the booking ended before the visit, so that nothing more is due. */
export const isCalledOff = <Any extends Pick<BookingRecord, 'status'>>(
  booking: Any,
): booking is Any & { status: 'cancelled' | 'rejected' } =>
  booking.status === 'cancelled' || booking.status === 'rejected';

export function optionsOf(booking: Payable): PaymentOptions {
  const finalBalance = balanceOf(booking);
  const paid = promisedOf(booking);
  const due = isCalledOff(booking) ? 0 : Math.max(0, finalBalance - paid);
  const isPayable = !isCalledOff(booking) && !booking.venue.isClosed;
  const amounts: Record<PaymentOption, number> = {
    full: due,
    deposit_25: quarterOf(finalBalance) - paid,
    deposit: depositOf(booking) - paid,
  };
  // What confirms a booking is its deposit; the rest can be paid once it is confirmed.
  const ways = awaitsPayment(booking) ? (['deposit'] as const) : PAYMENT_OPTIONS;
  const offered = ways.filter((id) => isPayable && amounts[id] > 0);
  return {
    finalBalance,
    currency: CURRENCY,
    paid,
    due,
    options: offered.map((id) => ({ id, amount: amounts[id], label: labelOf(id, amounts[id], paid) })),
  };
}

/** Rounded half up to a penny. */
const quarterOf = (balancePence: number) => Math.floor((balancePence + 2) / 4);

/**
 * What was agreed, or what the product demands of this party in advance: a part of the balance, where there is one. Of
 * what was agreed for tickets no more stays than the tickets that are left cost.
 */
function depositOf(booking: Payable): number {
  const { depositDuePence: agreed, pricePerGuestPence } = booking;
  if (agreed !== null) return pricePerGuestPence === null ? agreed : Math.min(agreed, balanceOf(booking));
  const asked = depositFor(booking.venue, booking, booking.date);
  if (asked?.currency !== CURRENCY) return 0;
  const balance = balanceOf(booking);
  return balance > 0 ? Math.min(asked.total, balance) : asked.total;
}

/** The most that can be due. */
export const mostOf = (booking: Payable) => Math.max(balanceOf(booking), depositOf(booking));

const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: CURRENCY });

function labelOf(option: PaymentOption, amountPence: number, paid: number): string {
  const words = {
    full: paid > 0 ? 'Pay the rest' : 'Pay in full',
    deposit_25: paid > 0 ? 'Pay the rest of a 25% deposit' : 'Pay a 25% deposit',
    deposit: paid > 0 ? 'Pay the rest of the deposit' : 'Pay the deposit',
  };
  return `${words[option]}: ${pounds.format(amountPence / 100)}`;
}
