import { html } from 'htm/preact';
import type { VenueHours } from '../../../../features/venues/manage/venue-schema.ts';
import { api, path, type Tagged } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { address, setQuery } from '../../app/router.ts';
import { may, operatorOf } from '../../app/session.ts';
import { Loading } from '../../components/notice.ts';
import { HoursTab } from './hours-tab.ts';
import { MonthTab } from './month-tab.ts';
import { SaleTab } from './sale-tab.ts';

const TABS = ['month', 'hours', 'sale'] as const;

/** When the venue is open, when it is closed, and what is on sale. */
export default function CalendarPage({ params }: { params: Record<string, string> }) {
  const venueId = params.venueId ?? '';
  const isManager = may(operatorOf(venueId), 'manager');
  const hours = useLoad<Tagged<VenueHours>>(
    () => api.getTagged<VenueHours>(path`/manage/venues/${venueId}/hours`),
    [venueId],
  );
  const tab = TABS.find((name) => name === address.value.query.get('tab')) ?? 'month';
  const shared = { venueId, isManager };
  return html`
    <div class="page">
      <header class="page-head">
        <h1>${t.pages.calendar}</h1>
        <div class="segments" role="group" aria-label=${t.calendar.views}>
          ${TABS.map(
            (name) => html`
              <button
                key=${name}
                type="button"
                class="button"
                aria-pressed=${tab === name}
                onClick=${() => setQuery({ tab: name === 'month' ? null : name, day: null, rule: null }, { replace: false })}
              >
                ${t.calendar.tabs[name]}
              </button>
            `,
          )}
        </div>
      </header>
      <${Loading} loaded=${hours}>
        ${({ data, etag }: Tagged<VenueHours>) =>
          tab === 'month'
            ? html`<${MonthTab} ...${shared} hours=${data} etag=${etag} onHours=${hours.reload} />`
            : tab === 'hours'
              ? html`<${HoursTab} key=${etag} ...${shared} hours=${data} etag=${etag} onHours=${hours.reload} />`
              : html`<${SaleTab} ...${shared} />`}
      <//>
    </div>
  `;
}
