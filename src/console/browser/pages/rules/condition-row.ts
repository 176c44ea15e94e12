import { html } from 'htm/preact';
import { weekdays } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { Icon } from '../../components/icon.ts';
import {
  type Condition,
  FIELDS,
  type Field,
  firstCondition,
  type Operator,
  operatorsOf,
  valueFor,
} from './draft.ts';

export interface ConditionRowProps {
  condition: Condition;
  onChange: (condition: Condition) => void;
  onRemove: () => void;
}

const chosen = (event: Event) => (event.currentTarget as HTMLSelectElement).value;

/** One condition: fact, comparison, value. */
export function ConditionRow({ condition, onChange, onRemove }: ConditionRowProps) {
  const { field, operator } = condition;
  const setOperator = (next: Operator) =>
    onChange({ field, operator: next, value: valueFor(field, next, condition.value) });
  return html`
    <div class="condition">
      <select
        aria-label=${t.rules.fact}
        value=${field}
        onChange=${(event: Event) => onChange(firstCondition(chosen(event) as Field))}
      >
        ${(Object.keys(FIELDS) as Field[]).map(
          (each) =>
            html`<option key=${each} value=${each} selected=${each === field}>${t.rules.fields[each]}</option>`,
        )}
      </select>
      <select
        aria-label=${t.rules.comparison}
        value=${operator}
        onChange=${(event: Event) => setOperator(chosen(event) as Operator)}
      >
        ${[...new Set([...operatorsOf(field), operator])].map(
          (each) =>
            html`<option key=${each} value=${each} selected=${each === operator}>${t.rules.operators[each]}</option>`,
        )}
      </select>
      <${Value} condition=${condition} onChange=${onChange} />
      <button type="button" class="button quiet icon-only" aria-label=${t.rules.removeCondition} onClick=${onRemove}>
        <${Icon} name="close" size=${16} />
      </button>
    </div>
  `;
}

type ValueProps = Pick<ConditionRowProps, 'condition' | 'onChange'>;

function Value({ condition, onChange }: ValueProps) {
  const { field, operator, value } = condition;
  const set = (next: Condition['value']) => onChange({ ...condition, value: next });
  if (field === 'weekday' && operator === 'in')
    return html`<${Weekdays} condition=${condition} onChange=${onChange} />`;
  if (operator === 'in')
    return html`<input
      aria-label=${t.rules.values}
      value=${(value as unknown[]).join(', ')}
      onChange=${(event: Event) => set(listOf(chosen(event), field))}
    />`;
  if (operator === 'between') {
    const [from = '', to = ''] = value as (string | number)[];
    return html`
      <${One} field=${field} label=${t.rules.valueFrom} value=${from} onChange=${(next: string | number) => set([next, to])} />
      <span>${t.rules.and}</span>
      <${One} field=${field} label=${t.rules.valueTo} value=${to} onChange=${(next: string | number) => set([from, next])} />
    `;
  }
  return html`<${One} field=${field} label=${t.rules.value} value=${value} onChange=${set} />`;
}

const listOf = (text: string, field: Field) =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => (FIELDS[field] === 'number' ? Number(each) : each));

interface OneProps {
  field: Field;
  label: string;
  value: string | number;
  onChange: (value: string | number) => void;
}

function One({ field, label, value, onChange }: OneProps) {
  const kind = FIELDS[field];
  if (kind === 'weekday')
    return html`
      <select aria-label=${label} value=${value} onChange=${(event: Event) => onChange(Number(chosen(event)))}>
        ${weekdays('long').map(
          (name, index) =>
            html`<option key=${name} value=${index + 1} selected=${index + 1 === value}>${name}</option>`,
        )}
      </select>
    `;
  const number = (text: string) => (text === '' ? '' : Number(text));
  return html`
    <input
      class=${kind === 'text' ? '' : 'short'}
      type=${kind}
      min=${kind === 'number' ? '0' : undefined}
      aria-label=${label}
      value=${value}
      onInput=${(event: Event) => onChange(kind === 'number' ? number(chosen(event)) : chosen(event))}
    />
  `;
}

/** Friday and Saturday are two taps. */
function Weekdays({ condition, onChange }: ValueProps) {
  const days = condition.value as number[];
  const toggle = (day: number) => {
    const next = days.includes(day)
      ? days.filter((each) => each !== day)
      : [...days, day].sort((a, b) => a - b);
    if (next.length > 0) onChange({ ...condition, value: next });
  };
  return html`
    <div class="chips" role="group" aria-label=${t.rules.values}>
      ${weekdays('short').map(
        (name, index) => html`
          <button
            key=${name}
            type="button"
            class="chip"
            aria-pressed=${days.includes(index + 1)}
            onClick=${() => toggle(index + 1)}
          >
            ${name}
          </button>
        `,
      )}
    </div>
  `;
}
