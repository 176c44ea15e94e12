import { html } from 'htm/preact';
import type { Closure } from '../../../../features/closures/schema.ts';
import type { VenueHours } from '../../../../features/venues/manage/venue-schema.ts';
import { longDate, number, weekdays } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { setQuery } from '../../app/router.ts';
import { Icon } from '../../components/icon.ts';
import { closureOn, exceptionOn, periodsOn, shadeOf, weeksOf } from './month.ts';

export interface MonthGridProps {
  month: string;
  today: string;
  chosen: string | undefined;
  hours: VenueHours;
  closures: readonly Closure[];
  covers: ReadonlyMap<string, number>;
  hasCovers: boolean;
}

export function MonthGrid({ month, today, chosen, hours, closures, covers, hasCovers }: MonthGridProps) {
  const most = Math.max(0, ...covers.values());
  const cell = (date: string) => {
    const count = covers.get(date) ?? 0;
    const closed = closures.map((closure) => closureOn(closure, date)).filter((kind) => kind !== undefined);
    const isShut = periodsOn(hours, date).length === 0;
    const exception = exceptionOn(hours, date);
    const marks = [
      closed.includes('whole') && t.calendar.closure,
      closed.includes('part') && t.calendar.partClosure,
      exception && (exception.periods.length === 0 ? t.calendar.closedThatDay : t.calendar.otherHours),
      !exception && isShut && t.calendar.closed,
    ].filter((mark) => mark !== false && mark !== undefined);
    const classes = ['month-day', `shade-${shadeOf(count, most)}`];
    if (date.slice(0, 7) !== month) classes.push('is-outside');
    if (date === today) classes.push('is-today');
    if (closed.includes('whole') || isShut) classes.push('is-closed');
    const label = [longDate(date), hasCovers && t.calendar.coversOf(count), ...marks]
      .filter(Boolean)
      .join(', ');
    return html`
      <td key=${date}>
        <button
          type="button"
          class=${classes.join(' ')}
          aria-current=${date === today ? 'date' : undefined}
          aria-pressed=${date === chosen}
          onClick=${() => setQuery({ day: date, month }, { replace: false })}
        >
          <span class="visually-hidden">${label}</span>
          <span class="day-number" aria-hidden="true">${Number(date.slice(8))}</span>
          ${hasCovers && count > 0 && html`<span class="day-covers" aria-hidden="true">${number(count)}</span>`}
          ${
            marks.length > 0 &&
            html`<span class="day-marks" aria-hidden="true"><${Icon} name=${closed.length > 0 ? 'lock' : 'clock'} size=${14} /><span>${marks.join(', ')}</span></span>`
          }
        </button>
      </td>
    `;
  };
  return html`
    <table class="month">
      <thead>
        <tr>${weekdays('short').map((name) => html`<th key=${name} scope="col">${name}</th>`)}</tr>
      </thead>
      <tbody>
        ${weeksOf(month).map((week) => html`<tr key=${week[0]}>${week.map(cell)}</tr>`)}
      </tbody>
    </table>
    ${hasCovers && html`<p class="quiet small">${t.calendar.legend}</p>`}
  `;
}
