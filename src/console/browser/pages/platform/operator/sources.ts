import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Source } from '../../../../../features/partners/schema.ts';
import { act } from '../../../app/act.ts';
import { api, path } from '../../../app/api.ts';
import { t } from '../../../app/language.ts';
import { type Page, useLoad } from '../../../app/load.ts';
import { address, setQuery } from '../../../app/router.ts';
import { Confirm, Dialog } from '../../../components/dialog.ts';
import { EditDialog, type Edited } from '../../../components/edit-dialog.ts';
import { SelectField } from '../../../components/field.ts';
import { Icon } from '../../../components/icon.ts';
import { Empty, Loading } from '../../../components/notice.ts';
import { Pager } from '../../../components/pager.ts';
import { SourceForm } from './source-form.ts';

type Opened = { kind: 'add' } | { kind: 'change' | 'remove'; source: Source };

/** What the operator's systems call the origins of bookings, and whom each stands for. */
export function Sources({ operatorId }: { operatorId: string }) {
  const base = path`/manage/operators/${operatorId}/sources`;
  const { query } = address.value;
  const [page, resolved] = [query.get('page'), query.get('resolved')];
  const loaded = useLoad(
    () => api.get<Page<Source>>(base, { pageNumber: page, pageSize: 25, isResolved: resolved }),
    [base, page, resolved],
  );
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const at = ({ id }: Source) => `${base}${path`/${id}`}`;
  const saved = async () => {
    close();
    await loaded.reload();
  };
  const remove = async (source: Source) => {
    close();
    await act(() => api.remove(at(source)), t.platform.deleted(source.name));
    await loaded.reload();
  };
  return html`
    <section class="panel">
      <header>
        <h2>${t.sources.title}</h2>
        <button type="button" class="button" onClick=${() => setOpened({ kind: 'add' })}>
          <${Icon} name="plus" size=${16} /> ${t.sources.add}
        </button>
      </header>
      <p class="quiet">${t.sources.about}</p>
      <div class="find">
        <${SelectField}
          label=${t.sources.show}
          value=${resolved ?? ''}
          choices=${[
            { value: '', label: t.common.all },
            { value: 'true', label: t.sources.known },
            { value: 'false', label: t.sources.unknown },
          ]}
          onChange=${(value: string) => setQuery({ resolved: value, page: null })}
        />
      </div>
      <${Loading} loaded=${loaded}>
        ${({ data, meta }: Page<Source>) =>
          data.length === 0
            ? html`<${Empty} title=${t.sources.none} text=${t.sources.noneText} />`
            : html`
                <ul class="invites">
                  ${data.map(
                    (source) => html`
                      <li key=${source.id}>
                        <div class="person">
                          <strong class="break">${source.name}</strong>
                          ${source.partner === null && html`<span class="tag warn">${t.sources.unknown}</span>`}
                          <p class="small quiet">${source.partner?.name}</p>
                        </div>
                        <button
                          type="button"
                          class="button small"
                          aria-label=${t.sources.changeOf(source.name)}
                          onClick=${() => setOpened({ kind: 'change', source })}
                        >
                          ${t.common.edit}
                        </button>
                        <button
                          type="button"
                          class="button small danger"
                          aria-label=${t.platform.deleteOf(source.name)}
                          onClick=${() => setOpened({ kind: 'remove', source })}
                        >
                          ${t.platform.delete}
                        </button>
                      </li>
                    `,
                  )}
                </ul>
                <${Pager} meta=${meta} />
              `}
      <//>
      ${
        opened?.kind === 'add' &&
        html`<${Dialog} title=${t.sources.add} onClose=${close}><${SourceForm} base=${base} onClose=${close} onSaved=${saved} /><//>`
      }
      ${
        opened?.kind === 'change' &&
        html`<${EditDialog} title=${t.sources.changeOf(opened.source.name)} at=${at(opened.source)} onClose=${close}>
          ${(edited: Edited<Source>) => html`<${SourceForm} ...${edited} base=${base} onClose=${close} onSaved=${saved} />`}
        <//>`
      }
      ${
        opened?.kind === 'remove' &&
        html`<${Confirm}
          title=${t.platform.deleteOf(opened.source.name)}
          text=${opened.source.partner ? t.sources.deleteText(opened.source.partner.name) : t.sources.deleteUnknownText}
          action=${t.platform.delete}
          onConfirm=${() => remove(opened.source)}
          onClose=${close}
        />`
      }
    </section>
  `;
}
