/** States of webhooks and deliveries in words. */
import type { WebhookDelivery } from '../../../../features/webhooks/log/schema.ts';
import { t } from '../../app/language.ts';

export type EventType = WebhookDelivery['eventType'];
export type Attempt = WebhookDelivery['attempts'][number];

/** What operators are told of; messages are from them to partners. */
export const OPERATOR_EVENTS: readonly EventType[] = ['booking.updated', 'venue.updated', 'waitlist.offered'];
export const PARTNER_EVENTS: readonly EventType[] = [
  'booking.updated',
  'message.received',
  'venue.updated',
  'hold.expired',
  'waitlist.offered',
];

export const wordsOf = (type: string) => t.webhooks.eventNames[type as EventType] ?? type;

export const TONES: Record<WebhookDelivery['status'], string> = {
  delivered: 'good',
  pending: 'info',
  dropped: 'bad',
};

/** How the receiver took it: `HTTP 204`, or why there was no answer. */
export function answerOf({
  statusCode,
  error,
}: {
  statusCode: number | null;
  error: Attempt['error'];
}): string {
  if (statusCode !== null) return `HTTP ${statusCode}`;
  return error === null ? '' : t.webhooks.errors[error];
}
