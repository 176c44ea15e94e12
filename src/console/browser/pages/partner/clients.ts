import { html } from 'htm/preact';
import type { Client } from '../../../../features/clients/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import type { PageProps } from '../../app/router.ts';
import { address } from '../../app/router.ts';
import { MandateSection } from '../../components/clients/mandate.ts';
import { Secrets } from '../../components/clients/secrets.ts';
import { CopyButton } from '../../components/copy-button.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { Pager } from '../../components/pager.ts';
import { ToneTag } from '../../components/tone-tag.ts';

/** The programs of the partner, and their secrets. */
export default function PartnerClients({ params: { partnerId = '' } }: PageProps) {
  const base = path`/manage/partners/${partnerId}/clients`;
  const page = address.value.query.get('page');
  const loaded = useLoad(() => api.get<Page<Client>>(base, { pageNumber: page, pageSize: 10 }), [base, page]);
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.clients}</h1>
        <p>${t.clients.partnerAbout}</p>
      </div>
      <${Loading} loaded=${loaded}>
        ${({ data, meta }: Page<Client>) =>
          data.length === 0
            ? html`<${Empty} title=${t.clients.none} text=${t.start.noClientText} />`
            : html`
                ${data.map(
                  (client) => html`
                    <section class="panel" key=${client.id}>
                      <header>
                        <h2 class="break">${client.id}</h2>
                        <${ToneTag}
                          tone=${client.isActive ? 'good' : 'warn'}
                          text=${client.isActive ? t.clients.active : t.clients.inactive}
                        />
                      </header>
                      <div class="row"><${CopyButton} text=${client.id} label=${t.clients.copyId} /></div>
                      <h3>${t.clients.scopes}</h3>
                      <ul class="plain-list">
                        ${client.scopes.map((scope) => html`<li key=${scope}>${t.clients.scopeTexts[scope]} <code>${scope}</code></li>`)}
                      </ul>
                      <${Secrets} base=${`${base}${path`/${client.id}`}/secrets`} />
                      <${MandateSection}
                        at=${`${base}${path`/${client.id}`}/mandate`}
                        hasMandate=${client.hasMandate}
                        onChanged=${() => loaded.reload()}
                      />
                    </section>
                  `,
                )}
                <${Pager} meta=${meta} />
              `}
      <//>
    </div>
  `;
}
