import { html } from 'htm/preact';
import type { Mapping } from '../../../../features/partners/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import type { PageProps } from '../../app/router.ts';
import { address, setQuery } from '../../app/router.ts';
import { Field } from '../../components/field.ts';
import { Loading } from '../../components/notice.ts';
import { CallForm } from './try-call/call-form.ts';
import { type OpenApi, type Operation, operationsOf } from './try-call/operations.ts';

interface Read {
  operations: Operation[];
  clientIds: string[];
  productIds: string[];
}

async function read(partnerId: string): Promise<Read> {
  const [document, clients, mappings] = await Promise.all([
    api.get<OpenApi>('/openapi.json'),
    api.get<Page<{ id: string }>>(path`/manage/partners/${partnerId}/clients`, { pageSize: 100 }),
    api.get<Page<Mapping>>(path`/manage/partners/${partnerId}/mappings`, { pageSize: 100 }),
  ]);
  return {
    operations: operationsOf(document),
    clientIds: clients.data.map(({ id }) => id),
    productIds: mappings.data.flatMap(({ venueId, productKeys }) =>
      productKeys.map((key) => `${venueId}|${key}`),
    ),
  };
}

/** Any call of the partners' interface, sent from here as one of the partner's clients. */
export default function TryCall({ params: { partnerId = '' } }: PageProps) {
  const loaded = useLoad(() => read(partnerId), [partnerId]);
  const chosen = address.value.query.get('operation') ?? 'listVenues';
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.tryCalls}</h1>
        <p>${t.tryCall.about}</p>
      </div>
      <${Loading} loaded=${loaded}>
        ${({ operations, clientIds, productIds }: Read) => {
          const operation = operations.find(({ id }) => id === chosen) ?? operations[0];
          return html`
            <${OperationChoice} operations=${operations} chosen=${operation?.id ?? ''} />
            ${operation && html`<${CallForm} key=${operation.id} operation=${operation} clientIds=${clientIds} productIds=${productIds} />`}
          `;
        }}
      <//>
    </div>
  `;
}

function OperationChoice({ operations, chosen }: { operations: readonly Operation[]; chosen: string }) {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const choose = (event: Event) =>
    setQuery({ operation: (event.currentTarget as HTMLSelectElement).value }, { replace: false });
  return html`
    <${Field} label=${t.tryCall.operation}>
      ${(id: string) => html`
        <select id=${id} value=${chosen} onChange=${choose}>
          ${tags.map(
            (tag) => html`
              <optgroup key=${tag} label=${tag}>
                ${operations
                  .filter((operation) => operation.tag === tag)
                  .map(
                    (operation) =>
                      html`<option key=${operation.id} value=${operation.id} selected=${operation.id === chosen}>${operation.summary}</option>`,
                  )}
              </optgroup>
            `,
          )}
        </select>
      `}
    <//>
  `;
}
