import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { CatalogueRun } from '../../../../features/system-catalogue/schema.ts';
import { type ApiProblem, api } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { type Page, problemOf, useLoad } from '../../app/load.ts';
import { may } from '../../app/session.ts';
import { Confirm } from '../../components/dialog.ts';
import { Icon } from '../../components/icon.ts';
import { Problem } from '../../components/notice.ts';
import { CatalogueDifferences } from './catalogue-differences.ts';
import { CatalogueRunFacts } from './catalogue-run.ts';
import { runToApply } from './catalogue-state.ts';

const POLL_MS = 1500;

/** What the system has of venues and products: read, compared with what is here, and applied. */
export function CataloguePanel({ at, tms }: { at: string; tms: string }) {
  const operatorId = Number(at.split('/')[3]);
  return may(operatorId, 'manager') ? html`<${Catalogue} at=${`${at}/catalogue`} tms=${tms} />` : null;
}

function Catalogue({ at, tms }: { at: string; tms: string }) {
  const loaded = useLoad(() => api.get<Page<CatalogueRun>>(`${at}?pageSize=5`), [at]);
  const [problem, setProblem] = useState<ApiProblem>();
  const [isAsking, setAsking] = useState(false);
  const runs = loaded.data?.data ?? [];
  const [last] = runs;
  const isRunning = last?.state === 'running';
  const ready = runToApply(runs);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setTimeout(() => loaded.reload(), POLL_MS);
    return () => clearTimeout(timer);
  }, [isRunning, loaded.data]);

  const begin = async (query: string, body?: object) => {
    setAsking(false);
    setProblem(undefined);
    try {
      await api.post(`${at}${query}`, body);
    } catch (error) {
      setProblem(problemOf(error));
    }
    await loaded.reload();
  };

  return html`
    <section class="catalogue" aria-label=${t.catalogue.title}>
      <h3>${t.catalogue.title}</h3>
      ${last ? html`<${CatalogueRunFacts} run=${last} />` : html`<p class="small quiet">${t.catalogue.about}</p>`}
      <${Problem} problem=${problem} />
      <div class="row">
        <button type="button" class="button small" disabled=${isRunning} onClick=${() => begin('?dryRun=true')}>
          <${Icon} name="search" size=${16} /> ${t.catalogue.read}<span class="visually-hidden"> ${tms}</span>
        </button>
        ${
          ready &&
          html`<button type="button" class="button small primary" onClick=${() => setAsking(true)}>
            ${t.catalogue.apply}<span class="visually-hidden"> ${tms}</span>
          </button>`
        }
      </div>
      ${last && !isRunning && html`<${CatalogueDifferences} key=${last.id} at=${`${at}/${last.id}/differences`} name=${`catalogue-${tms}`} />`}
      ${
        runs.length > 1 &&
        html`<details>
          <summary>${t.catalogue.earlier}</summary>
          ${runs.slice(1).map((run) => html`<${CatalogueRunFacts} key=${run.id} run=${run} />`)}
        </details>`
      }
      ${
        isAsking &&
        ready &&
        html`<${Confirm}
          title=${t.catalogue.applyTitle}
          text=${t.catalogue.applyText(ready.added, ready.changed, ready.withdrawn)}
          action=${t.catalogue.apply}
          onConfirm=${() => begin('', { reviewedRunId: ready.id })}
          onClose=${() => setAsking(false)}
        />`
      }
    </section>
  `;
}
