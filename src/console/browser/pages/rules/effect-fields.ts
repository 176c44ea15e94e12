import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { SelectField, TextField } from '../../components/field.ts';
import { type DraftFieldsProps, EFFECTS, type Effect, FIRST_PARAMS, slugsIn, takesItems } from './draft.ts';
import { ExpressionFields } from './expression-fields.ts';

/** What happens then: the effect and its parameters. */
export function EffectFields(props: DraftFieldsProps) {
  const { draft, set, errorsOf } = props;
  const { effect, params } = draft;
  const setParam = (name: string, value: string | number | null) =>
    set({ params: { ...params, [name]: value } });
  const number = (name: string, label: string, hint?: string) => html`
    <${TextField}
      key=${name}
      label=${label}
      hint=${hint}
      type="number"
      min="0"
      value=${params[name] ?? ''}
      errors=${errorsOf(`params.${name}`)}
      onInput=${(text: string) => setParam(name, text === '' ? null : Number(text))}
    />
  `;
  const choice = (name: string, label: string, choices: Record<string, string>) => html`
    <${SelectField}
      key=${name}
      label=${label}
      value=${params[name] ?? ''}
      choices=${Object.entries(choices).map(([value, text]) => ({ value, label: text }))}
      errors=${errorsOf(`params.${name}`)}
      onChange=${(value: string) => setParam(name, value)}
    />
  `;
  return html`
    <${SelectField}
      label=${t.rules.effect}
      value=${effect}
      choices=${EFFECTS.map((each) => ({ value: each, label: t.rules.effects[each] }))}
      onChange=${(next: Effect) => set({ effect: next, params: next === 'expression' ? {} : FIRST_PARAMS[next] })}
    />
    <div class="columns">
      ${
        effect === 'require_deposit' &&
        html`
          <${TextField}
            label=${t.rules.amount}
            type="number"
            min="0.01"
            step="0.01"
            value=${typeof params.amount === 'number' ? params.amount / 100 : ''}
            errors=${errorsOf('params.amount')}
            onInput=${(text: string) => setParam('amount', text === '' ? null : Math.round(Number(text) * 100))}
          />
          ${choice('per', t.rules.per, t.rules.pers)}
        `
      }
      ${effect === 'party_size_limit' && [number('min', t.rules.atLeast), number('max', t.rules.atMost, t.rules.noLimit)]}
      ${
        effect === 'booking_window' && [
          choice('action', t.rules.action, t.rules.windowActions),
          number('minNoticeHours', t.rules.noticeHours, t.rules.noLimit),
          number('maxHorizonDays', t.rules.horizonDays, t.rules.noLimit),
        ]
      }
      ${
        effect === 'require_preorder' && [
          number('from', t.rules.fromGuests),
          choice('kind', t.rules.preorder, t.rules.preorderKinds),
        ]
      }
      ${effect === 'suppress_preorder_email' && number('threshold', t.rules.threshold)}
    </div>
    ${
      takesItems(effect) &&
      html`<${TextField}
        label=${t.rules.items}
        hint=${t.rules.itemsHint}
        value=${(draft.items ?? []).join(', ')}
        errors=${errorsOf('items')}
        onChange=${(event: Event) => set({ items: slugsIn((event.currentTarget as HTMLInputElement).value) })}
        onInput=${() => {}}
      />`
    }
    ${effect === 'expression' && html`<${ExpressionFields} ...${props} />`}
  `;
}
