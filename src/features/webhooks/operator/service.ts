/** The webhooks of operators: as those of partners, for all venues of the operator, with each change in its audit log. */

import { type Actor, operatorCaller } from '../../../http/auth/actor.ts';
import { type AuditLog, assertUnchanged } from '../../audit/service.ts';
import type {
  DeliveriesQuery,
  EventsQuery,
  ReplayBody,
  Replayed,
  WebhookDeliveries,
  WebhookDelivery,
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
import type { Oversight } from '../subscriptions/subscriptions.ts';
import type { TestReport } from '../testing/schema.ts';
import type { OperatorTestBody } from './schema.ts';

/** The operator whose webhooks a request is about, and the actor that makes it. */
export interface Asking {
  actor: Actor;
  operatorId: number;
}

export interface OperatorWebhooks {
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
  sendTest(asking: Asking, id: string, body: OperatorTestBody): Promise<TestReport>;
  replay(asking: Asking, id: string, body: ReplayBody): Promise<Replayed>;
  listEvents(asking: Asking, query: EventsQuery): Promise<WebhookEvents>;
  listDeliveries(asking: Asking, query: DeliveriesQuery): Promise<WebhookDeliveries>;
  getDelivery(asking: Asking, id: string): Promise<WebhookDelivery>;
}

export interface OperatorWebhooksDeps {
  webhooks: Pick<Webhooks, 'subscriptions' | 'sendTest' | 'eventLog' | 'replay'>;
  auditLog: AuditLog;
}

export function createOperatorWebhooks({ webhooks, auditLog }: OperatorWebhooksDeps): OperatorWebhooks {
  const { subscriptions, sendTest, eventLog, replay } = webhooks;
  const callerOf = ({ actor, operatorId }: Asking) => operatorCaller(actor, operatorId);

  const overseen = (asking: Asking, action: string, ifMatch?: string): Oversight => ({
    check: (before) => assertUnchanged(before, ifMatch),
    record: (tx, { before, after }) =>
      auditLog.record(tx, {
        ...asking,
        action,
        subject: `webhook ${(after ?? before)?.webhookId}`,
        before,
        after,
      }),
  });

  return {
    list: (asking) => subscriptions.list(callerOf(asking)),
    get: (asking, id) => subscriptions.get(callerOf(asking), id),
    create: (asking, body) =>
      subscriptions.create(callerOf(asking), body, overseen(asking, 'webhook.create')),
    update: (asking, id, change, ifMatch) =>
      subscriptions.update(callerOf(asking), id, change, overseen(asking, 'webhook.change', ifMatch)),
    rotate: (asking, id, ifMatch) =>
      subscriptions.rotate(callerOf(asking), id, overseen(asking, 'webhook.rotate-secret', ifMatch)),
    remove: (asking, id, ifMatch) =>
      subscriptions.remove(callerOf(asking), id, overseen(asking, 'webhook.remove', ifMatch)),
    sendTest: (asking, id, body) => sendTest(callerOf(asking), id, body),
    replay: (asking, id, body) =>
      replay(callerOf(asking), id, body, (tx, replayed) =>
        auditLog.record(tx, {
          ...asking,
          action: 'webhook.replay',
          subject: `webhook ${id.toLowerCase()}`,
          after: { ...body, ...replayed },
        }),
      ),
    listEvents: (asking, query) => eventLog.list(callerOf(asking), query),
    listDeliveries: (asking, query) => eventLog.listDeliveries(callerOf(asking), query),
    getDelivery: (asking, id) => eventLog.getDelivery(callerOf(asking), id),
  };
}
