import { html } from 'htm/preact';
import { t } from '../../../app/language.ts';
import { replaced, without } from '../../../app/order.ts';
import { SelectField } from '../../../components/field.ts';
import { Periods } from '../../../components/hours/periods.ts';
import { Icon } from '../../../components/icon.ts';
import { WeekdayPicker } from '../../../components/weekday-picker.ts';
import type { Draft, Hours, Period, Week, Weekday } from '../draft.ts';
import { freeDays, withDays } from '../hours.ts';
import { dayNames } from '../summaries.ts';
import { Exceptions } from './exceptions.ts';
import type { SectionFieldsProps } from './section-props.ts';

const INTERVALS = [5, 10, 15, 20, 30, 45, 60, 90, 120];

/** When it can be booked, by the day of the week, and on single dates. */
export function HoursFields({ draft, set, errorsOf }: SectionFieldsProps) {
  const { weekly } = draft.hours;
  const setHours = (part: Partial<Hours>) => set({ hours: { ...draft.hours, ...part } });
  const setWeekly = (next: Week[]) => setHours({ weekly: next });
  const free = freeDays(weekly);
  const intervals = [...new Set([...INTERVALS, draft.timeIntervalMinutes])].sort((a, b) => a - b);
  return html`
    ${weekly.map(
      (week, index) => html`
        <div class="week" key=${index}>
          <${WeekdayPicker}
            label=${t.products.days}
            chosen=${week.weekdays}
            errors=${[...errorsOf(`hours.weekly.${index}.weekdays`), ...errorsOf(`hours.weekly.${index}.periods`)]}
            onChange=${(days: Weekday[]) => setWeekly(withDays(weekly, index, days))}
          />
          <div class="row">
            <${Periods}
              name=${dayNames(week.weekdays)}
              periods=${week.periods}
              onChange=${(periods: Period[]) => setWeekly(replaced(weekly, index, { ...week, periods }))}
            />
            ${
              weekly.length > 1 &&
              html`
                <button type="button" class="button quiet icon-only push" aria-label=${t.products.removeDays} title=${t.common.remove} onClick=${() => setWeekly(without(weekly, index))}>
                  <${Icon} name="trash" />
                </button>
              `
            }
          </div>
        </div>
      `,
    )}
    ${errorsOf('hours').length > 0 && html`<p class="is-wrong"><span class="field-about">${errorsOf('hours').join('; ')}</span></p>`}
    ${
      (free.length > 0 || weekly.length === 0) &&
      html`
        <div class="row">
          <button type="button" class="button small" onClick=${() => setWeekly([...weekly, { weekdays: free, periods: [{ opens: '12:00', closes: '22:00' }] }])}>
            <${Icon} name="plus" size=${16} /> ${t.products.otherHoursFor(dayNames(free))}
          </button>
        </div>
      `
    }
    <${SelectField}
      label=${t.products.interval}
      hint=${t.products.intervalHint}
      value=${String(draft.timeIntervalMinutes)}
      errors=${errorsOf('timeIntervalMinutes')}
      choices=${intervals.map((minutes) => ({ value: String(minutes), label: t.products.everyMinutes(minutes) }))}
      onChange=${(minutes: string) => set({ timeIntervalMinutes: Number(minutes) } as Partial<Draft>)}
    />
    <${Exceptions} exceptions=${draft.hours.exceptions} errorsOf=${errorsOf} onChange=${(exceptions: Hours['exceptions']) => setHours({ exceptions })} />
  `;
}
