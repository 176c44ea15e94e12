import { html } from 'htm/preact';
import type { ManagedVenue } from '../../../../features/venues/manage/venue-schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { address, setQuery } from '../../app/router.ts';
import { may } from '../../app/session.ts';
import { Icon } from '../../components/icon.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { Pager } from '../../components/pager.ts';
import { FirstSteps } from './first-steps.ts';
import { NewVenue } from './new-venue.ts';

const PAGE_SIZE = 25;

/** All venues of the operator. */
export default function VenuesPage({ params }: { params: Record<string, string> }) {
  const operatorId = Number(params.operatorId);
  const isManager = may(operatorId, 'manager');
  const { query } = address.value;
  const pageNumber = Number(query.get('page') ?? 1);
  const loaded = useLoad(
    () =>
      api.get<Page<ManagedVenue>>(path`/manage/operators/${operatorId}/venues`, {
        pageNumber,
        pageSize: PAGE_SIZE,
      }),
    [operatorId, pageNumber],
  );
  const open = (venue: string | null) => setQuery({ venue }, { replace: false });
  const add = html`<button type="button" class="button primary" onClick=${() => open('new')}><${Icon} name="plus" /> ${t.venues.add}</button>`;
  return html`
    <div class="page">
      <header class="page-head">
        <h1>${t.pages.venues}</h1>
        ${isManager && (loaded.data?.meta.totalItems ?? 0) > 0 && add}
      </header>
      <${Loading} loaded=${loaded}>
        ${({ data, meta }: Page<ManagedVenue>) =>
          data.length === 0
            ? html`<${Empty} title=${t.venues.empty} text=${t.venues.emptyText}>${isManager && add}<//>`
            : html`
                <ul class="venue-list">${data.map((venue) => html`<${VenueRow} key=${venue.id} venue=${venue} isManager=${isManager} steps=${query.get('steps') === venue.id} />`)}</ul>
                <${Pager} meta=${meta} />
              `}
      <//>
      ${isManager && query.get('venue') === 'new' && html`<${NewVenue} operatorId=${operatorId} onClose=${() => open(null)} />`}
    </div>
  `;
}

interface VenueRowProps {
  venue: ManagedVenue;
  isManager: boolean;
  /** Its first steps are shown. */
  steps: boolean;
}

/** Without repeating the town where the part of town is not known. */
const placeOf = ({ area, city }: ManagedVenue['location']) =>
  [...new Set([area, city])].filter((name) => name !== '').join(', ');

function VenueRow({ venue, isManager, steps }: VenueRowProps) {
  const at = (page: string) => `${path`/console/venues/${venue.id}`}/${page}`;
  return html`
    <li class="panel">
      <div class="venue-row">
        <div>
          <h2><a href=${at('tonight')}>${venue.name}</a></h2>
          <p class="quiet">${placeOf(venue.location)} · ${t.venues.system(venue.tms)}</p>
        </div>
        <span class=${venue.closedAt ? 'tag bad' : 'tag good'}>
          <${Icon} name=${venue.closedAt ? 'lock' : 'check'} size=${14} /> ${venue.closedAt ? t.venues.closed : t.venues.open}
        </span>
        <div class="row">
          ${isManager && !venue.closedAt && html`<button type="button" class="button small" aria-expanded=${steps} onClick=${() => setQuery({ steps: steps ? null : venue.id })}>${t.venues.firstSteps}</button>`}
          <a class="button small" href=${at('calendar')}>${t.pages.calendar}</a>
          <a class="button small" href=${at('details')}>${t.pages.venue}</a>
        </div>
      </div>
      ${steps && html`<${FirstSteps} venue=${venue} />`}
    </li>
  `;
}
