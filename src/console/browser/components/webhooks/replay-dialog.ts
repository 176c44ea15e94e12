import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Replayed } from '../../../../features/webhooks/log/schema.ts';
import type { WebhookSubscription } from '../../../../features/webhooks/schema.ts';
import { api, path } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { momentOf } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { Dialog } from '../dialog.ts';
import { CheckField, TextField } from '../field.ts';
import { Problem } from '../notice.ts';
import { type EventType, wordsOf } from './words.ts';

const HOUR_MS = 3_600_000;

/** A moment as `datetime-local` has it, in the zone of the browser. */
const localText = (instant: number) =>
  new Date(instant - new Date(instant).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** Delivers everything of a period again, for a receiver that was down or has lost something. */
export function ReplayDialog({
  base,
  webhook,
  eventTypes,
  onClose,
  onDone,
}: {
  base: string;
  webhook: WebhookSubscription;
  eventTypes: readonly EventType[];
  onClose: () => void;
  onDone: () => void;
}) {
  const [outcome, setOutcome] = useState<Replayed>();
  const form = useForm(
    { since: localText(Date.now() - HOUR_MS), until: '', types: [...eventTypes] },
    async ({ since, until, types }) => {
      const body = {
        since: new Date(since).toISOString(),
        ...(until && { until: new Date(until).toISOString() }),
        ...(types.length < eventTypes.length && { eventTypes: types }),
      };
      setOutcome(await api.post<Replayed>(`${base}${path`/${webhook.webhookId}`}/replay`, body));
      onDone();
    },
  );
  const { values, set } = form;
  return html`
    <${Dialog} title=${t.webhooks.replayTitle} onClose=${onClose}>
      <form onSubmit=${form.submit}>
        <p>${t.webhooks.replayText(webhook.callbackUrl)}</p>
        <div class="columns">
          <${TextField}
            label=${t.webhooks.since}
            type="datetime-local"
            required
            value=${values.since}
            errors=${form.errorsOf('since')}
            onInput=${(since: string) => set({ since })}
          />
          <${TextField}
            label=${t.webhooks.until}
            type="datetime-local"
            value=${values.until}
            errors=${form.errorsOf('until')}
            onInput=${(until: string) => set({ until })}
          />
        </div>
        <fieldset class="plain">
          <legend>${t.webhooks.events}</legend>
          ${eventTypes.map(
            (type) => html`
              <${CheckField}
                key=${type}
                label=${wordsOf(type)}
                isOn=${values.types.includes(type)}
                onChange=${(isOn: boolean) =>
                  set({
                    types: eventTypes.filter((each) => (each === type ? isOn : values.types.includes(each))),
                  })}
              />
            `,
          )}
        </fieldset>
        <${Problem} problem=${form.problem} />
        ${
          outcome &&
          html`<div class="notice good" role="status">
            <p>
              ${t.webhooks.replayed(outcome.deliveries)}
              ${outcome.continueFrom && t.webhooks.replayMore(momentOf(outcome.continueFrom))}
            </p>
          </div>`
        }
        <footer class="dialog-foot">
          <button type="button" class="button" onClick=${onClose}>${t.common.close}</button>
          <button
            type="submit"
            class="button primary"
            disabled=${form.isSending || values.since === '' || values.types.length === 0}
          >
            ${t.webhooks.actions.replay}
          </button>
        </footer>
      </form>
    <//>
  `;
}
