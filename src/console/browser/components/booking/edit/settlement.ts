import { html } from 'htm/preact';
import type { ChangedBooking } from '../../../../../features/bookings/operator/desk-schema.ts';
import { money, shortDate } from '../../../app/format.ts';
import { t } from '../../../app/language.ts';
import { Icon } from '../../icon.ts';
import { endOf } from '../booking-facts.ts';
import { partyText } from '../names.ts';
import { toldText } from '../told.ts';

/** What a change would make of the booking: place, money, and who is told. */
export function Settlement({ result, currency }: { result: ChangedBooking; currency: string }) {
  const { change, tmsTables = [] } = result;
  const tables = tmsTables.length > 0 ? t.booking.atTable(tmsTables.join(' + '), result.area?.name) : '';
  const stay = `${shortDate(result.date)}, ${result.time}–${endOf(result.time, result.duration)}, ${partyText(result)}`;
  const amount = (pence: number) => money(pence, currency);
  return html`
    <div class="notice good" role="status">
      <${Icon} name="check" />
      <div>
        <p>${[stay, tables].filter(Boolean).join(', ')}</p>
        ${
          (change.balanceBeforePence > 0 || change.balancePence > 0) &&
          html`<p class="small">${t.booking.costs(amount(change.balanceBeforePence), amount(change.balancePence))}</p>`
        }
        ${change.refundPence > 0 && html`<p class="small"><strong>${t.booking.refunds(amount(change.refundPence))}</strong></p>`}
        ${change.duePence > 0 && html`<p class="small">${t.booking.stillDue(amount(change.duePence))}</p>`}
        <p class="small">${toldText(result)}</p>
      </div>
    </div>
  `;
}
