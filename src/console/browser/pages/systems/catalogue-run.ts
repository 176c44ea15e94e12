import { html } from 'htm/preact';
import type { CatalogueRun } from '../../../../features/system-catalogue/schema.ts';
import { momentOf } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { Icon } from '../../components/icon.ts';
import { progressOf } from './catalogue-state.ts';

const COUNTS = ['added', 'changed', 'withdrawn', 'failed', 'unchanged'] as const;

/** How far a reading is, or what it has come to. */
export function CatalogueRunFacts({ run }: { run: CatalogueRun }) {
  const { kind, state, venuesRead, total, failure, createdAt, startedBy } = run;
  const counts = COUNTS.filter((count) => run[count] > 0);
  return html`
    <div class="catalogue-run">
      <p class="small quiet">${t.catalogue.kinds[kind]} · ${momentOf(createdAt)} · ${startedBy}</p>
      ${
        state === 'running' &&
        html`
          <p aria-live="polite">
            <progress value=${progressOf(run)} aria-label=${t.catalogue.progress}></progress>
            ${total === null ? t.catalogue.reading(venuesRead) : t.catalogue.readingOf(venuesRead, total)}
          </p>
        `
      }
      ${
        failure &&
        html`<div class="notice refused">
          <${Icon} name="warning" />
          <p>${t.catalogue.failed} ${failure}</p>
        </div>`
      }
      ${
        state !== 'running' &&
        html`<p class="row small">
          ${counts.map(
            (count) =>
              html`<span key=${count} class=${`tag ${count === 'failed' ? 'warn' : ''}`}>${t.catalogue.counts[count](run[count])}</span>`,
          )}
        </p>`
      }
    </div>
  `;
}
