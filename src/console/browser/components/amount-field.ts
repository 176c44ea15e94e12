import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { parsePence, penceText, UNITS, type Unit, unitOf } from '../app/amounts.ts';
import { t } from '../app/language.ts';
import { Field, TextField } from './field.ts';

export interface NumberFieldProps {
  label: string;
  value: number | null | undefined;
  /** Null: the field is empty. What may be empty is for the service to say. */
  onInput: (value: number | null) => void;
  hint?: string;
  errors?: readonly string[];
  [attribute: string]: unknown;
}

export const NumberField = ({ value, onInput, ...rest }: NumberFieldProps) => html`
  <${TextField}
    type="number"
    inputmode="numeric"
    value=${value ?? ''}
    onInput=${(text: string) => onInput(text === '' ? null : Number(text))}
    ...${rest}
  />
`;

/** Typed in pounds, kept in pence. */
export function MoneyField({ label, value, onInput, hint, errors, ...rest }: NumberFieldProps) {
  const [text, setText] = useState(penceText(value));
  // What is typed stays as it is typed, unless the value is another by now.
  const shown = (parsePence(text) ?? null) === (value ?? null) ? text : penceText(value);
  return html`
    <${Field} label=${label} hint=${hint} errors=${errors}>
      ${(id: string, describedBy?: string) => html`
        <span class="affixed">
          <span aria-hidden="true">£</span>
          <input
            id=${id}
            inputmode="decimal"
            autocomplete="off"
            aria-describedby=${describedBy}
            value=${shown}
            onInput=${(event: InputEvent) => {
              const input = event.currentTarget as HTMLInputElement;
              const pence = parsePence(input.value);
              if (pence === undefined) {
                input.value = shown;
                return;
              }
              setText(input.value);
              onInput(pence);
            }}
            ...${rest}
          />
        </span>
      `}
    <//>
  `;
}

/** A length with its unit: ninety minutes, two hours, three days. */
export function LengthField({ label, value, onInput, hint, errors, ...rest }: NumberFieldProps) {
  const [unit, setUnit] = useState<Unit>(unitOf(value ?? null));
  return html`
    <${Field} label=${label} hint=${hint} errors=${errors}>
      ${(id: string, describedBy?: string) => html`
        <span class="with-unit">
          <input
            id=${id}
            type="number"
            min="0"
            inputmode="numeric"
            aria-describedby=${describedBy}
            value=${value == null ? '' : value / UNITS[unit]}
            onInput=${(event: InputEvent) => {
              const { value: text } = event.currentTarget as HTMLInputElement;
              onInput(text === '' ? null : Math.round(Number(text) * UNITS[unit]));
            }}
            ...${rest}
          />
          <select
            aria-label=${t.shop.unitOf(label)}
            value=${unit}
            onChange=${(event: Event) => {
              const next = (event.currentTarget as HTMLSelectElement).value as Unit;
              if (value != null) onInput(Math.round((value / UNITS[unit]) * UNITS[next]));
              setUnit(next);
            }}
          >
            ${(Object.keys(UNITS) as Unit[]).map(
              (each) => html`<option value=${each} selected=${each === unit}>${t.shop.units[each]}</option>`,
            )}
          </select>
        </span>
      `}
    <//>
  `;
}
