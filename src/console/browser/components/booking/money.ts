import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { momentOf, money } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { may } from '../../app/session.ts';
import { heldPence } from './booking-facts.ts';
import { RefundDialog } from './refund-dialog.ts';
import type { BookingHandle } from './use-booking.ts';

export interface MoneyProps {
  handle: BookingHandle;
  booking: ManagedBooking;
  currency: string;
  timeZone: string | undefined;
  onChanged?: (() => void) | undefined;
}

export const hasMoney = ({ payments, depositAmount, preorders }: ManagedBooking) =>
  payments.length > 0 ||
  (depositAmount ?? 0) > 0 ||
  preorders.packages.length > 0 ||
  preorders.menus.length > 0;

/** What was ordered ahead, what was paid, and what went back. */
export function Money({ handle, booking, currency, timeZone, onChanged }: MoneyProps) {
  const [isRefunding, setRefunding] = useState(false);
  const { packages, menus } = booking.preorders;
  const items = [...packages, ...menus.flatMap((menu) => menu.items)];
  const held = heldPence(booking);
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
      ${booking.payments.map((payment) => html`<${Payment} key=${payment.id} payment=${payment} timeZone=${timeZone} />`)}
    </ul>
    ${
      held > 0 &&
      may(handle.operatorId, 'manager') &&
      html`<p><button type="button" class="button small" onClick=${() => setRefunding(true)}>${t.booking.refund}</button></p>`
    }
    ${
      isRefunding &&
      html`<${RefundDialog}
        address=${handle.address}
        heldPence=${held}
        currency=${currency}
        onRefunded=${() => {
          handle.reload();
          onChanged?.();
        }}
        onClose=${() => setRefunding(false)}
      />`
    }
  `;
}

interface PaymentProps {
  payment: ManagedBooking['payments'][number];
  timeZone: string | undefined;
}

const Payment = ({ payment, timeZone }: PaymentProps) => {
  const { status, amount, refunded, currency, createdAt, failureReason } = payment;
  return html`
    <li>
      <span>
        ${(t.booking.paid as Record<string, string>)[status] ?? status}
        <span class="small quiet"> ${momentOf(createdAt, timeZone)}</span>
        ${failureReason && html`<span class="small quiet"> · ${failureReason}</span>`}
        ${refunded > 0 && html`<span class="small quiet"> · ${t.booking.refunded(money(refunded, currency))}</span>`}
      </span>
      <span class=${status === 'failed' ? 'quiet' : ''}>${money(amount, currency)}</span>
    </li>
  `;
};
