import { html } from 'htm/preact';
import { useId } from 'preact/hooks';
import { weekdays } from '../app/format.ts';

export interface WeekdayPickerProps {
  label: string;
  /** 1 is Monday. */
  chosen: readonly number[];
  onChange: (weekdays: number[]) => void;
  disabled?: boolean;
}

/** Seven small buttons, one for each day of the week. */
export function WeekdayPicker({ label, chosen, onChange, disabled = false }: WeekdayPickerProps) {
  const id = useId();
  const names = weekdays('short');
  const toggle = (day: number) =>
    onChange(
      chosen.includes(day) ? chosen.filter((one) => one !== day) : [...chosen, day].sort((a, b) => a - b),
    );
  return html`
    <div class="field" role="group" aria-labelledby=${id}>
      <span class="label" id=${id}>${label}</span>
      <div class="weekday-picker">
        ${names.map((name, index) => {
          const day = index + 1;
          return html`
            <button key=${day} type="button" class="chip" aria-pressed=${chosen.includes(day)} disabled=${disabled} onClick=${() => toggle(day)}>
              ${name}
            </button>
          `;
        })}
      </div>
    </div>
  `;
}
