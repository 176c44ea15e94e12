import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { AccountNotifications } from '../../../../features/notifications/schema.ts';
import { type ApiProblem, api, type Tagged } from '../../app/api.ts';
import { LANGUAGES, t } from '../../app/language.ts';
import { problemOf, useLoad } from '../../app/load.ts';
import { say } from '../../app/toasts.ts';
import { CheckField, SelectField, TextField } from '../../components/field.ts';
import { Loading, Problem } from '../../components/notice.ts';

const KINDS = ['newBooking', 'enquiry', 'cancellation', 'dailySummary'] as const;
const ADDRESS = '/manage/account/notifications';

/** Switches take effect at once; what the service refuses goes back. */
export function NotificationsForm() {
  const loaded = useLoad(() => api.getTagged<AccountNotifications>(ADDRESS), []);
  const [problem, setProblem] = useState<ApiProblem>();
  const save = async (next: AccountNotifications) => {
    const before = loaded.data as Tagged<AccountNotifications>;
    setProblem(undefined);
    loaded.setData({ ...before, data: next });
    try {
      await api.put(ADDRESS, next, { ifMatch: before.etag });
      loaded.setData(await api.getTagged<AccountNotifications>(ADDRESS));
      say(t.common.saved);
    } catch (error) {
      const refusal = problemOf(error);
      setProblem(refusal);
      if (refusal.isChangedMeanwhile) await loaded.reload();
      else loaded.setData(before);
    }
  };
  return html`
    <${Loading} loaded=${loaded}>
      ${({ data }: Tagged<AccountNotifications>) => {
        if (data.operators.length === 0) return html`<p class="quiet">${t.ownAccount.noOperators}</p>`;
        return html`
          <p class="quiet">${t.ownAccount.mailsText}</p>
          ${data.operators.map(
            (operator) => html`
              <fieldset key=${operator.operatorId} class="choice">
                <legend><strong>${operator.operatorName}</strong></legend>
                ${KINDS.map(
                  (kind) => html`
                    <div key=${kind}>
                      <${CheckField}
                        kind="switch"
                        label=${t.ownAccount[kind]}
                        isOn=${operator[kind]}
                        onChange=${(isOn: boolean) => save(withChoice(data, operator.operatorId, { [kind]: isOn }))}
                      />
                    </div>
                  `,
                )}
              </fieldset>
            `,
          )}
          <div class="pair">
            <${SelectField}
              label=${t.ownAccount.mailLanguage}
              value=${data.language}
              choices=${Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
              onChange=${(language: string) => save({ ...data, language: language as AccountNotifications['language'] })}
            />
            <${TextField}
              label=${t.ownAccount.summaryAt}
              type="time"
              required
              value=${data.dailySummaryAt}
              errors=${problem?.errors.dailySummaryAt}
              onInput=${() => {}}
              onChange=${(event: Event) => save({ ...data, dailySummaryAt: (event.currentTarget as HTMLInputElement).value })}
            />
          </div>
          <${Problem} problem=${problem} />
        `;
      }}
    <//>
  `;
}

type Choice = AccountNotifications['operators'][number];

const withChoice = (
  data: AccountNotifications,
  operatorId: number,
  changes: Partial<Choice>,
): AccountNotifications => ({
  ...data,
  operators: data.operators.map((one) => (one.operatorId === operatorId ? { ...one, ...changes } : one)),
});
