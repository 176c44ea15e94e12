import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Operator } from '../../../../../features/operators/schema.ts';
import { act } from '../../../app/act.ts';
import { api, path } from '../../../app/api.ts';
import { t } from '../../../app/language.ts';
import { useLoad } from '../../../app/load.ts';
import { setQuery } from '../../../app/router.ts';
import { BackLink } from '../../../components/back-link.ts';
import { Confirm } from '../../../components/dialog.ts';
import { EditDialog, type Edited } from '../../../components/edit-dialog.ts';
import { Loading } from '../../../components/notice.ts';
import { OperatorForm } from './operator-form.ts';
import { Sources } from './sources.ts';

/** Pages of the operator that the platform opens most. */
const LINKS = ['venues', 'bookings', 'people', 'rules', 'partners', 'systems', 'audit'] as const;

interface Props {
  operatorId: string;
  onChanged: () => Promise<void>;
}

/** One operator: its settings, its sources, and the ways to its own pages, where the platform may change everything. */
export function OperatorDetail({ operatorId, onChanged }: Props) {
  const at = path`/manage/operators/${operatorId}`;
  const loaded = useLoad(() => api.get<Operator>(at), [at]);
  const [opened, setOpened] = useState<'edit' | 'delete'>();
  const back = () => setQuery({ operator: null, page: null, resolved: null });
  const close = () => setOpened(undefined);
  const remove = async (name: string) => {
    close();
    if (!(await act(() => api.remove(at), t.platform.deleted(name)))) return;
    back();
    await onChanged();
  };
  const saved = async () => {
    close();
    await Promise.all([loaded.reload(), onChanged()]);
  };
  return html`
    <div class="page">
      <div><${BackLink} label=${t.pages.operators} onBack=${back} /></div>
      <${Loading} loaded=${loaded}>
        ${(operator: Operator) => html`
          <div class="page-head">
            <h1>${operator.name}</h1>
            <div class="row">
              <a class="button" href=${`${at}/export`} download=${`operator-${operator.id}.json`}>${t.operators.export}</a>
              <button type="button" class="button" onClick=${() => setOpened('edit')}>${t.operators.change}</button>
              <button type="button" class="button danger" onClick=${() => setOpened('delete')}>${t.platform.delete}</button>
            </div>
          </div>
          <nav class="links" aria-label=${t.operators.pagesOf(operator.name)}>
            ${LINKS.map(
              (page) =>
                html`<a key=${page} href=${path`/console/operators/${operatorId}/${page}`}>${t.pages[page]}</a>`,
            )}
          </nav>
          <dl class="panel facts">
            <dt>${t.platform.id}</dt>
            <dd>${operator.id}</dd>
            <dt>${t.operators.contactEmail}</dt>
            <dd class="break">${operator.settings.contactEmail ?? t.common.none}</dd>
            <dt>${t.operators.bookingReplyTo}</dt>
            <dd class="break">${operator.settings.bookingReplyTo ?? t.common.none}</dd>
            <dt>${t.operators.timeZone}</dt>
            <dd>${operator.settings.defaultTimeZone ?? t.common.none}</dd>
          </dl>
          ${
            opened === 'delete' &&
            html`<${Confirm}
              title=${t.platform.deleteOf(operator.name)}
              text=${t.operators.deleteText(operator.name)}
              action=${t.platform.delete}
              onConfirm=${() => remove(operator.name)}
              onClose=${close}
            />`
          }
        `}
      <//>
      <${Sources} operatorId=${operatorId} />
      ${
        opened === 'edit' &&
        html`<${EditDialog} title=${t.operators.change} at=${at} onClose=${close}>
          ${(edited: Edited<Operator>) => html`<${OperatorForm} ...${edited} onClose=${close} onSaved=${saved} />`}
        <//>`
      }
    </div>
  `;
}
