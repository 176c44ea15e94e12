import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { MoneyField } from '../../components/amount-field.ts';
import { TextField } from '../../components/field.ts';
import { Icon } from '../../components/icon.ts';
import { WeekdayPicker } from '../../components/weekday-picker.ts';
import type { Band } from './space-values.ts';

export interface SpendBandsProps {
  bands: readonly Band[];
  onChange: (bands: readonly Band[]) => void;
}

const NEW_BAND: Band = { weekdays: [5, 6], startTime: '18:00', endTime: '23:00', amount: 50_000 };

/** What guests spend at least, week by week. */
export function SpendBands({ bands, onChange }: SpendBandsProps) {
  const set = (index: number, changes: Partial<Band>) =>
    onChange(bands.map((band, at) => (at === index ? { ...band, ...changes } : band)));
  return html`
    <fieldset class="field-group">
      <legend>${t.layout.minimumSpend}</legend>
      ${bands.map(
        (band, index) => html`
          <div key=${index} class="panel">
            <${WeekdayPicker} label=${t.layout.days} chosen=${band.weekdays} onChange=${(weekdays: number[]) => set(index, { weekdays: weekdays as Band['weekdays'] })} />
            <div class="field-pair">
              <${TextField} type="time" label=${t.layout.from} value=${band.startTime.slice(0, 5)} onInput=${(startTime: string) => set(index, { startTime })} />
              <${TextField} type="time" label=${t.layout.to} value=${band.endTime.slice(0, 5)} onInput=${(endTime: string) => set(index, { endTime })} />
              <${MoneyField} label=${t.layout.amount} value=${band.amount} onInput=${(amount: number | null) => set(index, { amount: amount ?? 0 })} />
            </div>
            <button type="button" class="button small" onClick=${() => onChange(bands.filter((_, at) => at !== index))}>
              <${Icon} name="trash" size=${16} /> ${t.common.remove}
            </button>
          </div>
        `,
      )}
      <button type="button" class="button" onClick=${() => onChange([...bands, NEW_BAND])}>
        <${Icon} name="plus" size=${16} /> ${t.layout.addBand}
      </button>
    </fieldset>
  `;
}
