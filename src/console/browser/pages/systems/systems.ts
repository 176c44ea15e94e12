import { html } from 'htm/preact';
import type { System } from '../../../../features/systems/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import type { PageProps } from '../../app/router.ts';
import { isPlatform } from '../../app/session.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { SystemForm } from './system-form.ts';
import { SystemPanel } from './system-panel.ts';

/** The systems that the venues of the operator are kept in. */
export default function Systems({ params: { operatorId = '' } }: PageProps) {
  const base = path`/manage/operators/${operatorId}/systems`;
  const loaded = useLoad(() => api.get<{ data: System[] }>(base), [base]);
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.systems}</h1>
        <p>${t.systems.about}</p>
      </div>
      <${Loading} loaded=${loaded}>
        ${({ data }: { data: System[] }) =>
          data.length === 0
            ? html`<${Empty} title=${t.systems.none} text=${t.systems.noneText} />`
            : html`<ul class="webhooks">
                ${data.map(
                  (system) =>
                    html`<${SystemPanel} key=${system.tms} base=${base} system=${system} onChanged=${() => loaded.reload()} />`,
                )}
              </ul>`}
      <//>
      ${isPlatform.value && html`<${SystemForm} base=${base} onSaved=${() => loaded.reload()} />`}
    </div>
  `;
}
