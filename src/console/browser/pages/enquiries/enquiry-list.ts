import { html } from 'htm/preact';
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { ago, momentOf, shortDate } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { cameFrom, guestName, partyText } from '../../components/booking/names.ts';
import { StateTag } from '../../components/booking/state-tag.ts';

export interface EnquiryListProps {
  enquiries: readonly ManagedBooking[];
  chosen: string | null;
  onChoose: (bookingId: string) => void;
}

export const EnquiryList = ({ enquiries, chosen, onChoose }: EnquiryListProps) => html`
  <ul class="inbox-list">
    ${enquiries.map(
      (enquiry) => html`
        <li key=${enquiry.id}>
          <button
            type="button"
            aria-current=${enquiry.id === chosen ? 'true' : undefined}
            onClick=${() => onChoose(enquiry.id)}
          >
            <span class="inbox-top">
              <strong>${guestName(enquiry)}</strong>
              <span class="small quiet" title=${momentOf(enquiry.createdDate)}>${ago(enquiry.createdDate)}</span>
            </span>
            <span>${shortDate(enquiry.date)}, ${enquiry.time} · ${partyText(enquiry)}</span>
            <span class="inbox-top">
              <span class="small quiet">${t.enquiries.askedFor(enquiry.venueName, cameFrom(enquiry))}</span>
              ${enquiry.status !== 'pending' && html`<${StateTag} booking=${enquiry} />`}
            </span>
          </button>
        </li>
      `,
    )}
  </ul>
`;
