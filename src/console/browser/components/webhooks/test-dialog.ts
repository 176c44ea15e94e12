import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { WebhookSubscription } from '../../../../features/webhooks/schema.ts';
import type { TestReport } from '../../../../features/webhooks/testing/schema.ts';
import { api, path } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { Dialog } from '../dialog.ts';
import { SelectField, TextField } from '../field.ts';
import { Icon } from '../icon.ts';
import { Problem } from '../notice.ts';
import { answerOf, type EventType, wordsOf } from './words.ts';

const PING = 'webhook.ping';

/** Sends one event at once and shows how the receiver took it. */
export function TestDialog({
  base,
  webhook,
  eventTypes,
  onClose,
}: {
  base: string;
  webhook: WebhookSubscription;
  eventTypes: readonly EventType[];
  onClose: () => void;
}) {
  const [report, setReport] = useState<TestReport>();
  const form = useForm({ eventType: PING, bookingId: '', venueId: '' }, async (values) => {
    const { eventType, bookingId, venueId } = values;
    setReport(undefined);
    const body = {
      eventType,
      ...(isAboutBooking(eventType) && bookingId && { bookingId }),
      ...(eventType === 'venue.updated' && venueId && { venueId }),
    };
    setReport(await api.post<TestReport>(`${base}${path`/${webhook.webhookId}`}/test`, body));
  });
  const { values, set } = form;
  return html`
    <${Dialog} title=${t.webhooks.testTitle} onClose=${onClose}>
      <form onSubmit=${form.submit}>
        <p>${t.webhooks.testText(webhook.callbackUrl)}</p>
        <${SelectField}
          label=${t.webhooks.event}
          value=${values.eventType}
          choices=${[
            { value: PING, label: t.webhooks.ping },
            ...eventTypes.map((type) => ({ value: type, label: wordsOf(type) })),
          ]}
          onChange=${(eventType: string) => set({ eventType })}
        />
        ${
          isAboutBooking(values.eventType) &&
          html`<${TextField}
            label=${t.webhooks.bookingId}
            hint=${t.webhooks.madeUp}
            value=${values.bookingId}
            errors=${form.errorsOf('bookingId')}
            onInput=${(bookingId: string) => set({ bookingId })}
          />`
        }
        ${
          values.eventType === 'venue.updated' &&
          html`<${TextField}
            label=${t.webhooks.venueId}
            hint=${t.webhooks.madeUp}
            value=${values.venueId}
            errors=${form.errorsOf('venueId')}
            onInput=${(venueId: string) => set({ venueId })}
          />`
        }
        <${Problem} problem=${form.problem} />
        <div aria-live="polite">
          ${report?.deliveries.map((delivery) => html`<${Outcome} key=${delivery.webhookId} delivery=${delivery} />`)}
        </div>
        <footer class="dialog-foot">
          <button type="button" class="button" onClick=${onClose}>${t.common.close}</button>
          <button type="submit" class="button primary" disabled=${form.isSending}>
            ${form.isSending ? t.webhooks.sending : t.webhooks.send}
          </button>
        </footer>
      </form>
    <//>
  `;
}

const isAboutBooking = (type: string) => type === 'booking.updated' || type === 'message.received';

const Outcome = ({ delivery }: { delivery: TestReport['deliveries'][number] }) => html`
  <div class=${delivery.delivered ? 'notice good' : 'notice refused'}>
    <${Icon} name=${delivery.delivered ? 'check' : 'warning'} />
    <div>
      <p>
        ${delivery.delivered ? t.webhooks.testDelivered : t.webhooks.testFailed} ${answerOf(delivery)}
        ${delivery.durationMs !== null && t.webhooks.after(delivery.durationMs)}
      </p>
      ${delivery.signature && html`<p class="small break"><code>X-API-Key: ${delivery.signature}</code></p>`}
    </div>
  </div>
`;
