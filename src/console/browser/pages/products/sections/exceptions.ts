import { html } from 'htm/preact';
import { addDays, longDate, todayIn } from '../../../app/format.ts';
import { t } from '../../../app/language.ts';
import { replaced, without } from '../../../app/order.ts';
import { TextField } from '../../../components/field.ts';
import { Periods } from '../../../components/hours/periods.ts';
import { Icon } from '../../../components/icon.ts';
import type { Hours, Period } from '../draft.ts';

type Exception = Hours['exceptions'][number];

export interface ExceptionsProps {
  exceptions: Hours['exceptions'];
  errorsOf: (field: string) => string[];
  onChange: (exceptions: Hours['exceptions']) => void;
}

/** Dates on which the weekly hours do not hold. */
export function Exceptions({ exceptions, errorsOf, onChange }: ExceptionsProps) {
  const list = exceptions ?? [];
  const set = (at: number, part: Partial<Exception>) =>
    onChange(replaced(list, at, { ...(list[at] as Exception), ...part }));
  return html`
    <fieldset class="plain-set">
      <legend>${t.products.exceptions}</legend>
      ${list.length === 0 && html`<p class="quiet small">${t.products.noExceptions}</p>`}
      ${list.map(
        (exception, index) => html`
          <div class="week" key=${index}>
            <div class="row end">
              <${TextField}
                label=${t.products.date}
                type="date"
                required
                value=${exception.date}
                errors=${errorsOf(`hours.exceptions.${index}.date`)}
                onInput=${(date: string) => set(index, { date })}
              />
              <${TextField}
                label=${t.products.reason}
                maxlength="500"
                value=${exception.reason}
                onInput=${(reason: string) => set(index, { reason: reason || null })}
              />
              <button type="button" class="button quiet icon-only" aria-label=${t.products.removeDate(exception.date)} title=${t.common.remove} onClick=${() => onChange(without(list, index))}>
                <${Icon} name="trash" />
              </button>
            </div>
            <${Periods}
              name=${exception.date && longDate(exception.date)}
              periods=${exception.periods}
              onChange=${(periods: Period[]) => set(index, { periods })}
            />
          </div>
        `,
      )}
      <div class="row">
        <button type="button" class="button small" onClick=${() => onChange([...list, { date: nextFree(list), periods: [], reason: null }])}>
          <${Icon} name="plus" size=${16} /> ${t.products.addDate}
        </button>
      </div>
    </fieldset>
  `;
}

function nextFree(list: readonly Exception[]): string {
  let date = addDays(todayIn(), 1);
  while (list.some((exception) => exception.date === date)) date = addDays(date, 1);
  return date;
}
