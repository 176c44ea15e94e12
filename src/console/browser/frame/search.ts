/** One field that finds guests, booking numbers and venues of the operator. */
import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ManagedBooking } from '../../../features/bookings/operator/schema.ts';
import { api, path } from '../app/api.ts';
import { shortDate } from '../app/format.ts';
import { t } from '../app/language.ts';
import type { Page } from '../app/load.ts';
import { venues } from '../app/places.ts';
import { go } from '../app/router.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { venueIdOf } from '../components/booking/booking-facts.ts';
import { guestName } from '../components/booking/names.ts';
import { Icon } from '../components/icon.ts';

type FoundBooking = Pick<
  ManagedBooking,
  'id' | 'compositeId' | 'date' | 'time' | 'partySize' | 'firstName' | 'lastName' | 'origin'
>;

const PAUSE_MS = 200;
const FEWEST = 2;
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

async function findBookings(operatorId: number, text: string): Promise<FoundBooking[]> {
  const all = path`/manage/operators/${operatorId}/bookings`;
  if (UUID.test(text)) {
    return [await api.get<FoundBooking>(`${all}/${encodeURIComponent(text)}`)];
  }
  const found = await Promise.allSettled([
    api.get<Page<FoundBooking>>(all, { guest: text, pageSize: 8, sortBy: 'start', sortDirection: 'DESC' }),
    api.get<Page<FoundBooking>>(all, { reference: text, pageSize: 4 }),
  ]);
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value.data : []));
}

export function Search({ operatorId }: { operatorId: number }) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [found, setFound] = useState<FoundBooking[]>();
  const [chosen, setChosen] = useState(0);
  useShortcuts([{ key: '/', label: t.frame.search, run: () => input.current?.focus() }]);
  useEffect(() => {
    setFound(undefined);
    setChosen(0);
    if (text.trim().length < FEWEST) return;
    const timer = setTimeout(() => {
      findBookings(operatorId, text.trim()).then(setFound, () => setFound([]));
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, operatorId]);

  const places = venues.value.filter(
    ({ name }) => text.trim().length >= FEWEST && name.toLowerCase().includes(text.trim().toLowerCase()),
  );
  const results = [
    ...places.slice(0, 4).map((place) => ({
      key: place.id,
      href: path`/console/venues/${place.id}/tonight`,
      title: place.name,
      text: t.frame.venue,
    })),
    ...(found ?? []).map((booking) => ({
      key: booking.id,
      href: `${path`/console/venues/${venueIdOf(booking.compositeId)}/tonight`}?date=${booking.date}&booking=${booking.id}`,
      title: guestName(booking),
      text: t.frame.foundBooking(shortDate(booking.date), booking.time, booking.partySize),
    })),
  ];
  const open = (href: string) => {
    setText('');
    input.current?.blur();
    go(href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setText('');
    else if (event.key === 'ArrowDown') setChosen(Math.min(chosen + 1, results.length - 1));
    else if (event.key === 'ArrowUp') setChosen(Math.max(chosen - 1, 0));
    else if (event.key === 'Enter' && results[chosen]) open(results[chosen].href);
    else return;
    event.preventDefault();
  };
  const isOpen = text.trim().length >= FEWEST;
  return html`
    <div class="search" role="search">
      <${Icon} name="search" size=${18} />
      <input
        ref=${input}
        type="search"
        role="combobox"
        aria-label=${t.frame.search}
        aria-expanded=${isOpen}
        aria-controls="search-results"
        aria-activedescendant=${isOpen && results[chosen] ? `search-${chosen}` : undefined}
        placeholder=${t.frame.searchHint}
        value=${text}
        onInput=${(event: InputEvent) => setText((event.currentTarget as HTMLInputElement).value)}
        onKeyDown=${onKeyDown}
        onBlur=${() => setTimeout(() => setText(''), 200)}
      />
      ${
        isOpen &&
        html`<ul id="search-results" class="search-results" role="listbox" aria-label=${t.frame.search}>
          ${results.map(
            (result, index) => html`
              <li key=${result.key} id=${`search-${index}`} role="option" aria-selected=${index === chosen} onMouseDown=${() => open(result.href)}>
                <strong>${result.title}</strong> <span>${result.text}</span>
              </li>
            `,
          )}
          ${results.length === 0 && html`<li role="option" aria-selected="false" class="quiet">${found ? t.frame.nothingFound : t.common.loading}</li>`}
        </ul>`
      }
    </div>
  `;
}
