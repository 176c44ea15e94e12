import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { WebhookDelivery, WebhookEvents } from '../../../../features/webhooks/log/schema.ts';
import type { WebhookSubscription } from '../../../../features/webhooks/schema.ts';
import { api, path } from '../../app/api.ts';
import { momentOf } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { say, sayProblem } from '../../app/toasts.ts';
import { CopyButton } from '../copy-button.ts';
import { Dialog } from '../dialog.ts';
import { Icon } from '../icon.ts';
import { Loading } from '../notice.ts';
import { StatusTag } from './deliveries.ts';
import { type Attempt, answerOf, wordsOf } from './words.ts';

export interface DeliveryDrawerProps {
  base: string;
  deliveryId: string;
  webhooks: readonly WebhookSubscription[];
  onClose: () => void;
  onReplayed: () => void;
}

/** One delivery: each attempt with its answer, and what was posted. */
export function DeliveryDrawer({ base, deliveryId, webhooks, onClose, onReplayed }: DeliveryDrawerProps) {
  const [isSending, setSending] = useState(false);
  const loaded = useLoad(async () => {
    const delivery = await api.get<WebhookDelivery>(`${base}${path`/deliveries/${deliveryId}`}`);
    const events = await api.get<WebhookEvents>(`${base}/events`, { eventId: delivery.eventId });
    return { delivery, event: events.data[0] };
  }, [base, deliveryId]);
  const delivery = loaded.data?.delivery;
  const webhook = webhooks.find(({ webhookId }) => webhookId === delivery?.webhookId);
  const replay = async () => {
    if (!delivery) return;
    setSending(true);
    try {
      await api.post(`${base}${path`/${delivery.webhookId}`}/replay`, { eventId: delivery.eventId });
      say(t.webhooks.replayed(1));
      onReplayed();
    } catch (error) {
      sayProblem(error);
    } finally {
      setSending(false);
    }
  };
  return html`
    <${Dialog} kind="drawer" title=${t.webhooks.delivery} onClose=${onClose}>
      <${Loading} loaded=${loaded}>
        ${({
          delivery: shown,
          event,
        }: {
          delivery: WebhookDelivery;
          event?: WebhookEvents['data'][number];
        }) => html`
          <div class="row">
            <${StatusTag} status=${shown.status} />
            ${shown.isReplay && html`<span class="tag">${t.webhooks.replay}</span>`}
          </div>
          <dl class="fact-pairs">
            <dt>${t.webhooks.event}</dt>
            <dd>${wordsOf(shown.eventType)} <code>${shown.eventType}</code></dd>
            <dt>${t.webhooks.when}</dt>
            <dd>${momentOf(shown.createdAt)}</dd>
            ${
              shown.nextAttemptAt &&
              html`<dt>${t.webhooks.nextAttempt}</dt>
                <dd>${momentOf(shown.nextAttemptAt)}</dd>`
            }
            <dt><code>webhook-id</code></dt>
            <dd class="break"><code>${shown.eventId}</code></dd>
          </dl>
          <h3>${t.webhooks.attempts}</h3>
          <${Attempts} attempts=${shown.attempts} />
          <h3>${t.webhooks.request}</h3>
          <p class="small break"><code>POST ${webhook?.callbackUrl ?? t.webhooks.gone}</code></p>
          ${
            event?.body
              ? html`
                  <pre tabindex="0" aria-label=${t.webhooks.request}>${JSON.stringify(event.body, null, 2)}</pre>
                  <div class="row">
                    <${CopyButton} text=${JSON.stringify(event.body)} />
                  </div>
                `
              : html`<p class="quiet">${t.webhooks.forgotten}</p>`
          }
          ${
            webhook &&
            event?.body &&
            html`<footer class="dialog-foot">
              <button type="button" class="button primary" disabled=${isSending} onClick=${replay}>
                ${t.webhooks.replayOne}
              </button>
            </footer>`
          }
        `}
      <//>
    <//>
  `;
}

const Attempts = ({ attempts }: { attempts: readonly Attempt[] }) =>
  attempts.length === 0
    ? html`<p class="quiet">${t.webhooks.noAttempts}</p>`
    : html`
        <ol class="attempts">
          ${attempts.map(
            (attempt) => html`
              <li key=${attempt.number}>
                <${Icon} name=${attempt.error === null ? 'check' : 'warning'} size=${16} />
                <span>${momentOf(attempt.startedAt)}</span>
                <span><strong>${answerOf(attempt)}</strong> ${t.webhooks.after(attempt.durationMs)}</span>
              </li>
            `,
          )}
        </ol>
      `;
