import { html } from 'htm/preact';
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { shortDate } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { cameFrom, guestName } from '../../components/booking/names.ts';
import { StateTag } from '../../components/booking/state-tag.ts';
import { Icon } from '../../components/icon.ts';

const tablesOf = ({ tmsTables = [] }: ManagedBooking) => tmsTables.join(' + ');

export interface BookingTableProps {
  bookings: readonly ManagedBooking[];
  chosen: string | null;
  onOpen: (bookingId: string) => void;
}

/** A row opens the booking; on phones rows are cards. */
export const BookingTable = ({ bookings, chosen, onOpen }: BookingTableProps) => html`
  <div class="table-wrap">
    <table class="booking-table">
      <thead>
        <tr>
          <th scope="col">${t.bookings.when}</th>
          <th scope="col">${t.bookings.guest}</th>
          <th scope="col" class="number">${t.bookings.party}</th>
          <th scope="col">${t.bookings.state}</th>
          <th scope="col">${t.bookings.table}</th>
          <th scope="col">${t.frame.venue}</th>
          <th scope="col">${t.booking.from}</th>
        </tr>
      </thead>
      <tbody>
        ${bookings.map(
          (booking) => html`
            <tr
              key=${booking.id}
              class=${booking.id === chosen ? 'is-link is-chosen' : 'is-link'}
              onClick=${() => onOpen(booking.id)}
            >
              <td class="when">${shortDate(booking.date)} <strong>${booking.time}</strong></td>
              <td class="who">
                <button
                  type="button"
                  class="link"
                  onClick=${(event: Event) => {
                    event.stopPropagation();
                    onOpen(booking.id);
                  }}
                >
                  ${guestName(booking)}
                </button>
                ${booking.notes && html`<span class="note" title=${booking.notes}><${Icon} name="note" size=${16} /><span class="visually-hidden">${booking.notes}</span></span>`}
              </td>
              <td class="party number">
                <span class="wide-only">${booking.partySize + booking.children}</span>
                <span class="narrow-only">${t.common.people(booking.partySize + booking.children)}</span>
              </td>
              <td class="state"><${StateTag} booking=${booking} /></td>
              <td class="table">
                <span class="wide-only">${tablesOf(booking)}</span>
                <span class="narrow-only">${tablesOf(booking) && t.booking.atTable(tablesOf(booking), undefined)}</span>
              </td>
              <td class="venue">${booking.venueName}</td>
              <td class="from">${cameFrom(booking)}</td>
            </tr>
          `,
        )}
      </tbody>
    </table>
  </div>
`;
