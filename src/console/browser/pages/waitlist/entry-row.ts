import { html } from 'htm/preact';
import { path } from '../../app/api.ts';
import { ago, timeIn } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { cameFrom, guestName, partyText } from '../../components/booking/names.ts';
import { DragHandle } from '../../components/drag-handle.ts';
import { Icon } from '../../components/icon.ts';
import type { Entry } from './entries.ts';

export interface EntryRowProps {
  entry: Entry;
  /** Of the product, where parties wait for several. */
  productName: string | undefined;
  timeZone: string | undefined;
  /** Of those who wait; absent: it cannot be moved. */
  place?: { index: number; count: number; onMove: (from: number, to: number) => void; onDrop: () => void };
  onOffer?: () => void;
  onBook?: () => void;
  onRemove?: () => void;
}

/** A party: what it waits for, how to reach it, and what can be done. */
export function EntryRow({ entry, productName, timeZone, place, ...actions }: EntryRowProps) {
  const name = guestName(entry);
  return html`
    <li class="waiting" data-place=${place?.index}>
      ${
        place &&
        html`
          <${DragHandle} name=${name} ...${place} />
          <span class="waiting-place" aria-hidden="true">${place.index + 1}</span>
        `
      }
      <div class="waiting-who">
        <p>
          <strong>${name}</strong> ${partyText(entry)}${' · '}<span class="nowrap">${t.waitlist.between(entry.from, entry.to)}</span>${productName && ` · ${productName}`}
        </p>
        <p class="row small">
          <${State} entry=${entry} timeZone=${timeZone} />
          ${entry.phone && html`<a href=${`tel:${entry.phone.replace(/\s/g, '')}`}><${Icon} name="phone" size=${14} /> ${entry.phone}</a>`}
          ${entry.email && html`<a href=${`mailto:${entry.email}`}>${entry.email}</a>`}
          <span class="quiet">${cameFrom(entry)}, ${ago(entry.createdAt)}</span>
        </p>
      </div>
      <${Actions} name=${name} ...${actions} />
    </li>
  `;
}

function State({ entry, timeZone }: { entry: Entry; timeZone: string | undefined }) {
  const { status, offer, bookingId } = entry;
  if (status === 'offered' && offer) {
    const until = timeIn(offer.expiresAt, timeZone);
    return html`<span class="tag info"><${Icon} name="clock" size=${14} /> ${t.waitlist.offeredUntil(offer.slot.time, until)}</span>`;
  }
  if (status === 'waiting') return null;
  if (status === 'booked' && bookingId) {
    const tonight = path`/console/venues/${entry.compositeId.split('|').slice(0, 3).join('|')}/tonight`;
    return html`<a class="tag good" href=${`${tonight}?date=${entry.date}&booking=${bookingId}`}><${Icon} name="check" size=${14} /> ${t.waitlist.states.booked}</a>`;
  }
  return html`<span class="tag">${t.waitlist.states[status === 'offered' ? 'expired' : status]}</span>`;
}

type ActionsProps = Pick<EntryRowProps, 'onOffer' | 'onBook' | 'onRemove'> & { name: string };

const Actions = ({ name, onOffer, onBook, onRemove }: ActionsProps) => html`
  <div class="row waiting-actions">
    ${onOffer && html`<button type="button" class="button" onClick=${onOffer}>${t.waitlist.offer}</button>`}
    ${onBook && html`<button type="button" class="button primary" onClick=${onBook}>${t.waitlist.book}</button>`}
    ${
      onRemove &&
      html`<button type="button" class="button quiet icon-only" aria-label=${t.waitlist.removeNamed(name)} title=${t.waitlist.remove} onClick=${onRemove}>
        <${Icon} name="trash" />
      </button>`
    }
  </div>
`;
