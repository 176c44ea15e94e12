import { html } from 'htm/preact';
import { t } from '../../../app/language.ts';
import { replaced, without } from '../../../app/order.ts';
import { LengthField, NumberField } from '../../../components/amount-field.ts';
import { Icon } from '../../../components/icon.ts';
import type { House } from '../draft.ts';

export interface TurnTimesProps {
  turnTimes: House['turnTimes'];
  errors: readonly string[];
  onChange: (turnTimes: House['turnTimes']) => void;
}

/** How long a table is kept, by the size of the party. */
export const TurnTimes = ({ turnTimes, errors, onChange }: TurnTimesProps) => html`
  <fieldset class="plain-set">
    <legend>${t.products.turnTimes}</legend>
    <p class=${errors.length > 0 ? 'is-wrong' : ''}><span class="field-about">${errors.length > 0 ? errors.join('; ') : t.products.turnTimesHint}</span></p>
    ${turnTimes.map(
      (turn, index) => html`
        <div class="row end" key=${index}>
          <${NumberField}
            label=${index === turnTimes.length - 1 ? t.products.upToAndMore : t.products.upTo}
            min="1"
            value=${turn.upTo}
            onInput=${(upTo: number) => onChange(replaced(turnTimes, index, { ...turn, upTo }))}
          />
          <${LengthField}
            label=${t.products.stay}
            value=${turn.minutes}
            onInput=${(minutes: number) => onChange(replaced(turnTimes, index, { ...turn, minutes }))}
          />
          ${
            turnTimes.length > 1 &&
            html`
              <button type="button" class="button quiet icon-only" aria-label=${t.products.removeTurn(turn.upTo)} title=${t.common.remove} onClick=${() => onChange(without(turnTimes, index))}>
                <${Icon} name="close" />
              </button>
            `
          }
        </div>
      `,
    )}
    <div class="row">
      <button type="button" class="button small" onClick=${() => onChange([...turnTimes, larger(turnTimes.at(-1))])}>
        <${Icon} name="plus" size=${16} /> ${t.products.addTurn}
      </button>
    </div>
  </fieldset>
`;

const larger = (last?: House['turnTimes'][number]) => ({
  upTo: (last?.upTo ?? 0) + 2,
  minutes: (last?.minutes ?? 60) + 30,
});
