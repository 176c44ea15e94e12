import { html } from 'htm/preact';
import { money, number, percent, shortDate } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { measureOf, type Row } from './days.ts';

/** Every figure of the report; a bar shows the share of covers where things are compared. */
export function CoversTable({ rows, by, currency }: { rows: readonly Row[]; by: string; currency: string }) {
  const most = Math.max(1, ...rows.map(({ covers }) => covers));
  const isByDay = by === 'day';
  return html`
    <div class="table-wrap" tabindex="0" role="region" aria-label=${t.reports.table}>
      <table>
        <thead>
          <tr>
            <th>${t.reports.groupings[by as keyof typeof t.reports.groupings]}</th>
            <th class="number">${t.reports.covers}</th>
            ${!isByDay && html`<th class="bar-cell"><span class="visually-hidden">${t.reports.share}</span></th>`}
            <th class="number">${t.reports.bookings}</th>
            <th class="number">${t.reports.noShows}</th>
            <th class="number">${t.reports.noShowRate}</th>
            <th class="number">${t.reports.cancellations}</th>
            <th class="number">${t.reports.leadTime}</th>
            <th class="number">${t.reports.spend}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) => {
            const rate = measureOf(row, 'noShowRate');
            return html`
              <tr key=${row.key}>
                <th scope="row">${isByDay ? shortDate(row.key) : nameOf(row)}</th>
                <td class="number">${number(row.covers)}</td>
                ${
                  !isByDay &&
                  html`<td class="bar-cell">
                    <span class="bar" aria-hidden="true" style=${{ width: `${(100 * row.covers) / most}%` }}></span>
                  </td>`
                }
                <td class="number">${number(row.bookings)}</td>
                <td class="number">${number(row.noShows)}</td>
                <td class="number">${rate === null ? '–' : percent(rate)}</td>
                <td class="number">${number(row.cancellations)}</td>
                <td class="number">${row.leadDays === null ? '–' : number(row.leadDays)}</td>
                <td class="number">${money(row.spendPence, currency)}</td>
              </tr>
            `;
          })}
        </tbody>
      </table>
    </div>
  `;
}

/** What the service calls by a code has a word here. */
const nameOf = ({ key, name }: Row) => t.reports.names[key as keyof typeof t.reports.names] ?? name;
