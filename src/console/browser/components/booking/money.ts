import { html } from 'htm/preact';
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { momentOf, money } from '../../app/format.ts';
import { t } from '../../app/language.ts';

export interface MoneyProps {
  booking: ManagedBooking;
  currency: string;
  timeZone: string | undefined;
}

export const hasMoney = ({ payments, depositAmount, preorders }: ManagedBooking) =>
  payments.length > 0 ||
  (depositAmount ?? 0) > 0 ||
  preorders.packages.length > 0 ||
  preorders.menus.length > 0;

/** What was ordered ahead, what was paid, and what went back. */
export const Money = ({ booking, currency, timeZone }: MoneyProps) => {
  const { packages, menus } = booking.preorders;
  const items = [...packages, ...menus.flatMap((menu) => menu.items)];
  return html`
    <ul class="money">
      ${items.map(
        (item) => html`
          <li key=${`${item.id} ${item.name}`}>
            <span>${item.quantity} × ${item.name}</span><span>${money(item.total, currency)}</span>
          </li>
        `,
      )}
      ${
        (booking.depositAmount ?? 0) > 0 &&
        html`<li><span>${t.booking.depositTaken(booking.partner?.name ?? '')}</span><span>${money(booking.depositAmount ?? 0, currency)}</span></li>`
      }
      ${booking.payments.map(
        ({ id, status, amount, refunded, currency: paidIn, createdAt }) => html`
          <li key=${id}>
            <span>
              ${(t.booking.paid as Record<string, string>)[status] ?? status}
              <span class="small quiet"> ${momentOf(createdAt, timeZone)}</span>
              ${refunded > 0 && html`<span class="small quiet"> · ${t.booking.refunded(money(refunded, paidIn))}</span>`}
            </span>
            <span>${money(amount, paidIn)}</span>
          </li>
        `,
      )}
    </ul>
  `;
};
