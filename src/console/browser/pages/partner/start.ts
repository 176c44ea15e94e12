import { html } from 'htm/preact';
import type { Client } from '../../../../features/clients/schema.ts';
import type { LoggedRequests } from '../../../../features/request-log/schema.ts';
import { api, path } from '../../app/api.ts';
import { ago, number } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import type { PageProps } from '../../app/router.ts';
import { address, setQuery } from '../../app/router.ts';
import { CodeBlock } from '../../components/code-block.ts';
import { SelectField } from '../../components/field.ts';
import { Icon, type IconName } from '../../components/icon.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { demoSecretOf, tokenCall, venuesCall } from './first-calls.ts';
import { AUDIENCE } from './try-call/token.ts';

interface Known {
  clients: Client[];
  venues: number;
  last: LoggedRequests['data'][number] | undefined;
}

async function read(base: string): Promise<Known> {
  const [clients, mappings, requests] = await Promise.all([
    api.get<Page<Client>>(`${base}/clients`, { pageSize: 100 }),
    api.get<Page<unknown>>(`${base}/mappings`, { pageSize: 1 }),
    api.get<LoggedRequests>(`${base}/requests`, { limit: 1 }),
  ]);
  return { clients: clients.data, venues: mappings.meta.totalItems, last: requests.data[0] };
}

/** From nothing to the first answer. */
export default function Start({ params: { partnerId = '' } }: PageProps) {
  const base = path`/manage/partners/${partnerId}`;
  const loaded = useLoad(() => read(base), [base]);
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.start}</h1>
        <p>${t.start.about}</p>
      </div>
      <${Loading} loaded=${loaded}>
        ${(known: Known) => html`
          <${Facts} known=${known} />
          <${FirstCalls} clients=${known.clients} partnerId=${partnerId} />
          <${Next} partnerId=${partnerId} />
        `}
      <//>
    </div>
  `;
}

const Facts = ({ known: { clients, venues, last } }: { known: Known }) => html`
  <dl class="totals">
    <div>
      <dt>${t.pages.clients}</dt>
      <dd>${number(clients.length)}</dd>
    </div>
    <div>
      <dt>${t.pages.partnerVenues}</dt>
      <dd>${number(venues)}</dd>
    </div>
    <div>
      <dt>${t.start.lastCall}</dt>
      <dd>${last ? ago(last.at) : t.start.never}</dd>
    </div>
  </dl>
`;

function FirstCalls({ clients, partnerId }: { clients: readonly Client[]; partnerId: string }) {
  const chosen = address.value.query.get('client');
  const client =
    clients.find(({ id }) => id === chosen) ?? clients.find(({ isActive }) => isActive) ?? clients[0];
  if (!client) return html`<${Empty} title=${t.start.noClient} text=${t.start.noClientText} />`;
  const secret = demoSecretOf(client.id);
  const call = {
    origin: location.origin,
    clientId: client.id,
    audience: AUDIENCE,
    ...(secret && { secret }),
  };
  return html`
    <section class="panel">
      <h2>${t.start.firstCalls}</h2>
      ${
        clients.length > 1 &&
        html`<${SelectField}
          label=${t.start.client}
          value=${client.id}
          choices=${clients.map(({ id }) => ({ value: id, label: id }))}
          onChange=${(id: string) => setQuery({ client: id })}
        />`
      }
      <dl class="fact-pairs">
        <dt>${t.start.clientId}</dt>
        <dd class="break"><code>${client.id}</code></dd>
        <dt>${t.start.address}</dt>
        <dd class="break"><code>${location.origin}</code></dd>
        <dt>${t.start.audience}</dt>
        <dd><code>${AUDIENCE}</code></dd>
      </dl>
      <h3>${t.start.getToken}</h3>
      ${
        secret === undefined &&
        html`<p>${t.start.setSecret} <a href=${path`/console/partners/${partnerId}/clients`}>${t.start.makeSecret}</a></p>
          <${CodeBlock} label=${t.start.setSecret} text="export CLIENT_SECRET=…" />`
      }
      <${CodeBlock} label=${t.start.getToken} text=${tokenCall(call)} />
      <h3>${t.start.listVenues}</h3>
      <${CodeBlock} label=${t.start.listVenues} text=${venuesCall(call)} />
      <p class="quiet">${t.start.seeLog}</p>
    </section>
  `;
}

const STEPS: readonly {
  page: 'tryCalls' | 'requests' | 'webhooks' | 'partnerVenues';
  to: string;
  icon: IconName;
}[] = [
  { page: 'tryCalls', to: 'try', icon: 'search' },
  { page: 'requests', to: 'requests', icon: 'list' },
  { page: 'webhooks', to: 'webhooks', icon: 'webhook' },
  { page: 'partnerVenues', to: 'venues', icon: 'venue' },
];

const Next = ({ partnerId }: { partnerId: string }) => html`
  <section class="panel">
    <h2>${t.start.next}</h2>
    <ul class="next-steps">
      <li>
        <a href="/docs/guides" target="_blank"><${Icon} name="menus" /> ${t.start.guides}</a>
        <p class="small quiet">${t.start.guidesText}</p>
      </li>
      <li>
        <a href="/docs/" target="_blank"><${Icon} name="faqs" /> ${t.start.docs}</a>
        <p class="small quiet">${t.start.docsText}</p>
      </li>
      ${STEPS.map(
        ({ page, to, icon }) => html`
          <li key=${to}>
            <a href=${path`/console/partners/${partnerId}/${to}`}><${Icon} name=${icon} /> ${t.pages[page]}</a>
            <p class="small quiet">${t.start.steps[page]}</p>
          </li>
        `,
      )}
    </ul>
  </section>
`;
