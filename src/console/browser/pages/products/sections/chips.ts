import { html } from 'htm/preact';

export interface ChipsProps<V> {
  label: string;
  choices: readonly { value: V; label: string; title?: string }[];
  chosen: readonly V[];
  onToggle: (value: V) => void;
  hint?: string;
  errors?: readonly string[];
}

/** Several of a few. */
export const Chips = <V extends string | number>({
  label,
  choices,
  chosen,
  onToggle,
  hint,
  errors = [],
}: ChipsProps<V>) => html`
  <fieldset class=${errors.length > 0 ? 'plain-set tight is-wrong' : 'plain-set tight'}>
    <legend>${label}</legend>
    <div class="chips">
      ${choices.map(
        ({ value, label: text, title }) => html`
          <button type="button" class="chip" key=${value} aria-pressed=${String(chosen.includes(value))} title=${title} onClick=${() => onToggle(value)}>
            ${text}
          </button>
        `,
      )}
    </div>
    ${(hint || errors.length > 0) && html`<p class="field-about">${errors.length > 0 ? errors.join('; ') : hint}</p>`}
  </fieldset>
`;
