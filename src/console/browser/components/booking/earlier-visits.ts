import { html } from 'htm/preact';
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { api, path } from '../../app/api.ts';
import { longDate } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { Loading } from '../notice.ts';
import { partyText } from './names.ts';
import { StateTag } from './state-tag.ts';

const MOST = 25;
const SHOWN = 6;
const FEWEST_DIGITS = 4;
const digitsOf = (text: string | null) => (text ?? '').replace(/\D/g, '');

/** By e-mail, or by telephone where there is none. The last digits of others can be the same, so these are sorted out. */
async function readVisits(
  operatorId: number,
  { id, email, phone }: ManagedBooking,
): Promise<ManagedBooking[]> {
  const guest = email ?? digitsOf(phone);
  if (guest.length < FEWEST_DIGITS) return [];
  const all = path`/manage/operators/${operatorId}/bookings`;
  const found = await api.get<Page<ManagedBooking>>(all, { guest, pageSize: MOST, sortBy: 'created' });
  return found.data
    .filter((other) => other.id !== id && (email !== null || digitsOf(other.phone) === digitsOf(phone)))
    .sort((a, b) => (a.dateTime < b.dateTime ? 1 : -1));
}

export interface EarlierVisitsProps {
  operatorId: number;
  booking: ManagedBooking;
  onOpen?: ((bookingId: string) => void) | undefined;
}

/** Other bookings of the same guest at the venues of the operator. */
export function EarlierVisits({ operatorId, booking, onOpen }: EarlierVisitsProps) {
  const { id, email, phone } = booking;
  const loaded = useLoad(() => readVisits(operatorId, booking), [operatorId, id, email, phone]);
  if (email === null && phone === null) return html`<p class="small quiet">${t.booking.noContact}</p>`;
  return html`
    <${Loading} loaded=${loaded}>
      ${(visits: ManagedBooking[]) => {
        if (visits.length === 0) return html`<p class="small quiet">${t.booking.firstVisit}</p>`;
        const count = (status: string) => visits.filter((visit) => visit.status === status).length;
        return html`
          <p class="small quiet">${t.booking.visits(count('completed'), count('no_show'), count('cancelled'))}</p>
          <ul class="visits">
            ${visits.slice(0, SHOWN).map(
              (visit) => html`
                <li key=${visit.id}>
                  <span>
                    ${
                      onOpen
                        ? html`<button type="button" class="link" onClick=${() => onOpen(visit.id)}>${longDate(visit.date)}</button>`
                        : longDate(visit.date)
                    }
                    <span class="small quiet"> ${visit.venueName} · ${partyText(visit)}</span>
                  </span>
                  <${StateTag} booking=${visit} />
                </li>
              `,
            )}
          </ul>
        `;
      }}
    <//>
  `;
}
