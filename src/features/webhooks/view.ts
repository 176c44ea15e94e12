import { timestampOf } from '../../kernel/clock.ts';
import type { WebhookSubscription } from './schema.ts';
import type { Subscription } from './subscription.ts';

export function subscriptionView(subscription: Subscription): WebhookSubscription {
  const { id, callbackUrl, eventTypes, label, isActive, createdAt, updatedAt } = subscription;
  return {
    webhookId: id,
    callbackUrl,
    eventTypes,
    label,
    active: isActive,
    isDefault: false,
    createdAt: timestampOf(createdAt),
    updatedAt: updatedAt && timestampOf(updatedAt),
  };
}
