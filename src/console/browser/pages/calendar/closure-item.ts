import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Closure } from '../../../../features/closures/schema.ts';
import { api, path } from '../../app/api.ts';
import { longDate, shortDate } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { operatorOf } from '../../app/session.ts';
import { say, sayProblem } from '../../app/toasts.ts';
import { Confirm } from '../../components/dialog.ts';

export interface ClosureItemProps {
  venueId: string;
  closure: Closure;
  isManager: boolean;
  onChanged: () => Promise<void>;
}

/** A day, or a day with its time. */
const momentText = (moment: string) =>
  moment.includes('T') ? `${shortDate(moment.slice(0, 10))}, ${moment.slice(11)}` : longDate(moment);

export function ClosureItem({ venueId, closure, isManager, onChanged }: ClosureItemProps) {
  const [isAsking, setAsking] = useState(false);
  const { id, from, to, productKeys, reason, bookings, state, affected, cancelled, failed } = closure;
  const isOneDay = from === to;
  const reopen = async () => {
    setAsking(false);
    try {
      await api.remove(path`/manage/venues/${venueId}/closures/${id}`);
      await onChanged();
      say(t.calendar.reopened);
    } catch (error) {
      sayProblem(error);
    }
  };
  return html`
    <article class="closure-item">
      <p><strong>${isOneDay ? longDate(from) : t.calendar.range(momentText(from), momentText(to))}</strong></p>
      ${productKeys && html`<p class="small">${t.calendar.onlyProducts(productKeys.join(', '))}</p>`}
      ${reason && html`<p class="small">${reason}</p>`}
      ${
        bookings === 'cancel' &&
        (affected > 0 || state === 'running') &&
        html`
          <p class="small">
            ${state === 'running' ? html`<span class="tag warn">${t.calendar.running}</span> ` : ''}${t.calendar.progress(cancelled, affected)}
          </p>
          <progress max=${Math.max(1, affected)} value=${affected === 0 ? 1 : cancelled + failed.length} aria-label=${t.calendar.progress(cancelled, affected)}></progress>
        `
      }
      ${
        failed.length > 0 &&
        html`<div class="notice warn">
          <div>
            <p>${t.calendar.failed(failed.length)}</p>
            ${failed.map(
              ({ bookingId, detail }) => html`<p key=${bookingId} class="small">
                <a href=${`/console/operators/${operatorOf(venueId)}/bookings?booking=${bookingId}`}>${t.calendar.booking}</a> ${detail}
              </p>`,
            )}
          </div>
        </div>`
      }
      ${isManager && html`<button type="button" class="button small" onClick=${() => setAsking(true)}>${t.calendar.reopen}</button>`}
      ${
        isAsking &&
        html`<${Confirm}
          title=${t.calendar.reopenTitle}
          text=${bookings === 'cancel' ? t.calendar.reopenCancelled(cancelled) : t.calendar.reopenText}
          action=${t.calendar.reopen}
          isDangerous=${false}
          onConfirm=${reopen}
          onClose=${() => setAsking(false)}
        />`
      }
    </article>
  `;
}
