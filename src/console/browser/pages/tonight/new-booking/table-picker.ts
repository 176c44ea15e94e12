import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { t } from '../../../app/language.ts';
import type { DiaryTable } from '../evening.ts';

interface TablePickerProps {
  tables: readonly DiaryTable[];
  chosen: readonly number[];
  /** What the service would give. */
  proposed: readonly number[];
  onChange: (tableIds: number[]) => void;
}

/** The table is proposed; pointing at others changes it. */
export function TablePicker({ tables, chosen, proposed, onChange }: TablePickerProps) {
  const [isOpen, setOpen] = useState(false);
  if (tables.length === 0) return null;
  const namesOf = (ids: readonly number[]) =>
    tables.flatMap(({ id, name }) => (ids.includes(id) ? name : [])).join(' + ');
  const text =
    chosen.length > 0
      ? t.tonight.atTable(namesOf(chosen))
      : proposed.length > 0
        ? t.tonight.proposedTable(namesOf(proposed))
        : t.tonight.anyTable;
  const toggle = (id: number) =>
    onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return html`
    <div class="table-picker">
      <div class="row">
        <span>${text}</span>
        <button type="button" class="button small" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>${t.tonight.otherTable}</button>
        ${chosen.length > 0 && html`<button type="button" class="button small quiet" onClick=${() => onChange([])}>${t.tonight.proposeAgain}</button>`}
      </div>
      ${
        isOpen &&
        html`<div class="chips">
          ${tables.map(
            (table) => html`
              <button type="button" key=${table.id} class="chip" aria-pressed=${chosen.includes(table.id)} onClick=${() => toggle(table.id)}>
                ${table.name} <small>${table.maxCovers}</small>
              </button>
            `,
          )}
        </div>`
      }
    </div>
  `;
}
