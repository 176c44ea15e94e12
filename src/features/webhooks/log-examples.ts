import { subscriptionExample } from './examples.ts';
import type { WebhookDeliveries, WebhookDelivery, WebhookEvents } from './log-schema.ts';

const EVENT_ID = '019a7f54-1f0a-7b3c-9d21-6a5e8c40f7b2';

/** What the OpenAPI document shows of the log: a booking whose guest was forgotten, and a venue that closed. */
export const eventsExample: WebhookEvents = {
  data: [
    {
      id: EVENT_ID,
      eventType: 'booking.updated',
      occurredAt: '2026-11-15T10:41:07.338Z',
      bookingId: '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60',
      venueId: '1|house|soho-grill',
      body: null,
    },
    {
      id: '019a7f61-77d0-7a18-b6c4-0e93d1f25a8e',
      eventType: 'venue.updated',
      occurredAt: '2026-11-15T10:55:40.752Z',
      bookingId: null,
      venueId: '1|house|closed-cafe',
      body: {
        eventType: 'venue.updated',
        timestamp: '2026-11-15T10:55:40.752Z',
        venues: [{ compositeId: '1|house|closed-cafe', active: false }],
      },
    },
  ],
  meta: { nextCursor: '019a7f61-77d0-7a18-b6c4-0e93d1f25a8e' },
};

/** The receiver was down at first. */
export const deliveryExample: WebhookDelivery = {
  id: '5b0e7a52-9c1d-4e6f-8a37-d2f4c6b81e90',
  eventId: EVENT_ID,
  eventType: 'booking.updated',
  webhookId: subscriptionExample.webhookId,
  status: 'delivered',
  attempts: [
    {
      number: 1,
      startedAt: '2026-11-15T10:41:07.352Z',
      durationMs: 3,
      statusCode: null,
      error: 'refused',
    },
    {
      number: 2,
      startedAt: '2026-11-15T10:42:07.691Z',
      durationMs: 41,
      statusCode: 204,
      error: null,
    },
  ],
  isReplay: false,
  createdAt: '2026-11-15T10:41:07.338Z',
  nextAttemptAt: null,
  finishedAt: '2026-11-15T10:42:07.732Z',
};

export const deliveriesExample: WebhookDeliveries = { data: [deliveryExample], meta: { nextCursor: null } };
