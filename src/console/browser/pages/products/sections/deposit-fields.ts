import { html } from 'htm/preact';
import { t } from '../../../app/language.ts';
import { MoneyField, NumberField } from '../../../components/amount-field.ts';
import { SelectField } from '../../../components/field.ts';
import { Icon } from '../../../components/icon.ts';
import { WeekdayPicker } from '../../../components/weekday-picker.ts';
import type { Deposit, Weekday } from '../draft.ts';

export interface DepositFieldsProps {
  deposit: Deposit;
  errorsOf: (field: string) => string[];
  onChange: (deposit: Deposit) => void;
  onRemove: () => void;
}

const UNITS: Deposit['per'][] = ['guest', 'booking', 'adult', 'child'];

export function DepositFields({ deposit, errorsOf, onChange, onRemove }: DepositFieldsProps) {
  const set = (part: Partial<Deposit>) => onChange({ ...deposit, ...part });
  return html`
    <fieldset class="panel plain-set">
      <legend class="visually-hidden">${t.products.deposit}</legend>
      <div class="row end">
        <${MoneyField} label=${t.products.amount} value=${deposit.amount} errors=${errorsOf('amount')} onInput=${(amount: number) => set({ amount })} />
        <${SelectField}
          label=${t.products.per}
          value=${deposit.per}
          choices=${UNITS.map((unit) => ({ value: unit, label: t.products.perUnits[unit] }))}
          onChange=${(per: Deposit['per']) => set({ per })}
        />
        <button type="button" class="button quiet icon-only" aria-label=${t.products.removeDeposit} title=${t.common.remove} onClick=${onRemove}><${Icon} name="trash" /></button>
      </div>
      <div class="columns">
        <${NumberField} label=${t.products.fromParty} hint=${t.products.anySize} min="1" value=${deposit.minPartySize} errors=${errorsOf('minPartySize')} onInput=${(size: number | null) => set({ minPartySize: size })} />
        <${NumberField} label=${t.products.toParty} hint=${t.products.anySize} min="1" value=${deposit.maxPartySize} errors=${errorsOf('maxPartySize')} onInput=${(size: number | null) => set({ maxPartySize: size })} />
      </div>
      <${WeekdayPicker}
        label=${t.products.onDays}
        hint=${t.products.anyDay}
        chosen=${deposit.weekdays ?? []}
        errors=${errorsOf('weekdays')}
        onChange=${(days: Weekday[]) => set({ weekdays: days.length > 0 ? days : null })}
      />
    </fieldset>
  `;
}
