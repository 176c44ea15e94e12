import { html } from 'htm/preact';
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { ApiProblem, api, path, type Query, queryText } from '../../app/api.ts';
import { addDays, todayIn } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { venues } from '../../app/places.ts';
import { address, type PageProps, setQuery } from '../../app/router.ts';
import { may } from '../../app/session.ts';
import { BookingDrawer } from '../../components/booking/booking-drawer.ts';
import { Icon } from '../../components/icon.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { Pager } from '../../components/pager.ts';
import { BookingTable } from './booking-table.ts';
import { countSet, csvPeriod, filterIn, questionOf, SORTS, type Sort } from './filter.ts';
import { Filters } from './filters.ts';

const PAGE_SIZE = 25;

/** All bookings of the operator. */
export default function Bookings({ params }: PageProps) {
  const operatorId = Number(params.operatorId);
  const { query } = address.value;
  const filter = filterIn(query);
  const today = todayIn(venues.value[0]?.timeZone);
  const question = { ...questionOf(filter, today), pageSize: PAGE_SIZE };
  const loaded = useLoad(
    () => findBookings(operatorId, filter.text, question),
    [operatorId, filter.text, JSON.stringify(question)],
  );
  const open = query.get('booking');
  const show = (bookingId: string | null) => setQuery({ booking: bookingId }, { replace: false });
  const isNarrowed = filter.text !== '' || countSet(filter) > 0;
  const csv = `${path`/manage/operators/${operatorId}/reports/bookings.csv`}${queryText({ ...csvPeriod(filter, addDays, today) })}`;
  return html`
    <div class="page">
      <header class="page-head">
        <h1>${t.pages.bookings}</h1>
        ${may(operatorId, 'manager') && html`<a class="button" href=${csv} download><${Icon} name="down" size=${18} /> ${t.bookings.csv}</a>`}
      </header>
      <${Filters} key=${filter.text} operatorId=${operatorId} filter=${filter} />
      <${Loading} loaded=${loaded}>
        ${(page: Page<ManagedBooking>) =>
          page.data.length === 0
            ? html`<${Empty}
                title=${isNarrowed ? t.bookings.none : t.bookings.empty}
                text=${isNarrowed ? t.bookings.noneText : t.bookings.emptyText}
              />`
            : html`
                <div class="row booking-count">
                  <p class="small quiet" role="status">${t.bookings.count(page.meta.totalItems)}</p>
                  <${Order} sort=${filter.sort} />
                </div>
                <${BookingTable} bookings=${page.data} chosen=${open} onOpen=${show} />
                <${Pager} meta=${page.meta} />
              `}
      <//>
      ${
        open &&
        html`<${BookingDrawer}
          operatorId=${operatorId}
          bookingId=${open}
          onClose=${() => show(null)}
          onChanged=${loaded.reload}
          onOpen=${show}
        />`
      }
    </div>
  `;
}

const Order = ({ sort }: { sort: Sort }) => html`
  <label class="row small">
    ${t.bookings.sort}
    <select value=${sort} onChange=${(event: Event) => setQuery({ page: null, sort: (event.currentTarget as HTMLSelectElement).value }, { replace: false })}>
      ${(Object.keys(SORTS) as Sort[]).map((value) => html`<option value=${value} selected=${value === sort}>${t.bookings.sorts[value]}</option>`)}
    </select>
  </label>
`;

const NOT_VALID = 400;

/**
 * One field finds guests and numbers: a text that is no guest, or cannot be one, is looked for as a number. Both must
 * be asked for apart, since all filters of a request must hold.
 */
async function findBookings(operatorId: number, text: string, query: Query): Promise<Page<ManagedBooking>> {
  const read = (more: Query) =>
    api.get<Page<ManagedBooking>>(path`/manage/operators/${operatorId}/bookings`, { ...query, ...more });
  if (text === '') return read({});
  const byGuest = await read({ guest: text }).catch((error: unknown) => {
    if (error instanceof ApiProblem && error.status === NOT_VALID && error.errors.guest) return undefined;
    throw error;
  });
  if (byGuest && byGuest.meta.totalItems > 0) return byGuest;
  return read({ reference: text });
}
