import { html } from 'htm/preact';
import type { Layout } from '../../../../../features/layout/schema.ts';
import { api, path } from '../../../app/api.ts';
import { t } from '../../../app/language.ts';
import { useLoad } from '../../../app/load.ts';

export interface TableChoiceProps {
  venueId: string;
  /** Those of the booking, by name, as lists of bookings have them. */
  current: readonly string[];
  areaId: number | undefined;
  chosen: readonly number[] | null;
  onChange: (tableIds: readonly number[] | null) => void;
}

/** Tables by area, as buttons that are in or out. Venues on other systems have no layout here, and show nothing. */
export function TableChoice({ venueId, current, areaId, chosen, onChange }: TableChoiceProps) {
  const { data } = useLoad(
    () => api.get<Layout>(path`/manage/venues/${venueId}/layout`).catch(() => undefined),
    [venueId],
  );
  if (!data || data.tables.length === 0) return null;
  const isOwn = (table: Layout['tables'][number]) =>
    current.includes(table.name) && (areaId === undefined || current.length > 1 || table.areaId === areaId);
  const own = data.tables.filter(isOwn).map(({ id }) => id);
  const selected = chosen ?? own;
  const toggle = (id: number) => {
    const next = selected.includes(id) ? selected.filter((one) => one !== id) : [...selected, id];
    const isSame = next.length === own.length && next.every((one) => own.includes(one));
    onChange(isSame || next.length === 0 ? null : next);
  };
  const namesOf = data.tables.filter(({ id }) => selected.includes(id)).map(({ name }) => name);
  return html`
    <details class="choice">
      <summary>${t.booking.tablesAre(namesOf.join(' + ') || t.booking.noTable)}</summary>
      ${data.areas.map((area) => {
        const tables = data.tables.filter((table) => table.areaId === area.id);
        return (
          tables.length > 0 &&
          html`
            <fieldset key=${area.id}>
              <legend class="small quiet">${area.name}</legend>
              <div class="chips">
                ${tables.map(
                  ({ id, name, maxCovers, isActive }) => html`
                    <button
                      key=${id}
                      type="button"
                      class="chip"
                      aria-pressed=${selected.includes(id)}
                      disabled=${!isActive && !selected.includes(id)}
                      aria-label=${t.booking.tableFor(name, maxCovers)}
                      onClick=${() => toggle(id)}
                    >
                      ${name} <span class="small">${maxCovers}</span>
                    </button>
                  `,
                )}
              </div>
            </fieldset>
          `
        );
      })}
    </details>
  `;
}
