import { html } from 'htm/preact';
import type { ManagedVenue } from '../../../../features/venues/manage/venue-schema.ts';
import { api, path, type Tagged } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { may, operatorOf } from '../../app/session.ts';
import { Loading } from '../../components/notice.ts';
import { ClosePanel } from './close-panel.ts';
import { VenueForm } from './venue-form.ts';

interface Read {
  venue: Tagged<ManagedVenue>;
  types: { slug: string; name: string }[];
}

/** What a venue says of itself, and its end. */
export default function VenuePage({ params }: { params: Record<string, string> }) {
  const venueId = params.venueId ?? '';
  const operatorId = operatorOf(venueId);
  const isManager = may(operatorId, 'manager');
  const loaded = useLoad<Read>(async () => {
    const [venue, vocabulary] = await Promise.all([
      api.getTagged<ManagedVenue>(path`/manage/venues/${venueId}`),
      api.get<{ venueTypes: Read['types'] }>(path`/manage/operators/${operatorId}/vocabulary`),
    ]);
    return { venue, types: vocabulary.venueTypes };
  }, [venueId]);
  return html`
    <div class="page">
      <header class="page-head"><h1>${t.pages.venue}</h1></header>
      <${Loading} loaded=${loaded}>
        ${({ venue: { data, etag }, types }: Read) => html`
          ${data.closedAt && html`<p class="notice warn">${t.venue.isClosed}</p>`}
          <${VenueForm} key=${etag} venue=${data} etag=${etag} types=${types} isManager=${isManager} onSaved=${loaded.reload} />
          ${isManager && html`<${ClosePanel} venue=${data} onChanged=${loaded.reload} />`}
        `}
      <//>
    </div>
  `;
}
