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

/** By composite id: a mapping has only the keys of products. */
type Names = ReadonlyMap<string, string>;

async function readNames(base: string): Promise<Names> {
  const feeds = await loadAll<PartnerFeed>(`${base}/feeds`);
  return new Map(feeds.map(({ productId, productName }) => [productId, productName]));
}

/** What the partner distributes, and what the mapping allows. */
export default function PartnerVenues({ params: { partnerId = '' } }: PageProps) {
  const base = path`/manage/partners/${partnerId}`;
  const page = address.value.query.get('page');
  const loaded = useLoad(
    () => api.get<Page<Mapping>>(`${base}/mappings`, { pageNumber: page, pageSize: 20 }),
    [base, page],
  );
  const names = useLoad(() => readNames(base), [base]);
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.partnerVenues}</h1>
        <p>${t.partnerVenues.about}</p>
      </div>
      <${Loading} loaded=${loaded}>
        ${({ data, meta }: Page<Mapping>) =>
          data.length === 0
            ? html`<${Empty} title=${t.partnerVenues.none} text=${t.partnerVenues.noneText} />`
            : html`<${Table} mappings=${data} names=${names.data ?? new Map()} />
                <${Pager} meta=${meta} />`}
      <//>
    </div>
  `;
}

const Table = ({ mappings, names }: { mappings: readonly Mapping[]; names: Names }) => html`
  <div class="table-wrap" tabindex="0" role="region" aria-label=${t.pages.partnerVenues}>
    <table class="venue-terms">
      <thead>
        <tr>
          <th>${t.frame.venue}</th>
          <th>${t.pages.products}</th>
          <th>${t.partnerVenues.terms}</th>
        </tr>
      </thead>
      <tbody>
        ${mappings.map((mapping) => html`<${Row} key=${mapping.venueId} mapping=${mapping} names=${names} />`)}
      </tbody>
    </table>
  </div>
`;

function termsOf({ isRequestOnly, maxPartySize, guestMails, deposit, company }: Mapping): string[] {
  return [
    isRequestOnly ? t.partnerVenues.requestOnly : t.partnerVenues.instant,
    maxPartySize === null ? t.partnerVenues.anySize : t.partnerVenues.upTo(maxPartySize),
    t.partnerVenues.guestMails[guestMails],
    t.partnerVenues.deposit[deposit],
    t.partnerVenues.company[company.mode](company.names),
  ];
}

function Row({ mapping, names }: { mapping: Mapping; names: Names }) {
  const { partnerId, venueId, venueName, productKeys } = mapping;
  const edit = `/console/platform/mappings?operator=${operatorOf(venueId)}&partner=${partnerId}&venue=${encodeURIComponent(venueId)}`;
  return html`
    <tr>
      <td>
        <strong>${venueName}</strong>
        <p class="small break"><code>${venueId}</code></p>
        <div class="row">
          <${CopyButton} text=${venueId} />
          ${isPlatform.value && html`<a class="button small" href=${edit}>${t.common.edit}</a>`}
        </div>
      </td>
      <td>
        ${productKeys.length === 0 && html`<p class="quiet">${t.partnerVenues.noProducts}</p>`}
        ${productKeys.map((key) => {
          const id = `${venueId}|${key}`;
          return html`<p key=${key}>${names.get(id) ?? key}<br /><code class="small quiet break">${id}</code></p>`;
        })}
      </td>
      <td class="small">${termsOf(mapping).map((term) => html`<p key=${term}>${term}</p>`)}</td>
    </tr>
  `;
}
