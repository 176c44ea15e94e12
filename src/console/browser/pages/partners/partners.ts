import { html } from 'htm/preact';
import type { Association } from '../../../../features/partners/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import type { PageProps } from '../../app/router.ts';
import { address, setQuery } from '../../app/router.ts';
import { isPlatform } from '../../app/session.ts';
import { say, sayProblem } from '../../app/toasts.ts';
import { CheckField } from '../../components/field.ts';
import { Icon } from '../../components/icon.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { Pager } from '../../components/pager.ts';
import { AssociationForm } from './association-form.ts';
import { Categories } from './categories.ts';
import { PartnerDrawer } from './partner-drawer.ts';
import { Sources } from './sources.ts';

/** Who distributes the operator, on which terms, and how partners are grouped. */
export default function Partners({ params: { operatorId = '' } }: PageProps) {
  const base = path`/manage/operators/${operatorId}`;
  const { query } = address.value;
  const [page, open] = [query.get('page'), query.get('partner')];
  const loaded = useLoad(
    () => api.get<Page<Association>>(`${base}/partners`, { pageNumber: page, pageSize: 50 }),
    [base, page],
  );
  const reload = () => loaded.reload();
  const partners = (loaded.data?.data ?? []).map(({ partner }) => partner);
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.partners}</h1>
        <p>${t.operatorPartners.about}</p>
      </div>
      <${Loading} loaded=${loaded}>
        ${({ data, meta }: Page<Association>) =>
          data.length === 0
            ? html`<${Empty} title=${t.operatorPartners.none} text=${t.operatorPartners.noneText} />`
            : html`<${List} base=${base} associations=${data} onChanged=${reload} /><${Pager} meta=${meta} />`}
      <//>
      ${isPlatform.value && html`<${AssociationForm} base=${base} onSaved=${reload} />`}
      <${Categories} base=${base} operatorId=${Number(operatorId)} partners=${partners} />
      <${Sources} base=${base} partners=${partners} />
      ${
        open !== null &&
        html`<${PartnerDrawer}
          base=${base}
          partnerId=${open}
          onClose=${() => setQuery({ partner: null })}
          onEnded=${reload}
        />`
      }
    </div>
  `;
}

interface ListProps {
  base: string;
  associations: readonly Association[];
  onChanged: () => Promise<void>;
}

function List({ base, associations, onChanged }: ListProps) {
  const suspend = async ({ partner }: Association, isSuspended: boolean) => {
    const put = (value: boolean) =>
      api.put(`${base}${path`/partners/${partner.id}`}`, { isSuspended: value });
    try {
      await put(isSuspended);
      say(
        isSuspended
          ? t.operatorPartners.nowSuspended(partner.name)
          : t.operatorPartners.resumed(partner.name),
        async () => {
          await put(!isSuspended);
          await onChanged();
        },
      );
    } catch (error) {
      sayProblem(error);
    }
    await onChanged();
  };
  return html`
    <div class="table-wrap" tabindex="0" role="region" aria-label=${t.pages.partners}>
      <table>
        <thead>
          <tr>
            <th>${t.common.name}</th>
            <th>${t.operatorPartners.reference}</th>
            <th>${t.operatorPartners.source}</th>
            <th>${t.operatorPartners.state}</th>
            ${isPlatform.value && html`<th><span class="visually-hidden">${t.operatorPartners.mayBook}</span></th>`}
          </tr>
        </thead>
        <tbody>
          ${associations.map((association) => {
            const { partner, isSuspended, source } = association;
            return html`
              <tr key=${partner.id}>
                <td>
                  <button
                    type="button"
                    class="link"
                    onClick=${() => setQuery({ partner: partner.id }, { replace: false })}
                  >
                    ${partner.name}
                  </button>
                </td>
                <td><code>${partner.reference}</code></td>
                <td>${source ?? html`<span class="quiet">${t.operatorPartners.noSource}</span>`}</td>
                <td><${StateTag} isSuspended=${isSuspended} source=${source} /></td>
                ${
                  isPlatform.value &&
                  html`<td>
                    <${CheckField}
                      kind="switch"
                      label=${t.operatorPartners.mayBook}
                      isOn=${!isSuspended}
                      onChange=${(isOn: boolean) => suspend(association, !isOn)}
                    />
                  </td>`
                }
              </tr>
            `;
          })}
        </tbody>
      </table>
    </div>
  `;
}

const StateTag = ({ isSuspended, source }: Pick<Association, 'isSuspended' | 'source'>) => {
  const [tone, text] = isSuspended
    ? ['bad', t.operatorPartners.suspended]
    : source === null
      ? ['warn', t.operatorPartners.waits]
      : ['good', t.operatorPartners.books];
  return html`<span class=${`tag ${tone}`}><${Icon} name=${tone === 'good' ? 'check' : 'warning'} size=${14} /> ${text}</span>`;
};
