import { html } from 'htm/preact';
import type { WebhookSubscription, WebhookWithSecret } from '../../../../features/webhooks/schema.ts';
import { api, path } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { say } from '../../app/toasts.ts';
import { Dialog } from '../dialog.ts';
import { CheckField, TextField } from '../field.ts';
import { Problem } from '../notice.ts';
import { type EventType, wordsOf } from './words.ts';

export interface WebhookFormProps {
  base: string;
  /** What this kind of receiver can be told of. */
  eventTypes: readonly EventType[];
  /** Absent: a new one. */
  webhook?: WebhookSubscription;
  etag?: string | null;
  onClose: () => void;
  /** With the secret of a new one. */
  onSaved: (saved: WebhookSubscription | WebhookWithSecret) => void;
}

/** Address, label and events of a webhook. */
export function WebhookForm({ base, eventTypes, webhook, etag, onClose, onSaved }: WebhookFormProps) {
  const form = useForm(
    {
      callbackUrl: webhook?.callbackUrl ?? '',
      label: webhook?.label ?? '',
      hearsAll: webhook ? webhook.eventTypes === null : true,
      types: (webhook?.eventTypes ?? [...eventTypes]) as EventType[],
    },
    async ({ callbackUrl, label, hearsAll, types }) => {
      const body = { callbackUrl, label: label.trim() || null, eventTypes: hearsAll ? null : types };
      const saved = webhook
        ? await api.put<WebhookSubscription>(`${base}${path`/${webhook.webhookId}`}`, body, { ifMatch: etag })
        : await api.post<WebhookWithSecret>(base, body);
      if (webhook) say(t.common.saved);
      onSaved(saved);
    },
  );
  const { values, set } = form;
  const toggle = (type: EventType, isOn: boolean) =>
    set({ types: eventTypes.filter((each) => (each === type ? isOn : values.types.includes(each))) });
  return html`
    <${Dialog} title=${webhook ? t.webhooks.change : t.webhooks.create} onClose=${onClose}>
      <form onSubmit=${form.submit}>
        <${TextField}
          label=${t.webhooks.address}
          hint=${t.webhooks.addressHint}
          type="url"
          required
          placeholder="https://"
          value=${values.callbackUrl}
          errors=${form.errorsOf('callbackUrl')}
          onInput=${(callbackUrl: string) => set({ callbackUrl })}
        />
        <${TextField}
          label=${t.webhooks.label}
          hint=${t.webhooks.labelHint}
          maxlength="100"
          value=${values.label}
          errors=${form.errorsOf('label')}
          onInput=${(label: string) => set({ label })}
        />
        <fieldset class="plain">
          <legend>${t.webhooks.events}</legend>
          <${CheckField}
            label=${t.webhooks.allEvents}
            isOn=${values.hearsAll}
            onChange=${(hearsAll: boolean) => set({ hearsAll })}
          />
          ${
            !values.hearsAll &&
            eventTypes.map(
              (type) => html`
                <${CheckField}
                  key=${type}
                  label=${wordsOf(type)}
                  isOn=${values.types.includes(type)}
                  onChange=${(isOn: boolean) => toggle(type, isOn)}
                />
              `,
            )
          }
        </fieldset>
        <${Problem} problem=${form.problem} />
        <footer class="dialog-foot">
          <button type="button" class="button" onClick=${onClose}>${t.common.cancel}</button>
          <button
            type="submit"
            class="button primary"
            disabled=${form.isSending || (!values.hearsAll && values.types.length === 0)}
          >
            ${webhook ? t.common.save : t.webhooks.create}
          </button>
        </footer>
      </form>
    <//>
  `;
}
