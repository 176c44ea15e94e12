import { html } from 'htm/preact';
import type { Operator } from '../../../../features/operators/schema.ts';
import { api } from '../../app/api.ts';
import { longDate } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { loadOperators } from '../../app/places.ts';
import { address, setQuery } from '../../app/router.ts';
import { Dialog } from '../../components/dialog.ts';
import { Icon } from '../../components/icon.ts';
import { NameFilter } from '../../components/name-filter.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { Pager } from '../../components/pager.ts';
import { ImportDialog } from './operator/import-dialog.ts';
import { OperatorDetail } from './operator/operator-detail.ts';
import { OperatorForm } from './operator/operator-form.ts';

/** All operators, or one of them. */
export default function Operators() {
  const { query } = address.value;
  const operator = query.get('operator');
  const opened = query.get('new');
  const [page, name] = [query.get('page'), query.get('name')];
  const loaded = useLoad(
    () => api.get<Page<Operator>>('/manage/operators', { pageNumber: page, pageSize: 25, name }),
    [page, name],
  );
  const changed = async () => {
    await Promise.all([loaded.reload(), loadOperators()]);
  };
  const created = async (id: number) => {
    setQuery({ new: null, operator: id });
    await changed();
  };
  if (operator !== null)
    return html`<${OperatorDetail} key=${operator} operatorId=${operator} onChanged=${changed} />`;
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.operators}</h1>
        <div class="row">
          <button type="button" class="button" onClick=${() => setQuery({ new: 'import' })}>${t.operators.import}</button>
          <button type="button" class="button primary" onClick=${() => setQuery({ new: 'operator' })}>
            <${Icon} name="plus" size=${16} /> ${t.operators.add}
          </button>
        </div>
        <p>${t.operators.about}</p>
      </div>
      <${NameFilter} />
      <${Loading} loaded=${loaded}>
        ${({ data, meta }: Page<Operator>) =>
          data.length === 0
            ? html`<${Empty} title=${t.operators.none} text=${name ? t.platform.noneFound : t.operators.noneText} />`
            : html`<${Table} operators=${data} />
                <${Pager} meta=${meta} />`}
      <//>
      ${
        opened === 'operator' &&
        html`<${Dialog} title=${t.operators.add} onClose=${() => setQuery({ new: null })}>
          <${OperatorForm} onClose=${() => setQuery({ new: null })} onSaved=${created} />
        <//>`
      }
      ${opened === 'import' && html`<${ImportDialog} onClose=${() => setQuery({ new: null })} onImported=${changed} />`}
    </div>
  `;
}

const Table = ({ operators }: { operators: readonly Operator[] }) => html`
  <div class="table-wrap" tabindex="0" role="region" aria-label=${t.pages.operators}>
    <table>
      <thead>
        <tr>
          <th>${t.common.name}</th>
          <th class="number">${t.platform.id}</th>
          <th>${t.operators.contactEmail}</th>
          <th>${t.platform.since}</th>
        </tr>
      </thead>
      <tbody>
        ${operators.map((operator) => {
          const open = () => setQuery({ operator: operator.id }, { replace: false });
          return html`
            <tr key=${operator.id} class="is-link" onClick=${open}>
              <td><button type="button" class="link" onClick=${open}>${operator.name}</button></td>
              <td class="number">${operator.id}</td>
              <td class="break">${operator.settings.contactEmail ?? html`<span class="quiet">–</span>`}</td>
              <td class="nowrap">${longDate(operator.createdAt.slice(0, 10))}</td>
            </tr>
          `;
        })}
      </tbody>
    </table>
  </div>
`;
