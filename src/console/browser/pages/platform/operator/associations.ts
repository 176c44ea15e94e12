import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Association } from '../../../../../features/partners/schema.ts';
import { act } from '../../../app/act.ts';
import { api, path } from '../../../app/api.ts';
import { t } from '../../../app/language.ts';
import { type Page, useLoad } from '../../../app/load.ts';
import { address } from '../../../app/router.ts';
import { Confirm } from '../../../components/dialog.ts';
import { CheckField } from '../../../components/field.ts';
import { Icon } from '../../../components/icon.ts';
import { Empty, Loading } from '../../../components/notice.ts';
import { Pager } from '../../../components/pager.ts';
import { AssociationDialog } from './association-dialog.ts';

/** Whom the operator deals with: needed before venues are mapped. */
export function Associations({ operatorId }: { operatorId: string }) {
  const base = path`/manage/operators/${operatorId}/partners`;
  const page = address.value.query.get('page');
  const loaded = useLoad(
    () => api.get<Page<Association>>(base, { pageNumber: page, pageSize: 25 }),
    [base, page],
  );
  const [isAdding, setAdding] = useState(false);
  const [ended, setEnded] = useState<Association>();
  const at = ({ partner }: Association) => `${base}${path`/${partner.id}`}`;
  const suspend = async (association: Association, isSuspended: boolean) => {
    const { name } = association.partner;
    const undo = async () => {
      await api.put(at(association), { isSuspended: !isSuspended });
      await loaded.reload();
    };
    const told = isSuspended ? t.associations.suspendedNow(name) : t.associations.resumed(name);
    await act(() => api.put(at(association), { isSuspended }), told, undo);
    await loaded.reload();
  };
  const end = async (association: Association) => {
    setEnded(undefined);
    await act(() => api.remove(at(association)), t.associations.ended(association.partner.name));
    await loaded.reload();
  };
  return html`
    <section class="panel">
      <header>
        <h2>${t.operators.tabs.partners}</h2>
        <button type="button" class="button" onClick=${() => setAdding(true)}>
          <${Icon} name="plus" size=${16} /> ${t.associations.add}
        </button>
      </header>
      <p class="quiet">${t.associations.about}</p>
      <${Loading} loaded=${loaded}>
        ${({ data, meta }: Page<Association>) =>
          data.length === 0
            ? html`<${Empty} title=${t.associations.none} text=${t.associations.noneText} />`
            : html`
                <ul class="invites">
                  ${data.map(
                    (association) => html`
                      <li key=${association.partner.id}>
                        <div class="person">
                          <a href=${path`/console/partners/${association.partner.id}/start`}>${association.partner.name}</a>
                          ${association.source === null && html`<span class="tag warn">${t.associations.noSource}</span>`}
                          <p class="small quiet">${association.source !== null && t.associations.calledHere(association.source)}</p>
                        </div>
                        <${CheckField}
                          kind="switch"
                          label=${t.associations.mayBook}
                          isOn=${!association.isSuspended}
                          onChange=${(isOn: boolean) => suspend(association, !isOn)}
                        />
                        <a class="button small" href=${`/console/platform/mappings?operator=${operatorId}`}>${t.pages.mappings}</a>
                        <button
                          type="button"
                          class="button small danger"
                          aria-label=${t.associations.endOf(association.partner.name)}
                          onClick=${() => setEnded(association)}
                        >
                          ${t.associations.end}
                        </button>
                      </li>
                    `,
                  )}
                </ul>
                <${Pager} meta=${meta} />
              `}
      <//>
      ${
        isAdding &&
        html`<${AssociationDialog}
          operatorId=${operatorId}
          onClose=${() => setAdding(false)}
          onSaved=${() => loaded.reload()}
        />`
      }
      ${
        ended &&
        html`<${Confirm}
          title=${t.associations.endOf(ended.partner.name)}
          text=${t.associations.endText(ended.partner.name)}
          action=${t.associations.end}
          onConfirm=${() => end(ended)}
          onClose=${() => setEnded(undefined)}
        />`
      }
    </section>
  `;
}
