import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Client, ClientWithSecret } from '../../../../features/clients/schema.ts';
import { api } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { operators, partners } from '../../app/places.ts';
import { address, setQuery } from '../../app/router.ts';
import { SelectField } from '../../components/field.ts';
import { Icon } from '../../components/icon.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { Pager } from '../../components/pager.ts';
import { ToneTag } from '../../components/tone-tag.ts';
import { SecretShown } from '../../components/webhooks/secret-shown.ts';
import { ClientDrawer } from './client/client-drawer.ts';
import { KINDS } from './client/kinds.ts';
import { NewClient } from './client/new-client.ts';

/** Whose a client is, in words. */
const ownerOf = ({ partnerId, operatorId }: Client) =>
  partnerId === null
    ? operators.value.find(({ id }) => id === operatorId)?.name
    : partners.value.find(({ id }) => id === partnerId)?.name;

/** The programs that call this service. */
export default function Clients() {
  const { query } = address.value;
  const [page, kind, partnerId, opened] = ['page', 'kind', 'partner', 'client'].map((name) =>
    query.get(name),
  );
  const [isAdding, setAdding] = useState(false);
  const [added, setAdded] = useState<ClientWithSecret>();
  const loaded = useLoad(
    () => api.get<Page<Client>>('/manage/clients', { pageNumber: page, pageSize: 25, kind, partnerId }),
    [page, kind, partnerId],
  );
  const created = async (client: ClientWithSecret) => {
    setAdding(false);
    setAdded(client);
    await loaded.reload();
  };
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.clients}</h1>
        <button type="button" class="button primary" onClick=${() => setAdding(true)}>
          <${Icon} name="plus" size=${16} /> ${t.clients.add}
        </button>
        <p>${t.clients.about}</p>
      </div>
      <div class="columns filters">
        <${SelectField}
          label=${t.clients.kind}
          value=${kind ?? ''}
          choices=${[{ value: '', label: t.common.all }, ...KINDS.map((value) => ({ value, label: t.clients.kinds[value] }))]}
          onChange=${(value: string) => setQuery({ kind: value, page: null })}
        />
        <${SelectField}
          label=${t.frame.partner}
          value=${partnerId ?? ''}
          choices=${[
            { value: '', label: t.common.all },
            ...partners.value.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          onChange=${(value: string) => setQuery({ partner: value, page: null })}
        />
      </div>
      <${Loading} loaded=${loaded}>
        ${({ data, meta }: Page<Client>) =>
          data.length === 0
            ? html`<${Empty} title=${t.clients.none} text=${kind || partnerId ? t.platform.noneFound : t.clients.noneText} />`
            : html`<${Table} clients=${data} />
                <${Pager} meta=${meta} />`}
      <//>
      ${isAdding && html`<${NewClient} onClose=${() => setAdding(false)} onCreated=${created} />`}
      ${
        added &&
        html`<${SecretShown} secret=${added.secret} text=${t.clients.createdText(added.id)} onClose=${() => setAdded(undefined)} />`
      }
      ${
        opened &&
        html`<${ClientDrawer} clientId=${opened} onClose=${() => setQuery({ client: null })} onChanged=${() => loaded.reload()} />`
      }
    </div>
  `;
}

const Table = ({ clients }: { clients: readonly Client[] }) => html`
  <div class="table-wrap" tabindex="0" role="region" aria-label=${t.pages.clients}>
    <table>
      <thead>
        <tr>
          <th>${t.platform.id}</th>
          <th>${t.clients.kind}</th>
          <th>${t.clients.owner}</th>
          <th>${t.clients.state}</th>
        </tr>
      </thead>
      <tbody>
        ${clients.map((client) => {
          const open = () => setQuery({ client: client.id }, { replace: false });
          return html`
            <tr key=${client.id} class="is-link" onClick=${open}>
              <td class="break"><button type="button" class="link" onClick=${open}>${client.id}</button></td>
              <td>${t.clients.kinds[client.kind]}</td>
              <td>${ownerOf(client) ?? html`<span class="quiet">–</span>`}</td>
              <td>
                <${ToneTag} tone=${client.isActive ? 'good' : 'warn'} text=${client.isActive ? t.clients.active : t.clients.inactive} />
              </td>
            </tr>
          `;
        })}
      </tbody>
    </table>
  </div>
`;
