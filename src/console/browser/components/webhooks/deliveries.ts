import { html } from 'htm/preact';
import type { WebhookDeliveries, WebhookDelivery } from '../../../../features/webhooks/log/schema.ts';
import type { WebhookSubscription } from '../../../../features/webhooks/schema.ts';
import { api } from '../../app/api.ts';
import { momentOf } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { type Loaded, useLoad } from '../../app/load.ts';
import { address, setQuery } from '../../app/router.ts';
import { CursorPager } from '../cursor-pager.ts';
import { SelectField } from '../field.ts';
import { Icon } from '../icon.ts';
import { Empty, Loading } from '../notice.ts';
import { answerOf, TONES, wordsOf } from './words.ts';

const STATUSES = ['pending', 'delivered', 'dropped'] as const;
const ON_A_PAGE = 25;

export function useDeliveries(base: string): Loaded<WebhookDeliveries> {
  const { query } = address.value;
  const filter = {
    webhookId: query.get('webhook'),
    status: query.get('status'),
    cursor: query.get('cursor'),
  };
  return useLoad(
    () => api.get<WebhookDeliveries>(`${base}/deliveries`, { ...filter, limit: ON_A_PAGE }),
    [base, filter.webhookId, filter.status, filter.cursor],
  );
}

/** What was posted, or still will be, with how each attempt went. */
export function Deliveries({
  webhooks,
  loaded,
}: {
  webhooks: readonly WebhookSubscription[];
  loaded: Loaded<WebhookDeliveries>;
}) {
  const { query } = address.value;
  const nameOf = (id: string) => {
    const webhook = webhooks.find(({ webhookId }) => webhookId === id);
    return webhook ? (webhook.label ?? webhook.callbackUrl) : t.webhooks.gone;
  };
  return html`
    <section class="panel">
      <header>
        <h2>${t.webhooks.deliveries}</h2>
        <button type="button" class="button small" onClick=${() => loaded.reload()}>${t.webhooks.refresh}</button>
      </header>
      <div class="columns">
        <${SelectField}
          label=${t.webhooks.webhook}
          value=${query.get('webhook') ?? ''}
          choices=${[
            { value: '', label: t.common.all },
            ...webhooks.map(({ webhookId }) => ({ value: webhookId, label: nameOf(webhookId) })),
          ]}
          onChange=${(webhook: string) => setQuery({ webhook, cursor: null })}
        />
        <${SelectField}
          label=${t.webhooks.status}
          value=${query.get('status') ?? ''}
          choices=${[
            { value: '', label: t.common.all },
            ...STATUSES.map((status) => ({ value: status, label: t.webhooks.statuses[status] })),
          ]}
          onChange=${(status: string) => setQuery({ status, cursor: null })}
        />
      </div>
      <${Loading} loaded=${loaded}>
        ${({ data, meta }: WebhookDeliveries) =>
          data.length === 0
            ? html`<${Empty} title=${t.webhooks.noDeliveries} text=${t.webhooks.noDeliveriesText} />`
            : html`
                <${Table} deliveries=${data} nameOf=${nameOf} />
                <${CursorPager} next=${meta.nextCursor} />
              `}
      <//>
    </section>
  `;
}

const Table = ({
  deliveries,
  nameOf,
}: {
  deliveries: readonly WebhookDelivery[];
  nameOf: (id: string) => string;
}) => html`
  <div class="table-wrap" tabindex="0" role="region" aria-label=${t.webhooks.deliveries}>
    <table>
      <thead>
        <tr>
          <th>${t.webhooks.when}</th>
          <th>${t.webhooks.event}</th>
          <th>${t.webhooks.webhook}</th>
          <th>${t.webhooks.status}</th>
          <th class="number">${t.webhooks.attempts}</th>
          <th>${t.webhooks.answer}</th>
        </tr>
      </thead>
      <tbody>
        ${deliveries.map((delivery) => {
          const open = () => setQuery({ delivery: delivery.id }, { replace: false });
          const last = delivery.attempts.at(-1);
          return html`
            <tr key=${delivery.id} class="is-link" onClick=${open}>
              <td>
                <button type="button" class="link">${momentOf(delivery.createdAt)}</button>
              </td>
              <td>${wordsOf(delivery.eventType)} ${delivery.isReplay && html`<span class="tag">${t.webhooks.replay}</span>`}</td>
              <td>${nameOf(delivery.webhookId)}</td>
              <td><${StatusTag} status=${delivery.status} /></td>
              <td class="number">${delivery.attempts.length}</td>
              <td>${last && answerOf(last)}</td>
            </tr>
          `;
        })}
      </tbody>
    </table>
  </div>
`;

export const StatusTag = ({ status }: { status: WebhookDelivery['status'] }) => html`
  <span class=${`tag ${TONES[status]}`}>
    <${Icon} name=${status === 'delivered' ? 'check' : status === 'pending' ? 'clock' : 'warning'} size=${14} />
    ${t.webhooks.statuses[status]}
  </span>
`;
