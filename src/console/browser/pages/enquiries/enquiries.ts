import { html } from 'htm/preact';
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { address, type PageProps, setQuery } from '../../app/router.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { Pager } from '../../components/pager.ts';
import { EnquiryList } from './enquiry-list.ts';
import { EnquiryView } from './enquiry-view.ts';

const PAGE_SIZE = 20;
/** The one that waits longest comes first; of those that were answered, the latest. */
const SHOWN = {
  open: { status: 'pending,in_progress', sortDirection: 'ASC' },
  answered: { status: 'confirmed,rejected,cancelled,completed,no_show', sortDirection: 'DESC' },
} as const;
type Shown = keyof typeof SHOWN;

/** An inbox: the list, and the chosen one beside it. */
export default function Enquiries({ params }: PageProps) {
  const operatorId = Number(params.operatorId);
  const { query } = address.value;
  const shown: Shown = query.get('show') === 'answered' ? 'answered' : 'open';
  const pageNumber = Number(query.get('page')) || 1;
  const loaded = useLoad(
    () =>
      api.get<Page<ManagedBooking>>(path`/manage/operators/${operatorId}/bookings`, {
        type: 'request',
        sortBy: 'created',
        ...SHOWN[shown],
        pageNumber,
        pageSize: PAGE_SIZE,
      }),
    [operatorId, shown, pageNumber],
  );
  const open = query.get('enquiry');
  const choose = (enquiry: string | null) => setQuery({ enquiry }, { replace: false });
  const tab = (one: Shown, label: string) => html`
    <button
      type="button"
      class="button"
      aria-pressed=${shown === one}
      onClick=${() => setQuery({ show: one === 'open' ? null : one, page: null, enquiry: null }, { replace: false })}
    >
      ${label}
    </button>
  `;
  return html`
    <div class="page enquiries">
      <header class="page-head">
        <h1>${t.pages.enquiries}</h1>
        <div class="segments" role="group" aria-label=${t.booking.fields.status}>
          ${tab('open', t.enquiries.open)} ${tab('answered', t.enquiries.answered)}
        </div>
      </header>
      <${Loading} loaded=${loaded}>
        ${(page: Page<ManagedBooking>) =>
          page.data.length === 0 && open === null
            ? html`<${Empty}
                title=${shown === 'open' ? t.enquiries.none : t.enquiries.noneAnswered}
                text=${t.enquiries.noneText}
              />`
            : html`
                <div class="inbox">
                  <div>
                    <${EnquiryList} enquiries=${page.data} chosen=${open} onChoose=${choose} />
                    <${Pager} meta=${page.meta} />
                  </div>
                  ${
                    open === null
                      ? html`<p class="inbox-hint quiet">${t.enquiries.choose}</p>`
                      : html`<${EnquiryView} key=${open} operatorId=${operatorId} bookingId=${open} onChanged=${loaded.reload} />`
                  }
                </div>
              `}
      <//>
    </div>
  `;
}
