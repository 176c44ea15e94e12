import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { Icon } from '../../components/icon.ts';

export type Pair = [name: string, value: string];

export interface PairsProps {
  pairs: readonly Pair[];
  onChange: (pairs: Pair[]) => void;
  /** Values are not shown while they are typed. */
  isSecret?: boolean;
}

const textIn = (event: Event) => (event.currentTarget as HTMLInputElement).value;

/** Names with their values, one to a row. */
export const Pairs = ({ pairs, onChange, isSecret = false }: PairsProps) => {
  const setAt = (index: number, pair?: Pair) =>
    onChange(pairs.flatMap((each, at) => (at !== index ? [each] : pair ? [pair] : [])));
  return html`
    ${pairs.map(
      ([name, value], index) => html`
        <div key=${index} class="name-and-value">
          <input
            aria-label=${t.systems.fieldName}
            placeholder=${t.systems.fieldName}
            autocomplete="off"
            value=${name}
            onInput=${(event: Event) => setAt(index, [textIn(event), value])}
          />
          <input
            aria-label=${t.systems.fieldValue}
            placeholder=${t.systems.fieldValue}
            type=${isSecret ? 'password' : 'text'}
            autocomplete=${isSecret ? 'new-password' : 'off'}
            value=${value}
            onInput=${(event: Event) => setAt(index, [name, textIn(event)])}
          />
          <button type="button" class="button quiet icon-only" aria-label=${t.common.remove} onClick=${() => setAt(index)}>
            <${Icon} name="close" size=${16} />
          </button>
        </div>
      `,
    )}
    <div>
      <button type="button" class="button small" onClick=${() => onChange([...pairs, ['', '']])}>
        <${Icon} name="plus" size=${16} /> ${t.systems.addField}
      </button>
    </div>
  `;
};

export const objectOf = (pairs: readonly Pair[]): Record<string, string> =>
  Object.fromEntries(
    pairs.map(([name, value]) => [name.trim(), value] as const).filter(([name]) => name !== ''),
  );
