/** What the staff should look at, in one list. */
import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { shortDate } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { guestName } from '../../components/booking/names.ts';
import { type Attention, type DiaryBooking, guestsOf, MINUTE_MS, startOf } from './evening.ts';
import { nameOf } from './timeline/booking-block.ts';

interface AttentionProps {
  items: readonly Attention[];
  /** Of other days. */
  enquiries: readonly ManagedBooking[];
  nowMs: number;
  onOpen: (booking: Pick<DiaryBooking, 'id'>) => void;
  /** What stands below. */
  children?: ComponentChildren;
}

function reasonOf({ kind, booking, sitting }: Attention, nowMs: number): string {
  switch (kind) {
    case 'late':
      return t.tonight.lateBy(Math.round((nowMs - startOf(booking)) / MINUTE_MS));
    case 'overrun':
      return t.tonight.waitsFor(sitting ? nameOf(sitting) : '');
    case 'no_table':
      return t.tonight.noTable;
    case 'enquiry':
      return t.tonight.enquiryFor(shortDate(booking.date), booking.time);
  }
}

const TAGS = {
  late: 'late',
  overrun: 'late',
  no_table: 'warn',
  enquiry: 'enquiry',
} as const;

export const AttentionList = ({ items, enquiries, nowMs, onOpen, children }: AttentionProps) => html`
  <aside class="attention" aria-label=${t.tonight.needsYou}>
    <h2>${t.tonight.needsYou}</h2>
    ${items.length + enquiries.length === 0 && html`<p class="quiet">${t.tonight.allWell}</p>`}
    <ul>
      ${items.map(
        (item) => html`
          <li key=${`${item.kind} ${item.booking.id}`}>
            <button type="button" onClick=${() => onOpen(item.booking)}>
              <span class=${`tag ${TAGS[item.kind]}`}>${reasonOf(item, nowMs)}</span>
              <span><strong>${nameOf(item.booking)}</strong> ${guestsOf(item.booking)} · ${item.booking.time}</span>
            </button>
          </li>
        `,
      )}
      ${enquiries.map(
        (booking) => html`
          <li key=${booking.id}>
            <button type="button" onClick=${() => onOpen(booking)}>
              <span class="tag enquiry">${t.tonight.enquiryFor(shortDate(booking.date), booking.time)}</span>
              <span><strong>${guestName(booking)}</strong> ${booking.partySize + booking.children}</span>
            </button>
          </li>
        `,
      )}
    </ul>
    ${children}
  </aside>
`;
