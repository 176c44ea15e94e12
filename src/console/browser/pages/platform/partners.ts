import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Partner } from '../../../../features/partners/schema.ts';
import { act } from '../../app/act.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { loadPartners } from '../../app/places.ts';
import { address } from '../../app/router.ts';
import { Confirm, Dialog } from '../../components/dialog.ts';
import { EditDialog, type Edited } from '../../components/edit-dialog.ts';
import { Icon } from '../../components/icon.ts';
import { NameFilter } from '../../components/name-filter.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { Pager } from '../../components/pager.ts';
import { PartnerForm } from './partner-form.ts';

type Opened = { kind: 'add' } | { kind: 'change' | 'delete'; partner: Partner };
/** Pages of the partner that the platform opens most. */
const LINKS = ['start', 'people', 'clients', 'webhooks', 'requests'] as const;

/** Everyone who distributes venues. */
export default function Partners() {
  const { query } = address.value;
  const [page, name] = [query.get('page'), query.get('name')];
  const loaded = useLoad(
    () => api.get<Page<Partner>>('/manage/partners', { pageNumber: page, pageSize: 25, name }),
    [page, name],
  );
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const at = ({ id }: Partner) => path`/manage/partners/${id}`;
  const changed = async () => {
    close();
    await Promise.all([loaded.reload(), loadPartners()]);
  };
  const remove = async (partner: Partner) => {
    close();
    if (await act(() => api.remove(at(partner)), t.platform.deleted(partner.name))) await changed();
  };
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.partners}</h1>
        <button type="button" class="button primary" onClick=${() => setOpened({ kind: 'add' })}>
          <${Icon} name="plus" size=${16} /> ${t.partnersAll.add}
        </button>
        <p>${t.partnersAll.about}</p>
      </div>
      <${NameFilter} />
      <${Loading} loaded=${loaded}>
        ${({ data, meta }: Page<Partner>) =>
          data.length === 0
            ? html`<${Empty} title=${t.partnersAll.none} text=${name ? t.platform.noneFound : t.partnersAll.noneText} />`
            : html`
                <ul class="panel people">
                  ${data.map((partner) => html`<${Entry} key=${partner.id} partner=${partner} onOpen=${setOpened} />`)}
                </ul>
                <${Pager} meta=${meta} />
              `}
      <//>
      ${
        opened?.kind === 'add' &&
        html`<${Dialog} title=${t.partnersAll.add} onClose=${close}><${PartnerForm} onClose=${close} onSaved=${changed} /><//>`
      }
      ${
        opened?.kind === 'change' &&
        html`<${EditDialog} title=${t.partnersAll.changeOf(opened.partner.name)} at=${at(opened.partner)} onClose=${close}>
          ${(edited: Edited<Partner>) => html`<${PartnerForm} ...${edited} onClose=${close} onSaved=${changed} />`}
        <//>`
      }
      ${
        opened?.kind === 'delete' &&
        html`<${Confirm}
          title=${t.platform.deleteOf(opened.partner.name)}
          text=${t.partnersAll.deleteText(opened.partner.name)}
          action=${t.platform.delete}
          onConfirm=${() => remove(opened.partner)}
          onClose=${close}
        />`
      }
    </div>
  `;
}

const Entry = ({ partner, onOpen }: { partner: Partner; onOpen: (opened: Opened) => void }) => html`
  <li>
    <div class="person">
      <strong>${partner.name}</strong>
      ${partner.isMarketplace && html`<span class="tag info">${t.partnersAll.marketplace}</span>`}
      <p class="small quiet break">${t.partnersAll.reference(partner.reference, partner.id)}</p>
      <nav class="links" aria-label=${t.partnersAll.pagesOf(partner.name)}>
        ${LINKS.map((page) => html`<a key=${page} href=${path`/console/partners/${partner.id}/${page}`}>${t.pages[page]}</a>`)}
      </nav>
    </div>
    <div class="row">
    <button
      type="button"
      class="button small"
      aria-label=${t.partnersAll.changeOf(partner.name)}
      onClick=${() => onOpen({ kind: 'change', partner })}
    >
      ${t.common.edit}
    </button>
    <button
      type="button"
      class="button small danger"
      aria-label=${t.platform.deleteOf(partner.name)}
      onClick=${() => onOpen({ kind: 'delete', partner })}
    >
      ${t.platform.delete}
    </button>
    </div>
  </li>
`;
