import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { Icon } from '../../components/icon.ts';
import type { Plan, PlanArea, PlanZone } from './plan.ts';
import {
  type Added,
  addArea,
  addTable,
  addZone,
  changeArea,
  changeZone,
  nextName,
  removeArea,
  removeZone,
} from './plan-changes.ts';

export interface AreasPanelProps {
  plan: Plan;
  selected: readonly string[];
  onSelect: (keys: readonly string[]) => void;
  onChange: (plan: Plan, about?: string) => void;
  onAdd: (added: Added) => void;
}

interface NamedRow {
  label: string;
  name: string;
  onInput: (name: string) => void;
  /** Absent: something is still in it. */
  onRemove?: (() => void) | undefined;
}

const NameRow = ({ label, name, onInput, onRemove }: NamedRow) => html`
  <div class="plan-name">
    <input aria-label=${label} maxlength="100" value=${name} onInput=${(event: InputEvent) => onInput((event.currentTarget as HTMLInputElement).value)} />
    ${
      onRemove &&
      html`<button type="button" class="button quiet icon-only" aria-label=${t.layout.removeNamed(name)} onClick=${onRemove}>
        <${Icon} name="trash" size=${16} />
      </button>`
    }
  </div>
`;

/** Zones, their areas and the tables in them. What still holds something cannot be removed. */
export function AreasPanel({ plan, selected, onSelect, onChange, onAdd }: AreasPanelProps) {
  const areaRow = (area: PlanArea) => {
    const tables = plan.tables.filter((table) => table.area === area.key);
    return html`
      <li key=${area.key} class="plan-area">
        <${NameRow}
          label=${t.layout.areaName}
          name=${area.name}
          onInput=${(name: string) => onChange(changeArea(plan, area.key, { name }), `area ${area.key}`)}
          onRemove=${tables.length === 0 ? () => onChange(removeArea(plan, area.key)) : undefined}
        />
        <div class="table-chips">
          ${tables.map(
            (table) => html`
              <button
                key=${table.key}
                type="button"
                class="button small"
                aria-pressed=${selected.includes(table.key)}
                onClick=${() => onSelect([table.key])}
              >
                ${table.name}
              </button>
            `,
          )}
          <button type="button" class="button small quiet" onClick=${() => onAdd(addTable(plan, area.key))}>
            <${Icon} name="plus" size=${16} /> ${t.layout.table}
          </button>
        </div>
      </li>
    `;
  };
  const zoneRow = (zone: PlanZone) => {
    const areas = plan.areas.filter((area) => area.zone === zone.key);
    const newArea = () => {
      const taken = plan.areas.map(({ name }) => name);
      onChange(
        addArea(
          plan,
          zone.key,
          taken.includes(t.layout.firstArea) ? nextName(t.layout.firstArea, taken) : t.layout.firstArea,
        ),
      );
    };
    return html`
      <li key=${zone.key} class="plan-zone">
        <${NameRow}
          label=${t.layout.zoneName}
          name=${zone.name}
          onInput=${(name: string) => onChange(changeZone(plan, zone.key, { name }), `zone ${zone.key}`)}
          onRemove=${areas.length === 0 ? () => onChange(removeZone(plan, zone.key)) : undefined}
        />
        <ul>${areas.map(areaRow)}</ul>
        <button type="button" class="button small" onClick=${newArea}><${Icon} name="plus" size=${16} /> ${t.layout.area}</button>
      </li>
    `;
  };
  const newZone = () =>
    onChange(
      addZone(
        plan,
        nextName(
          t.layout.zone,
          plan.zones.map(({ name }) => name),
        ),
      ),
    );
  return html`
    <section class="panel">
      <h2>${t.layout.zonesAndAreas}</h2>
      <p class="quiet small">${t.layout.zonesText}</p>
      <ul class="plan-zones">${plan.zones.map(zoneRow)}</ul>
      <button type="button" class="button" onClick=${newZone}><${Icon} name="plus" size=${16} /> ${t.layout.zone}</button>
    </section>
  `;
}
