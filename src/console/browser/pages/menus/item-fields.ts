import { html } from 'htm/preact';
import { useId } from 'preact/hooks';
import { useFocusFirst } from '../../app/focus.ts';
import { t } from '../../app/language.ts';
import { replaced, without } from '../../app/order.ts';
import { MoneyField } from '../../components/amount-field.ts';
import { TextArea, TextField } from '../../components/field.ts';
import { Icon } from '../../components/icon.ts';
import { type ItemDraft, newOption, type OptionDraft } from './drafts.ts';
import { OptionFields } from './option-fields.ts';
import { WordChips } from './word-chips.ts';
import { ALLERGENS, COURSES, courseName, DIETS } from './words.ts';

export interface ItemFieldsProps {
  item: ItemDraft;
  errorsOf: (field: string) => string[];
  onChange: (item: ItemDraft) => void;
}

export function ItemFields({ item, errorsOf, onChange }: ItemFieldsProps) {
  const courses = useId();
  const element = useFocusFirst<HTMLDivElement>();
  const set = (part: Partial<ItemDraft>) => onChange({ ...item, ...part });
  const options = item.options ?? [];
  return html`
    <div class="form below" ref=${element}>
      <div class="columns">
        <${TextField} label=${t.common.name} value=${item.name} errors=${errorsOf('name')} onInput=${(name: string) => set({ name })} />
        <${MoneyField} label=${t.menus.price} value=${item.pricePence} errors=${errorsOf('pricePence')} onInput=${(pence: number | null) => set({ pricePence: pence as number })} />
        <${TextField} label=${t.menus.course} hint=${t.menus.courseHint} list=${courses} value=${item.type} errors=${errorsOf('type')} onInput=${(type: string) => set({ type })} />
        <${TextField} label=${t.menus.subType} hint=${t.menus.subTypeHint} value=${item.subType} errors=${errorsOf('subType')} onInput=${(subType: string) => set({ subType: subType || null })} />
      </div>
      <datalist id=${courses}>
        ${COURSES.map((course) => html`<option value=${course}>${courseName(course)}</option>`)}
      </datalist>
      <${TextArea} label=${t.menus.description} rows="2" value=${item.description} errors=${errorsOf('description')} onInput=${(text: string) => set({ description: text || null })} />
      <${WordChips} label=${t.menus.diets} known=${DIETS} words=${item.dietTypes} onChange=${(dietTypes: string[]) => set({ dietTypes })} />
      <${WordChips} label=${t.menus.allergens} known=${ALLERGENS} words=${item.allergens} onChange=${(allergens: string[]) => set({ allergens })} />
      ${options.map(
        (option, index) => html`
          <${OptionFields}
            key=${index}
            option=${option}
            errorsOf=${(field: string) => errorsOf(`options.${index}.${field}`)}
            onChange=${(next: OptionDraft) => set({ options: replaced(options, index, next) })}
            onRemove=${() => set({ options: without(options, index) })}
          />
        `,
      )}
      <div class="row">
        <button type="button" class="button small" onClick=${() => set({ options: [...options, newOption()] })}>
          <${Icon} name="plus" size=${16} /> ${t.menus.addChoice}
        </button>
      </div>
    </div>
  `;
}
