import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { replaced, without } from '../../app/order.ts';
import { MoneyField } from '../../components/amount-field.ts';
import { CheckField, TextField } from '../../components/field.ts';
import { Icon } from '../../components/icon.ts';
import type { OptionDraft } from './drafts.ts';

export interface OptionFieldsProps {
  option: OptionDraft;
  errorsOf: (field: string) => string[];
  onChange: (option: OptionDraft) => void;
  onRemove: () => void;
}

/** A choice that a dish leaves to the guest, such as how it is cooked. */
export function OptionFields({ option, errorsOf, onChange, onRemove }: OptionFieldsProps) {
  const { values } = option;
  const set = (part: Partial<OptionDraft>) => onChange({ ...option, ...part });
  return html`
    <fieldset class="panel plain-set">
      <legend class="visually-hidden">${t.menus.choice}</legend>
      <div class="row end">
        <${TextField} label=${t.menus.choice} hint=${t.menus.choiceHint} value=${option.name} errors=${[...errorsOf('name'), ...errorsOf('id')]} onInput=${(name: string) => set({ name })} />
        <${CheckField} label=${t.menus.mustChoose} isOn=${option.required} onChange=${(required: boolean) => set({ required })} />
        <button type="button" class="button quiet icon-only push" aria-label=${t.menus.removeChoice(option.name)} title=${t.common.remove} onClick=${onRemove}><${Icon} name="trash" /></button>
      </div>
      ${values.map(
        (value, index) => html`
          <div class="row end" key=${index}>
            <${TextField}
              label=${t.menus.value}
              value=${value.value}
              errors=${errorsOf(`values.${index}.value`)}
              onInput=${(text: string) => set({ values: replaced(values, index, { ...value, value: text }) })}
            />
            <${MoneyField}
              label=${t.menus.surcharge}
              value=${value.pricePence}
              errors=${errorsOf(`values.${index}.pricePence`)}
              onInput=${(pence: number | null) => set({ values: replaced(values, index, { ...value, pricePence: pence as number }) })}
            />
            ${
              values.length > 1 &&
              html`
                <button type="button" class="button quiet icon-only" aria-label=${t.menus.removeValue(value.value)} title=${t.common.remove} onClick=${() => set({ values: without(values, index) })}>
                  <${Icon} name="close" />
                </button>
              `
            }
          </div>
        `,
      )}
      <div class="row">
        <button type="button" class="button small" onClick=${() => set({ values: [...values, { value: '', pricePence: 0 }] })}>
          <${Icon} name="plus" size=${16} /> ${t.menus.addValue}
        </button>
      </div>
    </fieldset>
  `;
}
