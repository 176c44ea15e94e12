import { html } from 'htm/preact';
import type { RuleFacts } from '../../../../features/booking-rules/manage/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { SelectField, TextArea } from '../../components/field.ts';
import { Loading } from '../../components/notice.ts';
import { type DraftFieldsProps, HOOKS, type Hook } from './draft.ts';

const errorOfJson = (text: string) => {
  try {
    JSON.parse(text);
    return [];
  } catch {
    return [t.rules.notJson];
  }
};

/** For experts: an expression and its actions as JSON, with the facts that they may name. */
export function ExpressionFields({ draft, set, errorsOf, operatorId }: DraftFieldsProps) {
  const facts = useLoad(
    () => api.get<RuleFacts>(path`/manage/operators/${operatorId}/booking-rules/facts`),
    [operatorId],
  );
  return html`
    <${SelectField}
      label=${t.rules.hook}
      value=${draft.hook}
      choices=${HOOKS.map((value) => ({ value, label: t.rules.hooks[value] }))}
      onChange=${(hook: Hook) => set({ hook })}
    />
    <${TextArea}
      label=${t.rules.whenExpression}
      hint=${t.rules.whenHint}
      class="code"
      rows="6"
      spellcheck="false"
      value=${draft.when}
      errors=${[...errorOfJson(draft.when), ...errorsOf('when')]}
      onInput=${(when: string) => set({ when })}
    />
    <${TextArea}
      label=${t.rules.thenActions}
      hint=${t.rules.thenHint}
      class="code"
      rows="4"
      spellcheck="false"
      value=${draft.actions}
      errors=${[...errorOfJson(draft.actions), ...errorsOf('then')]}
      onInput=${(actions: string) => set({ actions })}
    />
    <details>
      <summary>${t.rules.factList}</summary>
      <${Loading} loaded=${facts}>
        ${({ hooks }: RuleFacts) => html`
          <dl class="fact-list">
            ${hooks
              .find(({ name }) => name === draft.hook)
              ?.facts.map(
                ({ name, type, howToObtain }) => html`
                  <dt key=${name}><code>${name}</code> <span class="small quiet">${type}</span></dt>
                  <dd class="small">${howToObtain.split(': ')[0]}</dd>
                `,
              )}
          </dl>
        `}
      <//>
    </details>
  `;
}
