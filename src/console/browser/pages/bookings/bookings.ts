import { html } from 'htm/preact';
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { path, queryText } from '../../app/api.ts';
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
import { countSet, csvPeriod, filterIn, questionOf } from './filter.ts';
import { Filters } from './filters.ts';
import { findBookings } from './find-bookings.ts';
import { Order } from './order.ts';

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
