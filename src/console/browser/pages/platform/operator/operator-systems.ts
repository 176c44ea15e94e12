import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { System } from '../../../../../features/operators/schema.ts';
import { act } from '../../../app/act.ts';
import { api, path } from '../../../app/api.ts';
import { t } from '../../../app/language.ts';
import { useLoad } from '../../../app/load.ts';
import { Confirm } from '../../../components/dialog.ts';
import { Icon } from '../../../components/icon.ts';
import { Loading } from '../../../components/notice.ts';
import { ToneTag } from '../../../components/tone-tag.ts';
import { CredentialsDialog } from './credentials-dialog.ts';
import { SystemDialog } from './system-dialog.ts';

type Opened = { kind: 'add' } | { kind: 'settings' | 'credentials' | 'remove' | 'forget'; system: System };

/** The table management systems that the operator may use, with settings and credentials. */
export function OperatorSystems({ operatorId }: { operatorId: string }) {
  const base = path`/manage/operators/${operatorId}/systems`;
  const loaded = useLoad(() => api.get<{ data: System[] }>(base), [base]);
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const at = ({ tms }: System) => `${base}${path`/${tms}`}`;
  const run = async (write: () => Promise<unknown>, told: string) => {
    close();
    await act(write, told);
    await loaded.reload();
  };
  const dialog = { base, onClose: close, onSaved: () => loaded.reload() };
  return html`
    <section class="panel">
      <header>
        <h2>${t.operators.tabs.systems}</h2>
        <button type="button" class="button" onClick=${() => setOpened({ kind: 'add' })}>
          <${Icon} name="plus" size=${16} /> ${t.systemSettings.add}
        </button>
      </header>
      <p class="quiet">${t.systemSettings.about}</p>
      <${Loading} loaded=${loaded}>
        ${({ data }: { data: System[] }) => html`
          <ul class="invites">
            ${data.map(
              (system) => html`
                <li key=${system.tms}>
                  <div class="person">
                    <strong>${system.tms}</strong>
                    ${system.kind === null && html`<${ToneTag} tone="bad" text=${t.systemSettings.unconnected} />`}
                    <p class="small quiet">
                      ${system.kind !== null && t.systemSettings.kinds[system.kind]}
                      ${system.kind === 'remote' && ` · ${system.hasCredentials ? t.systemSettings.hasCredentials : t.systemSettings.noCredentials}`}
                    </p>
                  </div>
                  ${system.kind !== 'built-in' && html`<${Actions} system=${system} onOpen=${setOpened} />`}
                  <button
                    type="button"
                    class="button small danger"
                    aria-label=${t.systemSettings.removeOf(system.tms)}
                    onClick=${() => setOpened({ kind: 'remove', system })}
                  >
                    ${t.common.remove}
                  </button>
                </li>
              `,
            )}
          </ul>
        `}
      <//>
      ${opened?.kind === 'add' && html`<${SystemDialog} ...${dialog} />`}
      ${opened?.kind === 'settings' && html`<${SystemDialog} ...${dialog} system=${opened.system} />`}
      ${opened?.kind === 'credentials' && html`<${CredentialsDialog} ...${dialog} system=${opened.system} />`}
      ${
        opened?.kind === 'remove' &&
        html`<${Confirm}
          title=${t.systemSettings.removeOf(opened.system.tms)}
          text=${t.systemSettings.removeText(opened.system.tms)}
          action=${t.common.remove}
          onConfirm=${() => run(() => api.remove(at(opened.system)), t.common.removed)}
          onClose=${close}
        />`
      }
      ${
        opened?.kind === 'forget' &&
        html`<${Confirm}
          title=${t.systemSettings.forget}
          text=${t.systemSettings.forgetText(opened.system.tms)}
          action=${t.systemSettings.forget}
          onConfirm=${() => run(() => api.remove(`${at(opened.system)}/credentials`), t.common.removed)}
          onClose=${close}
        />`
      }
    </section>
  `;
}

const Actions = ({ system, onOpen }: { system: System; onOpen: (opened: Opened) => void }) => html`
  <button type="button" class="button small" onClick=${() => onOpen({ kind: 'settings', system })}>
    ${t.systemSettings.settings}
  </button>
  <button type="button" class="button small" onClick=${() => onOpen({ kind: 'credentials', system })}>
    ${t.systemSettings.credentials}
  </button>
  ${
    system.hasCredentials &&
    html`<button type="button" class="button small danger" onClick=${() => onOpen({ kind: 'forget', system })}>
      ${t.systemSettings.forget}
    </button>`
  }
`;
