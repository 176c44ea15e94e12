import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { setQuery } from '../../app/router.ts';
import { SORTS, type Sort } from './filter.ts';

export const Order = ({ sort }: { sort: Sort }) => html`
  <label class="row small">
    ${t.bookings.sort}
    <select value=${sort} onChange=${(event: Event) => setQuery({ page: null, sort: (event.currentTarget as HTMLSelectElement).value }, { replace: false })}>
      ${(Object.keys(SORTS) as Sort[]).map((value) => html`<option value=${value} selected=${value === sort}>${t.bookings.sorts[value]}</option>`)}
    </select>
  </label>
`;
