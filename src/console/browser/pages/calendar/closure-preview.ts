import { html } from 'htm/preact';
import type { ClosurePreview } from '../../../../features/closures/schema.ts';
import type { ApiProblem } from '../../app/api.ts';
import { clockOf, money, shortDate } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { venue } from '../../app/places.ts';
import { Dialog } from '../../components/dialog.ts';
import { Problem } from '../../components/notice.ts';

export interface ClosurePreviewProps {
  preview: ClosurePreview;
  cancels: boolean;
  problem: ApiProblem | undefined;
  isSending: boolean;
  onConfirm: () => void;
  onBack: () => void;
  onClose: () => void;
}

const ENQUIRIES = ['pending', 'in_progress'];

/** Exactly what a closure would do: how many bookings, what is refunded, who is told. */
export function ClosurePreviewView({
  preview,
  cancels,
  problem,
  isSending,
  onConfirm,
  onBack,
  onClose,
}: ClosurePreviewProps) {
  const { bookings, totals } = preview;
  const amount = (pence: number) => money(pence, venue.value?.currency);
  const partners = [...new Set(bookings.flatMap(({ partner }) => partner ?? []))];
  const own = bookings.filter(({ partner }) => partner === null).length;
  const sentence =
    totals.bookings === 0
      ? t.calendar.nothingInside
      : cancels
        ? t.calendar.willCancel(totals.bookings, totals.guests, amount(totals.refundPence))
        : t.calendar.willKeep(totals.bookings, totals.guests);
  return html`
    <${Dialog} kind="wide" title=${t.calendar.confirmTitle} onClose=${onClose}>
      <p><strong>${sentence}</strong></p>
      ${cancels && partners.length > 0 && html`<p>${t.calendar.partnersTold(partners.join(', '))}</p>`}
      ${cancels && own > 0 && html`<p>${t.calendar.guestsTold(own)}</p>`}
      ${
        bookings.length > 0 &&
        html`<div class="table-wrap short">
          <table>
            <thead>
              <tr>
                <th>${t.calendar.when}</th><th class="number">${t.calendar.guests}</th><th>${t.calendar.bookedBy}</th>
                <th class="number">${t.calendar.paid}</th>${cancels && html`<th class="number">${t.calendar.refund}</th>`}
              </tr>
            </thead>
            <tbody>
              ${bookings.map(
                (booking) => html`
                  <tr key=${booking.id}>
                    <td>${shortDate(booking.start.slice(0, 10))}, ${clockOf(booking.start)}</td>
                    <td class="number">${booking.guests}</td>
                    <td>${booking.partner ?? t.calendar.house} ${ENQUIRIES.includes(booking.status) ? html`<span class="tag enquiry">${t.calendar.enquiry}</span>` : ''}</td>
                    <td class="number">${amount(booking.paidPence)}</td>
                    ${cancels && html`<td class="number">${amount(booking.refundPence)}</td>`}
                  </tr>
                `,
              )}
            </tbody>
          </table>
        </div>`
      }
      <${Problem} problem=${problem} />
      <footer class="dialog-foot">
        <button type="button" class="button" onClick=${onBack}>${t.common.keep}</button>
        <button type="button" class="button danger" disabled=${isSending} onClick=${onConfirm}>
          ${cancels && totals.bookings > 0 ? t.calendar.closeAndCancel(totals.bookings) : t.calendar.closeNow}
        </button>
      </footer>
    <//>
  `;
}
