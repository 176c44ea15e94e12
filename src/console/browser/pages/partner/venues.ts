import { html } from 'htm/preact';
import type { PartnerFeed } from '../../../../features/feed/schema.ts';
import type { Mapping } from '../../../../features/partners/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { loadAll } from '../../app/load-all.ts';
import type { PageProps } from '../../app/router.ts';
import { address } from '../../app/router.ts';
import { isPlatform, operatorOf } from '../../app/session.ts';
import { CopyButton } from '../../components/copy-button.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { Pager } from '../../components/pager.ts';

interface Read {
  mappings: Page<Mapping>;
  /** By composite id: the mapping itself has only their keys. */
  productNames: Map<string, string>;
}

async function read(base: string, pageNumber: string | null): Promise<Read> {
  const mappings = await api.get<Page<Mapping>>(`${base}/mappings`, { pageNumber, pageSize: 10 });
  const feeds = await Promise.all(
    mappings.data.map(({ venueId }) => loadAll<PartnerFeed>(`${base}/feeds`, { venueId })),
  );
  const productNames = new Map(feeds.flat().map(({ productId, productName }) => [productId, productName]));
  return { mappings, productNames };
}

/** What the partner distributes, and what the mapping allows. */
export default function PartnerVenues({ params: { partnerId = '' } }: PageProps) {
  const base = path`/manage/partners/${partnerId}`;
  const page = address.value.query.get('page');
  const loaded = useLoad(() => read(base, page), [base, page]);
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.partnerVenues}</h1>
        <p>${t.partnerVenues.about}</p>
      </div>
      <${Loading} loaded=${loaded}>
        ${({ mappings, productNames }: Read) =>
          mappings.data.length === 0
            ? html`<${Empty} title=${t.partnerVenues.none} text=${t.partnerVenues.noneText} />`
            : html`
                ${mappings.data.map(
                  (mapping) => html`
                    <${Venue} key=${mapping.venueId} mapping=${mapping} productNames=${productNames} partnerId=${partnerId} />
                  `,
                )}
                <${Pager} meta=${mappings.meta} />
              `}
      <//>
    </div>
  `;
}

interface VenueProps extends Pick<Read, 'productNames'> {
  mapping: Mapping;
  partnerId: string;
}

function Venue({ mapping, productNames, partnerId }: VenueProps) {
  const { venueId, venueName, productKeys, company, guestMails } = mapping;
  const terms = [
    mapping.isRequestOnly ? t.partnerVenues.requestOnly : t.partnerVenues.instant,
    mapping.maxPartySize === null ? t.partnerVenues.anySize : t.partnerVenues.upTo(mapping.maxPartySize),
    t.partnerVenues.guestMails[guestMails],
    t.partnerVenues.company[company.mode](company.names),
  ];
  const edit = `/console/platform/mappings?operator=${operatorOf(venueId)}&partner=${partnerId}&venue=${encodeURIComponent(venueId)}`;
  return html`
    <section class="panel">
      <header>
        <h2>${venueName}</h2>
        ${isPlatform.value && html`<a class="button small" href=${edit}>${t.common.edit}</a>`}
      </header>
      <div class="row">
        <code class="break">${venueId}</code>
        <${CopyButton} text=${venueId} />
      </div>
      <ul class="plain-list">
        ${terms.map((term) => html`<li key=${term}>${term}</li>`)}
      </ul>
      <h3>${t.pages.products}</h3>
      ${productKeys.length === 0 && html`<p class="quiet">${t.partnerVenues.noProducts}</p>`}
      <ul class="plain-list">
        ${productKeys.map((key) => {
          const productId = `${venueId}|${key}`;
          return html`<li key=${key}>${productNames.get(productId) ?? key} <code class="break quiet">${productId}</code></li>`;
        })}
      </ul>
    </section>
  `;
}
