import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { NumberField } from '../../components/amount-field.ts';
import { SelectField } from '../../components/field.ts';
import { Icon } from '../../components/icon.ts';
import { CAPACITY_LAYOUTS, type Capacities, type CapacityLayout } from './space-values.ts';

export interface CapacityFieldsProps {
  capacities: Capacities;
  onChange: (capacities: Capacities) => void;
}

/** Guests by the way in which the room is laid out. */
export function CapacityFields({ capacities, onChange }: CapacityFieldsProps) {
  const used = CAPACITY_LAYOUTS.filter((layout) => capacities[layout]);
  const unused = CAPACITY_LAYOUTS.filter((layout) => !capacities[layout]);
  const set = (layout: CapacityLayout, changes: { min?: number; max?: number }) =>
    onChange({ ...capacities, [layout]: { min: 0, max: 0, ...capacities[layout], ...changes } });
  const remove = (layout: CapacityLayout) => {
    const { [layout]: _, ...rest } = capacities;
    onChange(rest);
  };
  return html`
    <fieldset class="field-group">
      <legend>${t.layout.guests}</legend>
      ${used.map((layout) => {
        const name = t.layout.capacityLayouts[layout];
        return html`
          <div key=${layout} class="capacity-row">
            <span>${name}</span>
            <${NumberField} label=${t.layout.least} min="0" value=${capacities[layout]?.min} onInput=${(min: number | null) => set(layout, { min: min ?? 0 })} />
            <${NumberField} label=${t.layout.most} min="0" value=${capacities[layout]?.max} onInput=${(max: number | null) => set(layout, { max: max ?? 0 })} />
            <button type="button" class="button quiet icon-only" aria-label=${t.layout.removeNamed(name)} onClick=${() => remove(layout)}>
              <${Icon} name="trash" size=${16} />
            </button>
          </div>
        `;
      })}
      ${
        unused.length > 0 &&
        html`<${SelectField}
          label=${t.layout.addCapacity}
          value=""
          choices=${[{ value: '', label: '' }, ...unused.map((layout) => ({ value: layout, label: t.layout.capacityLayouts[layout] }))]}
          onChange=${(layout: string) => layout && set(layout as CapacityLayout, { min: 1, max: 20 })}
        />`
      }
    </fieldset>
  `;
}
