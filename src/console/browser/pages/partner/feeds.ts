import { html } from 'htm/preact';
import type { PartnerFeed } from '../../../../features/feed/schema.ts';
import { api, path } from '../../app/api.ts';
import { ago, number } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import type { PageProps } from '../../app/router.ts';
import { address } from '../../app/router.ts';
import { CopyButton } from '../../components/copy-button.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { Pager } from '../../components/pager.ts';
import { type Tone, ToneTag } from '../../components/tone-tag.ts';

function stateOf({ isActive, isCurrent }: PartnerFeed): [tone: Tone, text: string] {
  if (!isActive) return ['warn', t.feeds.inactive];
  return isCurrent ? ['good', t.feeds.current] : ['warn', t.feeds.behind];
}

/** One feed for each product that the partner may sell. */
export default function Feeds({ params: { partnerId = '' } }: PageProps) {
  const at = path`/manage/partners/${partnerId}/feeds`;
  const page = address.value.query.get('page');
  const loaded = useLoad(
    () => api.get<Page<PartnerFeed>>(at, { pageNumber: page, pageSize: 25 }),
    [at, page],
  );
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.feeds}</h1>
        <button type="button" class="button" onClick=${() => loaded.reload()}>${t.webhooks.refresh}</button>
        <p>${t.feeds.about}</p>
      </div>
      <${Loading} loaded=${loaded}>
        ${({ data, meta }: Page<PartnerFeed>) =>
          data.length === 0
            ? html`<${Empty} title=${t.feeds.none} text=${t.feeds.noneText} />`
            : html`<${Table} feeds=${data} />
                <${Pager} meta=${meta} />`}
      <//>
    </div>
  `;
}

const Table = ({ feeds }: { feeds: readonly PartnerFeed[] }) => html`
  <div class="table-wrap" tabindex="0" role="region" aria-label=${t.pages.feeds}>
    <table>
      <thead>
        <tr>
          <th>${t.frame.venue}</th>
          <th>${t.feeds.product}</th>
          <th>${t.feeds.state}</th>
          <th class="number">${t.feeds.files}</th>
          <th>${t.feeds.madeAt}</th>
          <th>${t.feeds.index}</th>
        </tr>
      </thead>
      <tbody>
        ${feeds.map((feed) => {
          const [tone, text] = stateOf(feed);
          return html`
            <tr key=${feed.productId}>
              <td>${feed.venueName}</td>
              <td>${feed.productName} ${feed.isOwn && html`<span class="tag info">${t.feeds.own}</span>`}</td>
              <td><${ToneTag} tone=${tone} text=${text} /></td>
              <td class="number">${number(feed.fileCount)}</td>
              <td class="nowrap">${feed.madeAt === null ? t.start.never : ago(feed.madeAt)}</td>
              <td>${feed.url !== null && html`<${CopyButton} text=${feed.url} label=${t.feeds.copy} />`}</td>
            </tr>
          `;
        })}
      </tbody>
    </table>
  </div>
`;
