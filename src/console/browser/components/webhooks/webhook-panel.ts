import { html } from 'htm/preact';
import type { WebhookSubscription } from '../../../../features/webhooks/schema.ts';
import { t } from '../../app/language.ts';
import { CheckField } from '../field.ts';
import { Icon } from '../icon.ts';
import { wordsOf } from './words.ts';

export type WebhookAction = 'change' | 'test' | 'replay' | 'secret' | 'end';
const ACTIONS: readonly WebhookAction[] = ['test', 'replay', 'change', 'secret', 'end'];

/** One webhook: where, what, whether it is on, and what can be done with it. */
export const WebhookPanel = ({
  webhook,
  onSwitch,
  onAction,
}: {
  webhook: WebhookSubscription;
  onSwitch: (active: boolean) => void;
  onAction: (action: WebhookAction) => void;
}) => html`
  <li class="panel">
    <header>
      <div class="webhook-name">
        <h2>${webhook.label ?? new URL(webhook.callbackUrl).host}</h2>
        <p class="small"><code>${webhook.callbackUrl}</code></p>
      </div>
      ${
        !webhook.active &&
        html`<span class="tag warn"><${Icon} name="clock" size=${14} /> ${t.webhooks.paused}</span>`
      }
      <${CheckField} kind="switch" label=${t.webhooks.deliver} isOn=${webhook.active} onChange=${onSwitch} />
    </header>
    <p class="small quiet">
      ${
        webhook.eventTypes === null
          ? t.webhooks.allEvents
          : webhook.eventTypes.map((type) => wordsOf(type)).join(' · ')
      }
    </p>
    <div class="row">
      ${ACTIONS.map(
        (action) => html`
          <button
            key=${action}
            type="button"
            class=${action === 'end' ? 'button small danger' : 'button small'}
            onClick=${() => onAction(action)}
          >
            ${t.webhooks.actions[action]}
          </button>
        `,
      )}
    </div>
  </li>
`;
