import { html } from 'htm/preact';
import { t } from '../app/language.ts';
import type { Page } from '../app/load.ts';
import { setQuery } from '../app/router.ts';
import { Icon } from './icon.ts';

/** Pages of a list; the number stands in the address, so that back returns to the same place. */
export function Pager({ meta, name = 'page' }: { meta: Page<unknown>['meta']; name?: string }) {
  if (meta.totalPages <= 1) return null;
  const { currentPage, totalPages, totalItems } = meta;
  const open = (page: number) => setQuery({ [name]: page === 1 ? null : page }, { replace: false });
  return html`
    <nav class="pager" aria-label=${t.common.pages}>
      <button type="button" class="button" disabled=${currentPage <= 1} onClick=${() => open(currentPage - 1)}>
        <${Icon} name="left" size=${16} /> ${t.common.previous}
      </button>
      <span>${t.common.pageOf(currentPage, totalPages, totalItems)}</span>
      <button type="button" class="button" disabled=${currentPage >= totalPages} onClick=${() => open(currentPage + 1)}>
        ${t.common.next} <${Icon} name="right" size=${16} />
      </button>
    </nav>
  `;
}
