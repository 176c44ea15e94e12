import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Association } from '../../../../features/partners/schema.ts';
import { api, path, type Query } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { venues } from '../../app/places.ts';
import { setQuery } from '../../app/router.ts';
import { SelectField, TextField } from '../../components/field.ts';
import { Icon } from '../../components/icon.ts';
import { countSet, type Filter } from './filter.ts';

const MOST_PARTNERS = 100;
const choicesOf = (names: Record<string, string>) => [
  { value: '', label: t.common.all },
  ...Object.entries(names).map(([value, label]) => ({ value, label })),
];
/** Each change begins at the first page again, and is a step of its own for «back». */
const change = (changes: Query) => setQuery({ page: null, ...changes }, { replace: false });

const NOTHING = {
  q: null,
  venue: null,
  from: null,
  to: null,
  status: null,
  type: null,
  partner: null,
  origin: null,
};

/** All of them stand in the address. */
export function Filters({ operatorId, filter }: { operatorId: number; filter: Filter }) {
  const [text, setText] = useState(filter.text);
  const [isOpen, setOpen] = useState(false);
  const partners = useLoad(
    () =>
      api.get<Page<Association>>(path`/manage/operators/${operatorId}/partners`, { pageSize: MOST_PARTNERS }),
    [operatorId],
  );
  const search = (event: Event) => {
    event.preventDefault();
    change({ q: text.trim() });
  };
  const select = (name: keyof Filter, label: string, names: Record<string, string>) => html`
    <${SelectField} label=${label} value=${filter[name]} choices=${choicesOf(names)} onChange=${(value: string) => change({ [name]: value })} />
  `;
  const day = (name: 'from' | 'to', label: string) => html`
    <${TextField} label=${label} type="date" value=${filter[name]} onChange=${(event: Event) => change({ [name]: (event.currentTarget as HTMLInputElement).value })} onInput=${() => {}} />
  `;
  const set = countSet(filter);
  return html`
    <section class="panel booking-filters" aria-label=${t.bookings.filters(set)}>
      <form class="booking-search" role="search" onSubmit=${search}>
        <${TextField} label=${t.bookings.search} hint=${t.bookings.searchHint} type="search" value=${text} onInput=${setText} />
        <button type="submit" class="button"><${Icon} name="search" size=${18} /> ${t.bookings.find}</button>
        <button type="button" class="button filter-button" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>
          ${t.bookings.filters(set)}
        </button>
      </form>
      <div class=${isOpen ? 'filter-fields is-open' : 'filter-fields'}>
        ${select('venue', t.frame.venue, Object.fromEntries(venues.value.map(({ id, name }) => [id, name])))}
        ${day('from', t.bookings.from)} ${day('to', t.bookings.to)}
        ${select('status', t.bookings.status, t.booking.statuses)}
        ${select('type', t.bookings.type, t.bookings.types)}
        ${select('partner', t.frame.partner, Object.fromEntries((partners.data?.data ?? []).map(({ partner }) => [partner.id, partner.name])))}
        ${select('origin', t.bookings.origin, t.booking.origins)}
        ${
          (set > 0 || filter.text !== '') &&
          html`<button type="button" class="button quiet" onClick=${() => change(NOTHING)}>${t.bookings.clear}</button>`
        }
      </div>
    </section>
  `;
}
