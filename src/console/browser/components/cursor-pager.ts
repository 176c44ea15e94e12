import { html } from 'htm/preact';
import { t } from '../app/language.ts';
import { address, setQuery } from '../app/router.ts';
import { Icon } from './icon.ts';

/** For lists that page by cursor: the way back is that of the browser, or the beginning. */
export function CursorPager({ next }: { next: string | null }) {
  const isFirst = !address.value.query.has('cursor');
  if (isFirst && next === null) return null;
  return html`
    <nav class="pager" aria-label=${t.common.pages}>
      <button type="button" class="button" disabled=${isFirst} onClick=${() => setQuery({ cursor: null })}>
        ${t.webhooks.newest}
      </button>
      <button
        type="button"
        class="button"
        disabled=${next === null}
        onClick=${() => setQuery({ cursor: next }, { replace: false })}
      >
        ${t.webhooks.older} <${Icon} name="right" size=${16} />
      </button>
    </nav>
  `;
}
