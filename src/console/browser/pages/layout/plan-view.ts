import { html } from 'htm/preact';
import type { Layout } from '../../../../features/layout/schema.ts';
import { t } from '../../app/language.ts';
import { boxAround } from '../../components/floor/geometry.ts';
import { TableShape } from '../../components/floor/table-shape.ts';
import { Empty } from '../../components/notice.ts';
import { planOf } from './plan.ts';

/** The plan for those who may look at it only. */
export function PlanView({ layout }: { layout: Layout }) {
  if (layout.tables.length === 0) {
    return html`<${Empty} title=${t.layout.empty} text=${t.layout.emptyForStaff} />`;
  }
  const plan = planOf(layout);
  const box = boxAround(plan.tables, 40);
  return html`
    <svg class="floor" viewBox=${`${box.x} ${box.y} ${box.width} ${box.height}`} role="img" aria-label=${t.layout.plan}>
      ${plan.tables.map(
        (table) => html`<${TableShape}
          key=${table.key}
          name=${table.name}
          covers=${table.maxCovers}
          place=${table}
          state=${table.isActive ? '' : 'inactive'}
          note=${table.isActive ? `${table.minCovers}–${table.maxCovers}` : t.layout.out}
        />`,
      )}
    </svg>
    <div class="table-wrap">
      <table>
        <thead>
          <tr><th>${t.layout.area}</th><th>${t.layout.tables}</th><th class="number">${t.layout.seats}</th></tr>
        </thead>
        <tbody>
          ${plan.areas.map((area) => {
            const tables = plan.tables.filter((table) => table.area === area.key && table.isActive);
            const seats = tables.reduce((sum, { maxCovers }) => sum + maxCovers, 0);
            return html`
              <tr key=${area.key}>
                <td>${area.name}</td>
                <td>${tables.map(({ name }) => name).join(', ')}</td>
                <td class="number">${seats}</td>
              </tr>
            `;
          })}
        </tbody>
      </table>
    </div>
  `;
}
