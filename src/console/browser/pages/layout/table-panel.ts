import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { NumberField } from '../../components/amount-field.ts';
import { CheckField, SelectField, TextField } from '../../components/field.ts';
import type { Plan, PlanTable } from './plan.ts';
import { changeTables } from './plan-changes.ts';

export interface TablePanelProps {
  plan: Plan;
  selected: readonly string[];
  onChange: (plan: Plan, about?: string) => void;
}

/** The value that all of them have, or null. */
const shared = <K extends keyof PlanTable>(tables: readonly PlanTable[], field: K): PlanTable[K] | null => {
  const [first] = tables;
  return first && tables.every((table) => table[field] === first[field]) ? first[field] : null;
};

/** What is known of the selected tables; what is changed is changed of all of them. */
export function TablePanel({ plan, selected, onChange }: TablePanelProps) {
  const tables = plan.tables.filter(({ key }) => selected.includes(key));
  const [first] = tables;
  if (!first) {
    return html`<section class="panel"><h2>${t.layout.table}</h2><p class="quiet">${t.layout.selectOne}</p></section>`;
  }
  const change = (changes: Partial<PlanTable>) =>
    onChange(changeTables(plan, selected, changes), `${Object.keys(changes)} ${selected.join()}`);
  const number = (
    label: string,
    field: 'minCovers' | 'maxCovers' | 'x' | 'y' | 'width' | 'height' | 'rotation',
    least: number,
    most: number,
  ) => html`
    <${NumberField}
      label=${label}
      min=${least}
      max=${most}
      value=${shared(tables, field)}
      onInput=${(value: number | null) => {
        // Not while it is being typed: half a number is none.
        if (value !== null && Number.isInteger(value) && value >= least && value <= most)
          change({ [field]: value });
      }}
    />
  `;
  return html`
    <section class="panel">
      <h2>${tables.length === 1 ? t.layout.tableNamed(first.name) : t.layout.selectedTables(tables.length)}</h2>
      ${
        tables.length === 1 &&
        html`<${TextField} label=${t.common.name} maxlength="100" value=${first.name} onInput=${(name: string) => change({ name })} />`
      }
      <div class="field-pair">
        ${number(t.layout.minCovers, 'minCovers', 1, 32_767)} ${number(t.layout.maxCovers, 'maxCovers', 1, 32_767)}
      </div>
      <${SelectField}
        label=${t.layout.area}
        value=${shared(tables, 'area') ?? ''}
        choices=${[
          ...(shared(tables, 'area') === null ? [{ value: '', label: '' }] : []),
          ...plan.areas.map(({ key, name }) => ({ value: key, label: name })),
        ]}
        onChange=${(area: string) => area && change({ area })}
      />
      <${SelectField}
        label=${t.layout.shape}
        value=${shared(tables, 'shape') ?? ''}
        choices=${[
          ...(shared(tables, 'shape') === null ? [{ value: '', label: '' }] : []),
          { value: 'rectangle', label: t.layout.shapes.rectangle },
          { value: 'round', label: t.layout.shapes.round },
        ]}
        onChange=${(shape: string) => shape && change({ shape: shape as PlanTable['shape'] })}
      />
      <details>
        <summary>${t.layout.placeAndSize}</summary>
        <div class="field-pair">
          ${number(t.layout.fromLeft, 'x', 0, 10_000)} ${number(t.layout.fromTop, 'y', 0, 10_000)}
          ${number(t.layout.width, 'width', 1, 10_000)} ${number(t.layout.height, 'height', 1, 10_000)}
          ${number(t.layout.rotation, 'rotation', 0, 359)}
        </div>
      </details>
      <${CheckField}
        label=${t.layout.isActive}
        isOn=${tables.every(({ isActive }) => isActive)}
        onChange=${(isActive: boolean) => change({ isActive })}
      />
    </section>
  `;
}
