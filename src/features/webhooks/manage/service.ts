/**
 * The webhooks of operators and partners as people manage them, with each change in the audit log. Those of a partner
 * are the ones that its clients have; those of an operator are about all of its venues.
 */

import { type Actor, operatorCaller, partnerCaller } from '../../../http/auth/actor.ts';
import type { Caller, PartnerIdentity } from '../../../http/auth/caller.ts';
import { type AuditLog, assertUnchanged } from '../../audit/service.ts';
import type {
  DeliveriesQuery,
  EventsQuery,
  ReplayBody,
  Replayed,
  WebhookDeliveries,
  WebhookEvents,
} from '../log/schema.ts';
import type {
  SubscriptionBody,
  SubscriptionChange,
  WebhookSubscription,
  WebhookSubscriptions,
  WebhookWithSecret,
} from '../schema.ts';
import type { Webhooks } from '../service.ts';
import type { Owner } from '../subscriptions/secrets.ts';
import type { Oversight } from '../subscriptions/subscriptions.ts';
import type { TestReport } from '../testing/schema.ts';
import type { ManageTestBody, WebhookDeliveryDetail } from './schema.ts';

/** Whose webhooks a request is about, and the actor that makes it. */
export interface Asking {
  actor: Actor;
  owner: Owner;
}

export interface ManagedWebhooks {
  list(asking: Asking): Promise<WebhookSubscriptions>;
  get(asking: Asking, id: string): Promise<WebhookSubscription>;
  create(asking: Asking, body: SubscriptionBody): Promise<WebhookWithSecret>;
  update(
    asking: Asking,
    id: string,
    change: SubscriptionChange,
    ifMatch: string | undefined,
  ): Promise<WebhookSubscription>;
  rotate(asking: Asking, id: string, ifMatch: string | undefined): Promise<WebhookWithSecret>;
  remove(asking: Asking, id: string, ifMatch: string | undefined): Promise<void>;
  sendTest(asking: Asking, id: string, body: ManageTestBody): Promise<TestReport>;
  replay(asking: Asking, id: string, body: ReplayBody): Promise<Replayed>;
  listEvents(asking: Asking, query: EventsQuery): Promise<WebhookEvents>;
  listDeliveries(asking: Asking, query: DeliveriesQuery): Promise<WebhookDeliveries>;
  getDelivery(asking: Asking, id: string): Promise<WebhookDeliveryDetail>;
}

export interface ManagedWebhooksDeps {
  webhooks: Pick<Webhooks, 'subscriptions' | 'sendTest' | 'eventLog' | 'replay'>;
  auditLog: AuditLog;
  getPartner(id: number): Promise<PartnerIdentity>;
}

export function createManagedWebhooks({
  webhooks,
  auditLog,
  getPartner,
}: ManagedWebhooksDeps): ManagedWebhooks {
  const { subscriptions, sendTest, eventLog, replay } = webhooks;

  async function callerOf({ actor, owner }: Asking): Promise<Caller> {
    if (owner.kind === 'operator') return operatorCaller(actor, owner.id);
    const { id, reference, name } = await getPartner(owner.id);
    return partnerCaller(actor, { id, reference, name });
  }

  /** The platform keeps the audit log of partners. */
  const aboutOf = ({ actor, owner }: Asking, webhookId: string) => ({
    actor,
    operatorId: owner.kind === 'operator' ? owner.id : null,
    subject: `webhook ${webhookId}`,
  });

  const overseen = (asking: Asking, action: string, ifMatch?: string): Oversight => ({
    check: (before) => assertUnchanged(before, ifMatch),
    record: (tx, { before, after }) =>
      auditLog.record(tx, {
        ...aboutOf(asking, (after ?? before)?.webhookId ?? ''),
        action,
        before,
        after,
      }),
  });

  return {
    list: async (asking) => subscriptions.list(await callerOf(asking)),
    get: async (asking, id) => subscriptions.get(await callerOf(asking), id),
    create: async (asking, body) =>
      subscriptions.create(await callerOf(asking), body, overseen(asking, 'webhook.create')),
    update: async (asking, id, change, ifMatch) =>
      subscriptions.update(await callerOf(asking), id, change, overseen(asking, 'webhook.change', ifMatch)),
    rotate: async (asking, id, ifMatch) =>
      subscriptions.rotate(await callerOf(asking), id, overseen(asking, 'webhook.rotate-secret', ifMatch)),
    remove: async (asking, id, ifMatch) =>
      subscriptions.remove(await callerOf(asking), id, overseen(asking, 'webhook.remove', ifMatch)),
    sendTest: async (asking, id, body) => sendTest(await callerOf(asking), id, body),
    replay: async (asking, id, body) =>
      replay(await callerOf(asking), id, body, (tx, replayed) =>
        auditLog.record(tx, {
          ...aboutOf(asking, id.toLowerCase()),
          action: 'webhook.replay',
          after: { ...body, ...replayed },
        }),
      ),
    listEvents: async (asking, query) => eventLog.list(await callerOf(asking), query),
    listDeliveries: async (asking, query) => eventLog.listDeliveries(await callerOf(asking), query),
    getDelivery: async (asking, id) => eventLog.getDeliveryDetail(await callerOf(asking), id),
  };
}
