import { html } from 'htm/preact';
import type { Source } from '../../../../features/partners/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { address, setQuery } from '../../app/router.ts';
import { isPlatform } from '../../app/session.ts';
import { say, sayProblem } from '../../app/toasts.ts';
import { SelectField } from '../../components/field.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { Pager } from '../../components/pager.ts';
import type { PartnerName } from './category-form.ts';

/** What the systems of the operator call the origin of bookings. The platform says whom each stands for. */
export function Sources({ base, partners }: { base: string; partners: readonly PartnerName[] }) {
  const { query } = address.value;
  const [page, isResolved] = [query.get('sources'), query.get('isResolved')];
  const loaded = useLoad(
    () => api.get<Page<Source>>(`${base}/sources`, { pageNumber: page, pageSize: 20, isResolved }),
    [base, page, isResolved],
  );
  const link = async (source: Source, partnerId: string) => {
    const at = `${base}${path`/sources/${source.id}`}`;
    const put = (to: number | null) => api.put(at, { name: source.name, partnerId: to });
    try {
      await put(partnerId === '' ? null : Number(partnerId));
      say(t.common.saved, async () => {
        await put(source.partnerId);
        await loaded.reload();
      });
    } catch (error) {
      sayProblem(error);
    }
    await loaded.reload();
  };
  return html`
    <section class="panel">
      <header>
        <div>
          <h2>${t.operatorPartners.sources}</h2>
          <p class="small quiet">${t.operatorPartners.sourcesText}</p>
        </div>
        <${SelectField}
          label=${t.operatorPartners.show}
          value=${isResolved ?? ''}
          choices=${[
            { value: '', label: t.common.all },
            { value: 'false', label: t.operatorPartners.unresolved },
            { value: 'true', label: t.operatorPartners.resolved },
          ]}
          onChange=${(value: string) => setQuery({ isResolved: value, sources: null })}
        />
      </header>
      <${Loading} loaded=${loaded}>
        ${({ data, meta }: Page<Source>) =>
          data.length === 0
            ? html`<${Empty} title=${t.operatorPartners.noSources} />`
            : html`
                <ul class="invites">
                  ${data.map(
                    (source) => html`
                      <li key=${source.id}>
                        <code class="person">${source.name}</code>
                        ${
                          isPlatform.value
                            ? html`<select
                                aria-label=${t.operatorPartners.standsFor(source.name)}
                                value=${source.partnerId ?? ''}
                                onChange=${(event: Event) => link(source, (event.currentTarget as HTMLSelectElement).value)}
                              >
                                <option value="" selected=${source.partnerId === null}>${t.operatorPartners.unknown}</option>
                                ${optionsOf(source, partners).map(
                                  ({ id, name }) =>
                                    html`<option key=${id} value=${id} selected=${id === source.partnerId}>${name}</option>`,
                                )}
                              </select>`
                            : source.partner
                              ? html`<span>${source.partner.name}</span>`
                              : html`<span class="tag warn">${t.operatorPartners.unknown}</span>`
                        }
                      </li>
                    `,
                  )}
                </ul>
                <${Pager} meta=${meta} name="sources" />
              `}
      <//>
    </section>
  `;
}

/** Those that the operator deals with, and the one that the source stands for. */
const optionsOf = ({ partner }: Source, partners: readonly PartnerName[]): readonly PartnerName[] =>
  partner && !partners.some(({ id }) => id === partner.id) ? [...partners, partner] : partners;
