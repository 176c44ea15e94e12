import { html } from 'htm/preact';
import { t } from '../../../app/language.ts';
import { TextField } from '../../../components/field.ts';
import { Icon } from '../../../components/icon.ts';
import type { Pair } from './setting-values.ts';

interface Props {
  pairs: readonly Pair[];
  onChange: (pairs: Pair[]) => void;
  /** Of the values: `password` where they must not be read over a shoulder. */
  type?: string;
}

/** Names with their values, row by row. */
export const PairsField = ({ pairs, onChange, type = 'text' }: Props) => {
  const change = (at: number, changes: Partial<Pair>) =>
    onChange(pairs.map((pair, index) => (index === at ? { ...pair, ...changes } : pair)));
  return html`
    ${pairs.map(
      (pair, index) => html`
        <div class="pair" key=${index}>
          <${TextField} label=${t.systemSettings.name} value=${pair.name} onInput=${(name: string) => change(index, { name })} />
          <${TextField}
            label=${t.systemSettings.value}
            type=${type}
            autocomplete="off"
            value=${pair.value}
            onInput=${(value: string) => change(index, { value })}
          />
          <button
            type="button"
            class="button quiet icon-only"
            aria-label=${t.systemSettings.removeOf(pair.name)}
            onClick=${() => onChange(pairs.filter((_, each) => each !== index))}
          >
            <${Icon} name="trash" size=${18} />
          </button>
        </div>
      `,
    )}
    <div>
      <button type="button" class="button small" onClick=${() => onChange([...pairs, { name: '', value: '' }])}>
        <${Icon} name="plus" size=${16} /> ${t.common.add}
      </button>
    </div>
  `;
};
