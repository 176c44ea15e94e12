import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type {
  WebhookSubscription,
  WebhookSubscriptions,
  WebhookWithSecret,
} from '../../../../features/webhooks/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { address, setQuery } from '../../app/router.ts';
import { say, sayProblem } from '../../app/toasts.ts';
import { Confirm } from '../dialog.ts';
import { Icon } from '../icon.ts';
import { Empty, Loading } from '../notice.ts';
import { Deliveries, useDeliveries } from './deliveries.ts';
import { DeliveryDrawer } from './delivery-drawer.ts';
import { ReplayDialog } from './replay-dialog.ts';
import { SecretShown } from './secret-shown.ts';
import { TestDialog } from './test-dialog.ts';
import { WebhookForm } from './webhook-form.ts';
import { type WebhookAction, WebhookPanel } from './webhook-panel.ts';
import type { EventType } from './words.ts';

type Opened =
  | { kind: 'create' }
  | { kind: 'secretShown'; secret: string; text: string }
  | { kind: WebhookAction; webhook: WebhookSubscription; etag: string | null };

export interface WebhooksViewProps {
  /** Such as `/manage/operators/1/webhooks`. */
  base: string;
  eventTypes: readonly EventType[];
  /** What this page is for. */
  about: string;
}

/** The webhooks of an operator or a partner, with the log of what was delivered. */
export function WebhooksView({ base, eventTypes, about }: WebhooksViewProps) {
  const loaded = useLoad(() => api.get<WebhookSubscriptions>(base), [base]);
  const deliveries = useDeliveries(base);
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const deliveryId = address.value.query.get('delivery');
  const webhooks = loaded.data?.data ?? [];
  // The log of one that has ended stays.
  const isUsed = webhooks.length > 0 || (deliveries.data?.data.length ?? 0) > 0;
  const addressOf = ({ webhookId }: WebhookSubscription) => `${base}${path`/${webhookId}`}`;

  /** A change may rest on what was read; the service compares. */
  const act = async (webhook: WebhookSubscription, kind: WebhookAction) => {
    try {
      const { data, etag } = await api.getTagged<WebhookSubscription>(addressOf(webhook));
      setOpened({ kind, webhook: data, etag });
    } catch (error) {
      sayProblem(error);
    }
  };

  const show = (saved: WebhookSubscription) =>
    loaded.setData({ data: webhooks.map((each) => (each.webhookId === saved.webhookId ? saved : each)) });

  const setActive = async (webhook: WebhookSubscription, active: boolean) => {
    show({ ...webhook, active });
    try {
      show(await api.put<WebhookSubscription>(addressOf(webhook), { active }));
      const undo = async () => show(await api.put(addressOf(webhook), { active: !active }));
      say(active ? t.webhooks.resumed : t.webhooks.nowPaused, undo);
    } catch (error) {
      show(webhook);
      sayProblem(error);
    }
  };

  const renewSecret = async (webhook: WebhookSubscription, ifMatch: string | null) => {
    try {
      const { secretKey } = await api.post<WebhookWithSecret>(
        `${addressOf(webhook)}/secret`,
        {},
        { ifMatch },
      );
      setOpened({ kind: 'secretShown', secret: secretKey, text: t.webhooks.secretRenewedText });
      await loaded.reload();
    } catch (error) {
      close();
      sayProblem(error);
    }
  };

  const end = async (webhook: WebhookSubscription, ifMatch: string | null) => {
    close();
    try {
      await api.remove(addressOf(webhook), { ifMatch });
      say(t.webhooks.ended);
      await loaded.reload();
    } catch (error) {
      sayProblem(error);
    }
  };

  const saved = async (webhook: WebhookSubscription | WebhookWithSecret) => {
    if ('secretKey' in webhook)
      setOpened({ kind: 'secretShown', secret: webhook.secretKey, text: t.webhooks.secretText });
    else close();
    await loaded.reload();
  };

  const create = html`
    <button type="button" class="button primary" onClick=${() => setOpened({ kind: 'create' })}>
      <${Icon} name="plus" size=${16} /> ${t.webhooks.create}
    </button>
  `;
  const common = { base, eventTypes, onClose: close };
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.webhooks}</h1>
        ${webhooks.length > 0 && create}
        <p>${about}</p>
      </div>
      <${Loading} loaded=${loaded}>
        ${({ data }: WebhookSubscriptions) =>
          data.length === 0
            ? html`<${Empty} title=${t.webhooks.none} text=${t.webhooks.noneText}>${create}<//>`
            : html`
                <ul class="webhooks">
                  ${data.map(
                    (webhook) => html`
                      <${WebhookPanel}
                        key=${webhook.webhookId}
                        webhook=${webhook}
                        onSwitch=${(active: boolean) => setActive(webhook, active)}
                        onAction=${(action: WebhookAction) => act(webhook, action)}
                      />
                    `,
                  )}
                </ul>
              `}
      <//>
      ${isUsed && html`<${Deliveries} webhooks=${webhooks} loaded=${deliveries} />`}
      ${opened?.kind === 'create' && html`<${WebhookForm} ...${common} onSaved=${saved} />`}
      ${
        opened?.kind === 'change' &&
        html`<${WebhookForm} ...${common} webhook=${opened.webhook} etag=${opened.etag} onSaved=${saved} />`
      }
      ${opened?.kind === 'secretShown' && html`<${SecretShown} secret=${opened.secret} text=${opened.text} onClose=${close} />`}
      ${opened?.kind === 'test' && html`<${TestDialog} ...${common} webhook=${opened.webhook} />`}
      ${
        opened?.kind === 'replay' &&
        html`<${ReplayDialog} ...${common} webhook=${opened.webhook} onDone=${() => deliveries.reload()} />`
      }
      ${
        opened?.kind === 'secret' &&
        html`<${Confirm}
          title=${t.webhooks.actions.secret}
          text=${t.webhooks.renewText}
          action=${t.webhooks.actions.secret}
          isDangerous=${false}
          onConfirm=${() => renewSecret(opened.webhook, opened.etag)}
          onClose=${close}
        />`
      }
      ${
        opened?.kind === 'end' &&
        html`<${Confirm}
          title=${t.webhooks.actions.end}
          text=${t.webhooks.endText(opened.webhook.callbackUrl)}
          action=${t.webhooks.actions.end}
          onConfirm=${() => end(opened.webhook, opened.etag)}
          onClose=${close}
        />`
      }
      ${
        deliveryId !== null &&
        html`<${DeliveryDrawer}
          base=${base}
          deliveryId=${deliveryId}
          webhooks=${webhooks}
          onClose=${() => setQuery({ delivery: null })}
          onReplayed=${() => deliveries.reload()}
        />`
      }
    </div>
  `;
}
