import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export interface FieldProps {
  label: string;
  hint?: string;
  errors?: readonly string[];
  /** Given the id that label and messages refer to. */
  children: (id: string, describedBy: string | undefined) => ComponentChildren;
}

/** A label above its input, what it is for below, and what the service says about it. */
export function Field({ label, hint, errors = [], children }: FieldProps) {
  const id = useId();
  const isDescribed = hint !== undefined || errors.length > 0;
  return html`
    <div class=${errors.length > 0 ? 'field is-wrong' : 'field'}>
      <label for=${id}>${label}</label>
      ${children(id, isDescribed ? `${id}-about` : undefined)}
      ${
        isDescribed &&
        html`<p class="field-about" id=${`${id}-about`}>${errors.length > 0 ? errors.join('; ') : hint}</p>`
      }
    </div>
  `;
}

export interface TextFieldProps {
  label: string;
  value: string | number | null;
  onInput: (value: string) => void;
  type?: string;
  hint?: string;
  errors?: readonly string[];
  /** Further attributes of the input, such as `autocomplete`, `required`, `min`. */
  [attribute: string]: unknown;
}

export const TextField = ({ label, value, onInput, hint, errors, ...rest }: TextFieldProps) => html`
  <${Field} label=${label} hint=${hint} errors=${errors}>
    ${(id: string, describedBy?: string) => html`
      <input
        id=${id}
        aria-describedby=${describedBy}
        aria-invalid=${(errors?.length ?? 0) > 0 ? 'true' : undefined}
        value=${value ?? ''}
        onInput=${(event: InputEvent) => onInput((event.currentTarget as HTMLInputElement).value)}
        ...${rest}
      />
    `}
  <//>
`;

export const TextArea = ({ label, value, onInput, hint, errors, ...rest }: TextFieldProps) => html`
  <${Field} label=${label} hint=${hint} errors=${errors}>
    ${(id: string, describedBy?: string) => html`
      <textarea
        id=${id}
        aria-describedby=${describedBy}
        rows="3"
        value=${value ?? ''}
        onInput=${(event: InputEvent) => onInput((event.currentTarget as HTMLTextAreaElement).value)}
        ...${rest}
      ></textarea>
    `}
  <//>
`;

export interface Choice {
  value: string;
  label: string;
}

export interface SelectFieldProps extends Omit<TextFieldProps, 'onInput'> {
  choices: readonly Choice[];
  onChange: (value: string) => void;
}

export const SelectField = ({
  label,
  value,
  onChange,
  choices,
  hint,
  errors,
  ...rest
}: SelectFieldProps) => html`
  <${Field} label=${label} hint=${hint} errors=${errors}>
    ${(id: string, describedBy?: string) => html`
      <select
        id=${id}
        aria-describedby=${describedBy}
        value=${value ?? ''}
        onChange=${(event: Event) => onChange((event.currentTarget as HTMLSelectElement).value)}
        ...${rest}
      >
        ${choices.map(
          (choice) =>
            html`<option value=${choice.value} selected=${choice.value === String(value ?? '')}>${choice.label}</option>`,
        )}
      </select>
    `}
  <//>
`;

export interface CheckFieldProps {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  /** A switch takes effect at once; a check box is part of a form. */
  kind?: 'check' | 'switch';
  disabled?: boolean;
}

export const CheckField = ({
  label,
  isOn,
  onChange,
  kind = 'check',
  disabled = false,
}: CheckFieldProps) => html`
  <label class=${kind}>
    <input
      type="checkbox"
      role=${kind === 'switch' ? 'switch' : undefined}
      checked=${isOn}
      disabled=${disabled}
      onChange=${(event: Event) => onChange((event.currentTarget as HTMLInputElement).checked)}
    />
    <span>${label}</span>
  </label>
`;
