import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { PartnerCategory } from '../../../../features/partners/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { may } from '../../app/session.ts';
import { say, sayProblem } from '../../app/toasts.ts';
import { Confirm } from '../../components/dialog.ts';
import { Icon } from '../../components/icon.ts';
import { Loading } from '../../components/notice.ts';
import { CategoryForm, type PartnerName } from './category-form.ts';

export interface CategoriesProps {
  base: string;
  operatorId: number;
  partners: readonly PartnerName[];
}

type Opened = { category?: PartnerCategory; etag?: string | null };

/** Partners that are treated alike; rules are aimed at them. Owners edit them. */
export function Categories({ base, operatorId, partners }: CategoriesProps) {
  const at = `${base}/partner-categories`;
  const loaded = useLoad(() => api.get<{ data: PartnerCategory[] }>(at), [at]);
  const [opened, setOpened] = useState<Opened>();
  const [removed, setRemoved] = useState<PartnerCategory>();
  const mayChange = may(operatorId, 'owner');
  const nameOf = (id: number) => partners.find((partner) => partner.id === id)?.name ?? String(id);
  const open = async ({ id }: PartnerCategory) => {
    try {
      const { data, etag } = await api.getTagged<PartnerCategory>(`${at}${path`/${id}`}`);
      setOpened({ category: data, etag });
    } catch (error) {
      sayProblem(error);
    }
  };
  const remove = async (category: PartnerCategory) => {
    setRemoved(undefined);
    try {
      await api.remove(`${at}${path`/${category.id}`}`);
      say(t.common.removed);
    } catch (error) {
      sayProblem(error);
    }
    await loaded.reload();
  };
  return html`
    <section class="panel">
      <header>
        <div>
          <h2>${t.operatorPartners.categories}</h2>
          <p class="small quiet">${t.operatorPartners.categoriesText}</p>
        </div>
        ${
          mayChange &&
          html`<button type="button" class="button" onClick=${() => setOpened({})}>
            <${Icon} name="plus" size=${16} /> ${t.operatorPartners.addCategory}
          </button>`
        }
      </header>
      <${Loading} loaded=${loaded}>
        ${({ data }: { data: PartnerCategory[] }) =>
          data.length === 0
            ? html`<p class="quiet">${t.operatorPartners.noCategories}</p>`
            : html`
                <ul class="invites">
                  ${data.map(
                    (category) => html`
                      <li key=${category.id}>
                        <div class="person">
                          <strong>${category.name}</strong> <code>${category.slug}</code>
                          <p class="small quiet">
                            ${category.partnerIds.map(nameOf).join(', ') || t.operatorPartners.noPartner}
                          </p>
                        </div>
                        ${
                          mayChange &&
                          html`
                            <button type="button" class="button small" onClick=${() => open(category)}>
                              ${t.common.edit}<span class="visually-hidden"> ${category.name}</span>
                            </button>
                            <button type="button" class="button small danger" onClick=${() => setRemoved(category)}>
                              ${t.common.remove}<span class="visually-hidden"> ${category.name}</span>
                            </button>
                          `
                        }
                      </li>
                    `,
                  )}
                </ul>
              `}
      <//>
      ${
        opened &&
        html`<${CategoryForm}
          at=${at}
          partners=${partners}
          category=${opened.category}
          etag=${opened.etag}
          onClose=${() => setOpened(undefined)}
          onSaved=${() => {
            setOpened(undefined);
            return loaded.reload();
          }}
        />`
      }
      ${
        removed &&
        html`<${Confirm}
          title=${t.operatorPartners.removeCategory}
          text=${t.operatorPartners.removeCategoryText(removed.name)}
          action=${t.common.remove}
          onConfirm=${() => remove(removed)}
          onClose=${() => setRemoved(undefined)}
        />`
      }
    </section>
  `;
}
