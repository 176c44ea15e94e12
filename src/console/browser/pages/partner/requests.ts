import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { LoggedRequests } from '../../../../features/request-log/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import type { PageProps } from '../../app/router.ts';
import { address, setQuery } from '../../app/router.ts';
import { CursorPager } from '../../components/cursor-pager.ts';
import { CheckField } from '../../components/field.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { FILTERS, RequestFilters } from './request-filters.ts';
import { RequestTable } from './request-table.ts';

const FOLLOW_MS = 3_000;

/** The calls of the last seven days, the newest first. */
export default function Requests({ params: { partnerId = '' } }: PageProps) {
  const base = path`/manage/partners/${partnerId}/requests`;
  const { query } = address.value;
  const filter = Object.fromEntries(FILTERS.map((name) => [name, query.get(name)]));
  const cursor = query.get('cursor');
  const isFollowed = query.has('follow') && cursor === null;
  const loaded = useLoad(
    () => api.get<LoggedRequests>(base, { ...filter, cursor, limit: 50 }),
    [base, cursor, ...Object.values(filter)],
  );
  const { reload } = loaded;
  useEffect(() => {
    if (!isFollowed) return;
    const timer = setInterval(() => !document.hidden && reload(), FOLLOW_MS);
    return () => clearInterval(timer);
  }, [isFollowed, base, ...Object.values(filter)]);
  const isFiltered = Object.values(filter).some((value) => value);
  const noneText = (next: string | null) => {
    if (next !== null) return t.requests.noneSoFar;
    return isFiltered || cursor ? t.requests.noneFound : t.requests.noneText;
  };
  return html`
    <div class="page whole">
      <div class="page-head">
        <h1>${t.pages.requests}</h1>
        <div class="row">
          <${CheckField}
            kind="switch"
            label=${t.requests.follow}
            isOn=${isFollowed}
            onChange=${(isOn: boolean) => setQuery({ follow: isOn ? 'yes' : null, cursor: null })}
          />
          <button type="button" class="button" onClick=${() => reload()}>${t.webhooks.refresh}</button>
        </div>
        <p>${t.requests.about}</p>
      </div>
      <${RequestFilters} />
      <${Loading} loaded=${loaded}>
        ${({ data, meta }: LoggedRequests) => html`
          ${
            data.length === 0
              ? html`<${Empty} title=${t.requests.none} text=${noneText(meta.nextCursor)} />`
              : html`<${RequestTable} requests=${data} />`
          }
          <${CursorPager} next=${meta.nextCursor} />
        `}
      <//>
    </div>
  `;
}
