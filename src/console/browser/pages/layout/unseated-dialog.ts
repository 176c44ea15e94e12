import { html } from 'htm/preact';
import type { LayoutPreview } from '../../../../features/layout/schema.ts';
import { path } from '../../app/api.ts';
import { shortDate } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { Dialog } from '../../components/dialog.ts';
import { Icon } from '../../components/icon.ts';

export interface UnseatedDialogProps {
  venueId: string;
  preview: LayoutPreview;
  isSending: boolean;
  onSave: () => void;
  onClose: () => void;
}

/** What the dry run has found: why it is refused, or which bookings are to be moved by hand. */
export function UnseatedDialog({ venueId, preview, isSending, onSave, onClose }: UnseatedDialogProps) {
  const { refusal, bookings, bookingCount } = preview;
  const hasRemovals = preview.changes.some(({ part, action }) => part === 'table' && action === 'remove');
  return html`
    <${Dialog} kind="wide" title=${refusal ? t.layout.cannotSave : t.layout.unseatedTitle(bookingCount)} onClose=${onClose}>
      ${
        refusal &&
        html`<div class="notice refused" role="alert">
          <${Icon} name="warning" />
          <div>
            <p>${refusal.detail}</p>
            ${hasRemovals && html`<p class="small">${t.layout.inactiveInstead}</p>`}
            <a class="code" href=${`/problems/${refusal.code}`} target="_blank">${refusal.code}</a>
          </div>
        </div>`
      }
      ${bookingCount > 0 && html`<p>${refusal ? t.layout.unseatedTitle(bookingCount) : t.layout.unseatedText}</p>`}
      ${
        bookings.length > 0 &&
        html`<div class="table-wrap">
          <table>
            <thead>
              <tr><th>${t.layout.when}</th><th>${t.layout.guest}</th><th>${t.layout.tables}</th><th>${t.layout.why}</th></tr>
            </thead>
            <tbody>
              ${bookings.map(
                (booking) => html`
                  <tr key=${booking.id}>
                    <td>
                      <a href=${`${path`/console/venues/${venueId}/tonight`}?date=${booking.date}&booking=${booking.id}`} target="_blank">
                        ${shortDate(booking.date)}, ${booking.time}
                      </a>
                    </td>
                    <td>${booking.guestName ?? t.common.noName} (${booking.guests})</td>
                    <td>${booking.tables.join(' + ')}</td>
                    <td>${booking.loses.map(({ name, reason }) => t.layout.losses[reason](name)).join('; ')}</td>
                  </tr>
                `,
              )}
            </tbody>
          </table>
        </div>`
      }
      <footer class="dialog-foot">
        <button type="button" class="button" onClick=${onClose}>${t.common.keep}</button>
        ${
          !refusal &&
          html`<button type="button" class="button primary" disabled=${isSending} onClick=${onSave}>${t.layout.saveAnyway}</button>`
        }
      </footer>
    <//>
  `;
}
