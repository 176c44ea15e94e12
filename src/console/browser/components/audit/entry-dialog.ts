import { html } from 'htm/preact';
import type { AuditEntry } from '../../../../features/audit/schema.ts';
import { api, path } from '../../app/api.ts';
import { momentOf } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { Dialog } from '../dialog.ts';
import { Loading } from '../notice.ts';
import { changesOf, textOf } from './changes.ts';

/** One change: before and after side by side, only what is different. */
export function EntryDialog({ base, id, onClose }: { base: string; id: string; onClose: () => void }) {
  const loaded = useLoad(() => api.get<AuditEntry>(`${base}${path`/${id}`}`), [base, id]);
  return html`
    <${Dialog} kind="wide" title=${t.auditLog.change} onClose=${onClose}>
      <${Loading} loaded=${loaded}>
        ${(entry: AuditEntry) => {
          const changes = changesOf(entry.before, entry.after);
          return html`
            <dl class="fact-pairs">
              <dt>${t.auditLog.who}</dt>
              <dd>${entry.actor.name} <span class="quiet">(${t.auditLog.actors[entry.actor.kind]})</span></dd>
              <dt>${t.auditLog.when}</dt>
              <dd>${momentOf(entry.at)}</dd>
              <dt>${t.auditLog.what}</dt>
              <dd><code>${entry.action}</code></dd>
              <dt>${t.auditLog.thing}</dt>
              <dd class="break">${entry.subject}</dd>
            </dl>
            ${
              changes.length === 0
                ? html`<p class="quiet">${t.auditLog.nothingShown}</p>`
                : html`
                    <div class="table-wrap" tabindex="0" role="region" aria-label=${t.auditLog.change}>
                      <table class="audit-changes">
                        <thead>
                          <tr>
                            <th>${t.auditLog.field}</th>
                            <th>${t.auditLog.before}</th>
                            <th>${t.auditLog.after}</th>
                          </tr>
                        </thead>
                        <tbody>
                          ${changes.map(
                            ({ path: name, before, after }) => html`
                              <tr key=${name}>
                                <th scope="row"><code>${name || '–'}</code></th>
                                <td>${valueCell(before, 'del')}</td>
                                <td>${valueCell(after, 'ins')}</td>
                              </tr>
                            `,
                          )}
                        </tbody>
                      </table>
                    </div>
                  `
            }
          `;
        }}
      <//>
    <//>
  `;
}

function valueCell(value: unknown, tag: 'ins' | 'del') {
  const text = textOf(value);
  return text === undefined
    ? html`<span class="quiet">${t.auditLog.absent}</span>`
    : html`<${tag} class="value">${text === '' ? '""' : text}</${tag}>`;
}
