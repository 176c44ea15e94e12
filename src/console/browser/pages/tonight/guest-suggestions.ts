import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { api, path } from '../../app/api.ts';
import { shortDate } from '../../app/format.ts';
import type { Page } from '../../app/load.ts';

interface EarlierBooking {
  id: string;
  date: string;
  guest: {
    firstName: string | null;
    lastName: string | null;
    email: string | null;
    phone: string | null;
  } | null;
}

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

const suggestionOf = ({ guest }: EarlierBooking): Suggestion => ({
  firstName: guest?.firstName ?? '',
  lastName: guest?.lastName ?? '',
  email: guest?.email ?? '',
  phone: guest?.phone ?? '',
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
      const query = { guest: text.trim(), pageSize: 20, sortBy: '-date' };
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
