import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { ManagedBooking } from '../../../../../features/bookings/operator/schema.ts';
import { api, path } from '../../../app/api.ts';
import { shortDate } from '../../../app/format.ts';
import type { Page } from '../../../app/load.ts';

type EarlierBooking = Pick<ManagedBooking, 'id' | 'date' | 'firstName' | 'lastName' | 'email' | 'phone'>;

interface Suggestion {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
}

interface SuggestionsProps {
  operatorId: number;
  text: string;
  onChoose: (guest: Suggestion) => void;
}

const PAUSE_MS = 200;
const FEWEST = 2;
const MOST = 4;

const suggestionOf = ({ firstName, lastName, email, phone }: EarlierBooking): Suggestion => ({
  firstName: firstName ?? '',
  lastName: lastName ?? '',
  email: email ?? '',
  phone: phone ?? '',
});

/** Guests of earlier bookings whose name begins like what is typed, each once. */
export function GuestSuggestions({ operatorId, text, onChoose }: SuggestionsProps) {
  const [found, setFound] = useState<EarlierBooking[]>([]);
  const [chosen, setChosen] = useState('');
  useEffect(() => {
    setFound([]);
    if (text.trim().length < FEWEST || text === chosen) return;
    let isWanted = true;
    const timer = setTimeout(async () => {
      const query = { guest: text.trim(), pageSize: 20, sortDirection: 'DESC' };
      const page = await api
        .get<Page<EarlierBooking>>(path`/manage/operators/${operatorId}/bookings`, query)
        .catch(() => undefined);
      const known = new Map(
        (page?.data ?? []).map((booking) => [JSON.stringify(suggestionOf(booking)), booking]),
      );
      if (isWanted) setFound([...known.values()].slice(0, MOST));
    }, PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [text]);
  if (found.length === 0) return null;
  return html`
    <ul class="suggestions">
      ${found.map((booking) => {
        const guest = suggestionOf(booking);
        return html`
          <li key=${booking.id}>
            <button
              type="button"
              onClick=${() => {
                setChosen(guest.lastName);
                setFound([]);
                onChoose(guest);
              }}
            >
              <strong>${`${guest.firstName} ${guest.lastName}`.trim()}</strong>
              <span>${guest.phone || guest.email} · ${shortDate(booking.date)}</span>
            </button>
          </li>
        `;
      })}
    </ul>
  `;
}
