import { html } from 'htm/preact';
import type { Layout } from '../../../../features/layout/schema.ts';
import { api, path, type Tagged } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { address, setQuery } from '../../app/router.ts';
import { may, operatorOf } from '../../app/session.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { Editor } from './editor.ts';
import { PlanView } from './plan-view.ts';
import { SpacesTab } from './spaces-tab.ts';

/** Where guests sit: the floor plan, and the spaces that are booked as such. */
export default function LayoutPage({ params }: { params: Record<string, string> }) {
  const venueId = params.venueId ?? '';
  const isSpaces = address.value.query.get('tab') === 'spaces';
  const tab = (label: string, isOpen: boolean, query: { tab: string | null }) => html`
    <button type="button" class="button" aria-pressed=${isOpen} onClick=${() => setQuery({ ...query, space: null }, { replace: false })}>
      ${label}
    </button>
  `;
  return html`
    <div class="page layout-page">
      <header class="page-head">
        <h1>${t.pages.layout}</h1>
        <div class="segments" role="group" aria-label=${t.layout.views}>
          ${tab(t.layout.plan, !isSpaces, { tab: null })} ${tab(t.layout.spaces, isSpaces, { tab: 'spaces' })}
        </div>
      </header>
      ${isSpaces ? html`<${SpacesTab} venueId=${venueId} />` : html`<${PlanTab} venueId=${venueId} />`}
    </div>
  `;
}

function PlanTab({ venueId }: { venueId: string }) {
  const address = path`/manage/venues/${venueId}/layout`;
  const loaded = useLoad<Tagged<Layout>>(() => api.getTagged<Layout>(address), [venueId]);
  // A system that keeps its tables itself has no layout here: the service refuses the venue.
  if (loaded.problem?.errors.venueId) {
    return html`<${Empty} title=${t.layout.noLayout} text=${t.layout.noLayoutText} />`;
  }
  const isManager = may(operatorOf(venueId), 'manager');
  return html`
    <${Loading} loaded=${loaded}>
      ${({ data, etag }: Tagged<Layout>) =>
        isManager
          ? html`<${Editor} key=${etag} venueId=${venueId} layout=${data} etag=${etag} onSaved=${loaded.reload} />`
          : html`<${PlanView} layout=${data} />`}
    <//>
  `;
}
