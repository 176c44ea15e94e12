import { weekdayOf } from '../../kernel/zone-time.ts';
import type { PaymentRule } from './transfer/document.ts';

export interface Deposit {
  amount: number;
  currency: string;
  per: PaymentRule['per'];
  /** What the whole party pays. */
  total: number;
}

/** The deposit that the product itself demands of a party on a trading day; null: none. */
export function depositFor(
  { paymentRules }: { paymentRules: readonly PaymentRule[] },
  { adults, children }: { adults: number; children: number },
  date: string,
): Deposit | null {
  const guests = adults + children;
  const weekday = weekdayOf(date);
  const rule = paymentRules.find(
    ({ minPartySize, maxPartySize, weekdays }) =>
      (minPartySize === null || guests >= minPartySize) &&
      (maxPartySize === null || guests <= maxPartySize) &&
      (weekdays === null || (weekdays as number[]).includes(weekday)),
  );
  if (!rule) return null;
  const units = { booking: 1, guest: guests, adult: adults, child: children }[rule.per];
  return { amount: rule.amount, currency: rule.currency, per: rule.per, total: rule.amount * units };
}
