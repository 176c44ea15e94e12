/** What needs somebody, in one list. */
import { html } from 'htm/preact';
import { shortDate } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { nameOf } from './booking-block.ts';
import { type Attention, type DiaryBooking, guestsOf, MINUTE_MS, startOf } from './evening.ts';

interface AttentionProps {
  items: readonly Attention[];
  nowMs: number;
  onOpen: (booking: DiaryBooking) => void;
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
    case 'message':
      return t.tonight.message;
  }
}

const TAGS = {
  late: 'late',
  overrun: 'late',
  no_table: 'warn',
  enquiry: 'enquiry',
  message: 'info',
} as const;

export const AttentionList = ({ items, nowMs, onOpen }: AttentionProps) => html`
  <aside class="attention" aria-label=${t.tonight.needsYou}>
    <h2>${t.tonight.needsYou}</h2>
    ${items.length === 0 && html`<p class="quiet">${t.tonight.allWell}</p>`}
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
    </ul>
  </aside>
`;
