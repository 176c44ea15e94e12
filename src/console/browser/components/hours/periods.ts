import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { replaced, without } from '../../app/order.ts';
import { Icon } from '../icon.ts';
import { closesField, closesOf } from './closing.ts';

interface Period {
  opens: string;
  closes: string;
}

interface Props {
  /** Of which day, for those who do not see the heading. */
  name: string;
  periods: readonly Period[];
  onChange: (periods: Period[]) => void;
  isReadOnly?: boolean;
}

const NEXT: Period = { opens: '18:00', closes: '23:00' };
const FIRST: Period = { opens: '12:00', closes: '23:00' };
const MOST = 10;

/** The times at which a day is open: none, one or several. */
export function Periods({ name, periods, onChange, isReadOnly = false }: Props) {
  const set = (index: number, changes: Partial<Period>) =>
    onChange(replaced(periods, index, { ...(periods[index] as Period), ...changes }));
  const field = (label: string, value: string, onInput: (value: string) => void) => html`
    <input
      type="time"
      required
      disabled=${isReadOnly}
      aria-label=${label}
      value=${value}
      onInput=${(event: InputEvent) => onInput((event.currentTarget as HTMLInputElement).value)}
    />
  `;
  return html`
    <div class="open-periods">
      ${periods.length === 0 && html`<span class="tag">${t.calendar.closed}</span>`}
      ${periods.map(
        ({ opens, closes }, index) => html`
          <div key=${index} class="open-period">
            ${field(t.calendar.opensOf(name), opens.slice(0, 5), (value) => set(index, { opens: value }))}
            <span aria-hidden="true">–</span>
            ${field(t.calendar.closesOf(name), closesField(closes), (value) => set(index, { closes: closesOf(opens, value) }))}
            ${
              !isReadOnly &&
              html`<button type="button" class="button quiet icon-only" aria-label=${t.calendar.removePeriod(opens, closes)} onClick=${() => onChange(without(periods, index))}>
                <${Icon} name="close" size=${16} />
              </button>`
            }
          </div>
        `,
      )}
      ${
        !isReadOnly &&
        periods.length < MOST &&
        html`<button type="button" class="button quiet small" onClick=${() => onChange([...periods, periods.length === 0 ? FIRST : NEXT])}>
          <${Icon} name="plus" size=${16} /> ${t.calendar.addPeriod}
        </button>`
      }
    </div>
  `;
}
