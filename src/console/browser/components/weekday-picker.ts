import { html } from 'htm/preact';
import { useId } from 'preact/hooks';
import { weekdays } from '../app/format.ts';
import { toggled } from '../app/order.ts';

interface Props {
  label: string;
  /** 1 is Monday. */
  chosen: readonly number[];
  onChange: (weekdays: number[]) => void;
  disabled?: boolean;
  hint?: string;
  errors?: readonly string[];
}

/** Seven small buttons, one for each day of the week. */
export function WeekdayPicker({ label, chosen, onChange, disabled = false, hint, errors = [] }: Props) {
  const id = useId();
  const [short, long] = [weekdays('short'), weekdays('long')];
  const about = errors.length > 0 ? errors.join('; ') : hint;
  return html`
    <div
      class=${errors.length > 0 ? 'field is-wrong' : 'field'}
      role="group"
      aria-labelledby=${id}
      aria-describedby=${about ? `${id}-about` : undefined}
    >
      <span class="label" id=${id}>${label}</span>
      <div class="weekday-picker">
        ${short.map((name, index) => {
          const day = index + 1;
          return html`
            <button
              key=${day}
              type="button"
              class="chip"
              aria-pressed=${chosen.includes(day)}
              title=${long[index]}
              disabled=${disabled}
              onClick=${() => onChange(toggled(chosen, day).sort((a, b) => a - b))}
            >
              ${name}
            </button>
          `;
        })}
      </div>
      ${about && html`<p class="field-about" id=${`${id}-about`}>${about}</p>`}
    </div>
  `;
}
