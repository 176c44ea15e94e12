import { html } from 'htm/preact';
import type { Association, PartnerCategory } from '../../../../features/partners/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { venues } from '../../app/places.ts';
import { CheckField, TextField } from '../../components/field.ts';
import { type DraftFieldsProps, slugsIn } from './draft.ts';

/** Partners and categories of an operator, to choose from. */
export function useAudience(operatorId: string) {
  return useLoad(async () => {
    const base = path`/manage/operators/${operatorId}`;
    const [partners, categories] = await Promise.all([
      api.get<Page<Association>>(`${base}/partners`, { pageSize: 100 }),
      api.get<{ data: PartnerCategory[] }>(`${base}/partner-categories`),
    ]);
    return { partners: partners.data.map(({ partner }) => partner), categories: categories.data };
  }, [operatorId]);
}

/** Whom and where a rule concerns: all, or those that are chosen. */
export function TargetFields({ operatorId, draft, set, errorsOf }: DraftFieldsProps) {
  const audience = useAudience(operatorId);
  const { partners = [], categories = [] } = audience.data ?? {};
  const isForSome = draft.partnerIds !== null || draft.categoryIds !== null;
  return html`
    <${Some}
      legend=${t.rules.venuesLabel}
      all=${t.rules.allVenues}
      chosen=${draft.venueIds}
      choices=${venues.value.map(({ id, name }) => ({ id, name }))}
      onChange=${(venueIds: string[] | null) => set({ venueIds })}
    />
    <fieldset class="plain">
      <legend>${t.rules.partnersLabel}</legend>
      <${CheckField}
        label=${t.rules.allPartners}
        isOn=${!isForSome}
        onChange=${(isOn: boolean) => set(isOn ? { partnerIds: null, categoryIds: null } : { partnerIds: [] })}
      />
      ${
        isForSome &&
        html`
          ${categories.map(
            ({ id, name }) => html`<${CheckField}
              key=${`c${id}`}
              label=${t.rules.category(name)}
              isOn=${draft.categoryIds?.includes(id) ?? false}
              onChange=${() => set({ categoryIds: orNull(toggled(draft.categoryIds, id)) })}
            />`,
          )}
          ${partners.map(
            ({ id, name }) => html`<${CheckField}
              key=${id}
              label=${name}
              isOn=${draft.partnerIds?.includes(id) ?? false}
              onChange=${() => set({ partnerIds: orNull(toggled(draft.partnerIds, id), draft.categoryIds === null) })}
            />`,
          )}
        `
      }
    </fieldset>
    <${TextField}
      label=${t.rules.products}
      hint=${t.rules.productsHint}
      value=${(draft.productSlugs ?? []).join(', ')}
      errors=${errorsOf('productSlugs')}
      onChange=${(event: Event) => set({ productSlugs: slugsIn((event.currentTarget as HTMLInputElement).value) })}
      onInput=${() => {}}
    />
  `;
}

const toggled = <Id>(list: readonly Id[] | null, id: Id): Id[] =>
  list?.includes(id) ? list.filter((each) => each !== id) : [...(list ?? []), id];

/** An empty list beside another one means nothing; alone it asks for a choice. */
const orNull = <Id>(list: Id[], isAlone = false) => (list.length > 0 || isAlone ? list : null);

interface SomeProps {
  legend: string;
  all: string;
  chosen: string[] | null;
  choices: readonly { id: string; name: string }[];
  onChange: (chosen: string[] | null) => void;
}

const Some = ({ legend, all, chosen, choices, onChange }: SomeProps) => html`
  <fieldset class="plain">
    <legend>${legend}</legend>
    <${CheckField} label=${all} isOn=${chosen === null} onChange=${(isOn: boolean) => onChange(isOn ? null : [])} />
    ${
      chosen !== null &&
      choices.map(
        ({ id, name }) => html`<${CheckField}
          key=${id}
          label=${name}
          isOn=${chosen.includes(id)}
          onChange=${() => onChange(toggled(chosen, id))}
        />`,
      )
    }
  </fieldset>
`;
