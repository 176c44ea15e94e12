import { html } from 'htm/preact';
import type { ManagedRule } from '../../../../features/booking-rules/manage/schema.ts';
import { api, path } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { useLeaveGuard } from '../../app/leave-guard.ts';
import { guardLeaving } from '../../app/router.ts';
import { say } from '../../app/toasts.ts';
import { TextArea, TextField } from '../../components/field.ts';
import { Icon } from '../../components/icon.ts';
import { Problem } from '../../components/notice.ts';
import { ConditionRow } from './condition-row.ts';
import { bodyOf, type Condition, type Draft, draftOf, firstCondition, newDraft } from './draft.ts';
import { EffectFields } from './effect-fields.ts';
import { TargetFields } from './target-fields.ts';
import { TrialPanel, useTrial } from './trial.ts';

export interface RuleEditorProps {
  operatorId: string;
  /** Absent: a new one. */
  rule?: ManagedRule;
  etag?: string | null;
  onReload?: () => void;
  onDone: () => void;
}

const MOST_CONDITIONS = 20;

function sentBody(draft: Draft): Record<string, unknown> | undefined {
  try {
    return bodyOf(draft);
  } catch {
    return undefined;
  }
}

/** «When … and … → …». It can be saved once its sentence and its effect on past bookings were shown. */
export function RuleEditor({ operatorId, rule, etag, onReload, onDone }: RuleEditorProps) {
  const base = path`/manage/operators/${operatorId}/booking-rules`;
  const form = useForm(rule ? draftOf(rule) : newDraft(), async (draft) => {
    const body = bodyOf(draft);
    if (rule) await api.put(`${base}${path`/${rule.id}`}`, body, { ifMatch: etag });
    else await api.post(base, body);
    guardLeaving(undefined);
    say(t.rules.savedRule);
    onDone();
  });
  const { values: draft, set, isChanged } = form;
  useLeaveGuard(isChanged);
  const { trial, isCurrent, isSeen } = useTrial(operatorId, rule?.id, sentBody(draft));
  // A dry run names the field below `rule`, a save does not.
  const errorsOf = (field: string) => [
    ...form.errorsOf(field),
    ...((isCurrent && trial?.problem?.errors[`rule.${field}`]) || []),
  ];
  const setCondition = (index: number, changed?: Condition) =>
    set({
      conditions: draft.conditions.flatMap((each, at) => (at !== index ? [each] : changed ? [changed] : [])),
    });
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${rule ? t.rules.edit : t.rules.create}</h1>
        <button type="button" class="button" onClick=${onDone}>${t.rules.back}</button>
      </div>
      <div class="rule-editor">
        <form class="panel" onSubmit=${form.submit}>
          <${TextField}
            label=${t.common.name}
            hint=${t.rules.nameHint}
            required
            maxlength="120"
            value=${draft.name}
            errors=${form.errorsOf('name')}
            onInput=${(name: string) => set({ name })}
          />
          <fieldset class="plain rule-part">
            <legend>${t.rules.when}</legend>
            ${draft.conditions.length === 0 && html`<p class="quiet">${t.rules.always}</p>`}
            ${draft.conditions.map(
              (condition, index) => html`
                ${index > 0 && html`<p class="joint">${t.rules.and}</p>`}
                <${ConditionRow}
                  key=${index}
                  condition=${condition}
                  onChange=${(changed: Condition) => setCondition(index, changed)}
                  onRemove=${() => setCondition(index)}
                />
              `,
            )}
            <button
              type="button"
              class="button small"
              disabled=${draft.conditions.length >= MOST_CONDITIONS}
              onClick=${() => set({ conditions: [...draft.conditions, firstCondition(draft.conditions.length === 0 ? 'partySize' : 'weekday')] })}
            >
              <${Icon} name="plus" size=${16} /> ${t.rules.addCondition}
            </button>
          </fieldset>
          <fieldset class="plain rule-part">
            <legend>→ ${t.rules.thenTitle}</legend>
            <${EffectFields} draft=${draft} set=${set} errorsOf=${errorsOf} operatorId=${operatorId} />
          </fieldset>
          <fieldset class="plain rule-part">
            <legend>${t.rules.forWhom}</legend>
            <${TargetFields} operatorId=${operatorId} draft=${draft} set=${set} errorsOf=${errorsOf} />
          </fieldset>
          <${TextArea}
            label=${t.rules.message}
            hint=${t.rules.messageHint}
            rows="2"
            value=${draft.message}
            errors=${errorsOf('message')}
            onInput=${(message: string) => set({ message })}
          />
          <${TextArea}
            label=${t.rules.description}
            hint=${t.rules.descriptionHint}
            rows="2"
            value=${draft.description}
            errors=${errorsOf('description')}
            onInput=${(description: string) => set({ description })}
          />
          <${Problem} problem=${form.problem} onReload=${onReload} />
          <footer class="dialog-foot">
            ${!isSeen && html`<p class="small quiet">${t.rules.seeFirst}</p>`}
            <button
              type="submit"
              class="button primary"
              disabled=${!isSeen || form.isSending || draft.name.trim() === ''}
            >
              ${t.common.save}
            </button>
          </footer>
        </form>
        <${TrialPanel} trial=${trial} isCurrent=${isCurrent} />
      </div>
    </div>
  `;
}
