import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { t } from '../../app/language.ts';
import { toggled } from '../../app/order.ts';
import { wordName } from './words.ts';

export interface WordChipsProps {
  label: string;
  known: readonly string[];
  words: readonly string[];
  onChange: (words: string[]) => void;
}

/** The usual words as chips, and a field for any other. */
export function WordChips({ label, known, words, onChange }: WordChipsProps) {
  const [other, setOther] = useState('');
  const add = () => {
    const word = other.trim().toLowerCase();
    if (word !== '' && !words.includes(word)) onChange([...words, word]);
    setOther('');
  };
  const all = [...known, ...words.filter((word) => !known.includes(word))];
  return html`
    <fieldset class="plain-set">
      <legend>${label}</legend>
      <div class="chips">
        ${all.map(
          (word) => html`
            <button type="button" class="chip" key=${word} aria-pressed=${String(words.includes(word))} onClick=${() => onChange(toggled(words, word))}>
              ${wordName(word)}
            </button>
          `,
        )}
        <input
          class="other-word"
          aria-label=${t.menus.otherWord(label)}
          placeholder=${t.menus.other}
          maxlength="50"
          value=${other}
          onInput=${(event: InputEvent) => setOther((event.currentTarget as HTMLInputElement).value)}
          onChange=${add}
          onKeyDown=${(event: KeyboardEvent) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
      </div>
    </fieldset>
  `;
}
