import { html } from 'htm/preact';
import { t } from '../../../app/language.ts';
import { replaced, without } from '../../../app/order.ts';
import { Icon } from '../../../components/icon.ts';
import type { Period } from '../draft.ts';
import { shownClose } from '../hours.ts';

export interface PeriodsEditorProps {
  /** Which days they are of. */
  name: string;
  periods: readonly Period[];
  onChange: (periods: Period[]) => void;
}

/** From and to, several times a day if need be. */
export const PeriodsEditor = ({ name, periods, onChange }: PeriodsEditorProps) => html`
  <div class="shop-periods">
    ${periods.map((period, index) => {
      const set = (part: Partial<Period>) => onChange(replaced(periods, index, { ...period, ...part }));
      return html`
        <div class="row" key=${index}>
          <input
            type="time"
            required
            aria-label=${t.products.opens(name)}
            value=${period.opens}
            onInput=${(event: InputEvent) => set({ opens: (event.currentTarget as HTMLInputElement).value })}
          />
          <span aria-hidden="true">–</span>
          <input
            type="time"
            required
            aria-label=${t.products.closes(name)}
            value=${shownClose(period.closes)}
            onInput=${(event: InputEvent) => set({ closes: (event.currentTarget as HTMLInputElement).value })}
          />
          <button type="button" class="button quiet icon-only" aria-label=${t.products.removePeriod} title=${t.common.remove} onClick=${() => onChange(without(periods, index))}>
            <${Icon} name="close" />
          </button>
        </div>
      `;
    })}
    <button type="button" class="button quiet small" onClick=${() => onChange([...periods, { opens: '12:00', closes: '15:00' }])}>
      <${Icon} name="plus" size=${16} /> ${periods.length === 0 ? t.products.addHours : t.products.addPeriod}
    </button>
  </div>
`;
