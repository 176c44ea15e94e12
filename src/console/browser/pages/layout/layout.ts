import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { address, setQuery } from '../../app/router.ts';
import { PlanTab } from './plan-tab.ts';
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
