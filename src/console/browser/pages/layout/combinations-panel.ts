import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { NumberField } from '../../components/amount-field.ts';
import { Icon } from '../../components/icon.ts';
import type { Plan, PlanCombination } from './plan.ts';
import { changeCombination, separate } from './plan-changes.ts';

export interface CombinationsPanelProps {
  plan: Plan;
  selected: readonly string[];
  onSelect: (keys: readonly string[]) => void;
  onChange: (plan: Plan, about?: string) => void;
}

/** Tables that can be pushed together: those of the selected tables, or all. */
export function CombinationsPanel({ plan, selected, onSelect, onChange }: CombinationsPanelProps) {
  const nameOf = (key: string) => plan.tables.find((table) => table.key === key)?.name ?? '';
  const shown = plan.combinations.filter(
    ({ tables }) => selected.length === 0 || selected.some((key) => tables.includes(key)),
  );
  const number = (combination: PlanCombination, label: string, field: 'minCovers' | 'maxCovers') => html`
    <${NumberField}
      label=${label}
      min="1"
      placeholder=${t.layout.workedOut}
      value=${combination[field]}
      onInput=${(value: number | null) =>
        onChange(changeCombination(plan, combination.key, { [field]: value }), `${field} ${combination.key}`)}
    />
  `;
  return html`
    <section class="panel">
      <h2>${t.layout.joined}</h2>
      ${shown.length === 0 && html`<p class="quiet">${t.layout.joinHint}</p>`}
      <ul class="combinations">
        ${shown.map((combination) => {
          const names = combination.tables.map(nameOf).join(' + ');
          return html`
            <li key=${combination.key}>
              <details>
                <summary>
                  <span>${names}</span>
                  <span class="quiet">
                    ${
                      combination.minCovers === null || combination.maxCovers === null
                        ? t.layout.workedOut
                        : t.layout.covers(combination.minCovers, combination.maxCovers)
                    }
                  </span>
                </summary>
                <div class="field-pair">
                  ${number(combination, t.layout.minCovers, 'minCovers')} ${number(combination, t.layout.maxCovers, 'maxCovers')}
                </div>
                <div class="row">
                  <button type="button" class="button small" onClick=${() => onSelect(combination.tables)}>${t.layout.show}</button>
                  <button type="button" class="button small" onClick=${() => onChange(separate(plan, combination.key))}>
                    <${Icon} name="close" size=${16} /> ${t.layout.separate}
                  </button>
                </div>
              </details>
            </li>
          `;
        })}
      </ul>
    </section>
  `;
}
