import { type Static, Type } from 'typebox';
import { Defaulted } from '../../../http/validation/query-schema.ts';
import { named, nullable, oneOf, text } from '../../../http/validation/schema-helpers.ts';
import { EVENT_TYPES } from '../../events/service.ts';
import { POST_ERRORS } from '../delivery/attempt.ts';
import { Notification } from '../event-types.ts';
import { subscriptionExample } from '../schema.ts';

const DELIVERY_STATUSES = ['pending', 'delivered', 'dropped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const id = (description: string) => Type.String({ format: 'uuid', description });
const instant = (description: string) => Type.String({ format: 'date-time', description });

const Meta = Type.Object(
  { nextCursor: nullable(id('The `cursor` of the next page; null when there is none yet')) },
  named('CursorMeta', 'How to go on'),
);

export const WebhookEvent = Type.Object(
  {
    id: id('What deliveries of it carry in the header `webhook-id`'),
    eventType: oneOf(EVENT_TYPES),
    occurredAt: instant('When it happened'),
    bookingId: nullable(id('Null when it is not about a booking')),
    venueId: text('Composite id of the venue'),
    body: nullable(Notification),
  },
  named('WebhookEvent', 'Something that you were told of; `body` is null once the guest was forgotten'),
);
export type WebhookEvent = Static<typeof WebhookEvent>;

export const WebhookEvents = Type.Object(
  { data: Type.Array(WebhookEvent, { description: 'In the order of the log' }), meta: Meta },
  named('WebhookEvents', 'A page of the event log'),
);
export type WebhookEvents = Static<typeof WebhookEvents>;

export const DeliveryAttempt = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    startedAt: instant('When it was posted'),
    durationMs: Type.Integer({ description: 'Until the answer or the failure' }),
    statusCode: nullable(Type.Integer({ description: 'What the receiver answered; null when it did not' })),
    error: nullable(oneOf(POST_ERRORS, { description: 'Why it failed, roughly' })),
  },
  named('WebhookDeliveryAttempt', 'One time that an event was posted'),
);

export const WebhookDelivery = Type.Object(
  {
    id: id('Id of the delivery'),
    eventId: id('What is delivered'),
    eventType: oneOf(EVENT_TYPES),
    webhookId: id('The subscription, which may be gone'),
    status: oneOf(DELIVERY_STATUSES),
    attempts: Type.Array(DeliveryAttempt, { description: 'The first one first' }),
    isReplay: Type.Boolean({ description: 'It was made by a replay' }),
    createdAt: instant('When the event happened, or when the replay was requested'),
    nextAttemptAt: nullable(
      instant(
        'Not before then; while an attempt is under way, when another is made if nothing is heard of it. Null when finished',
      ),
    ),
    finishedAt: nullable(instant('When it was delivered or given up')),
  },
  named('WebhookDelivery', 'An event on its way to one subscription'),
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookDeliveries = Type.Object(
  { data: Type.Array(WebhookDelivery, { description: 'The newest first' }), meta: Meta },
  named('WebhookDeliveries', 'A page of deliveries'),
);
export type WebhookDeliveries = Static<typeof WebhookDeliveries>;

const limit = Defaulted(
  Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Entries on a page.' }),
);

export const EventsQuery = Type.Object({
  eventId: Type.Optional(id('Only this event')),
  eventType: Type.Optional(oneOf(EVENT_TYPES, { description: 'Only these' })),
  since: Type.Optional(instant('Only what happened then or later')),
  until: Type.Optional(instant('Only what happened before then')),
  limit,
  cursor: Type.Optional(id('Only what comes after this event of the log')),
});
export type EventsQuery = Static<typeof EventsQuery>;

export const DeliveriesQuery = Type.Object({
  webhookId: Type.Optional(id('Only to this subscription, which may be gone')),
  eventId: Type.Optional(id('Only of this event')),
  status: Type.Optional(oneOf(DELIVERY_STATUSES, { description: 'Only those' })),
  limit,
  cursor: Type.Optional(id('Only what comes after this delivery of the list')),
});
export type DeliveriesQuery = Static<typeof DeliveriesQuery>;

export const ReplayBody = Type.Object(
  {
    eventId: Type.Optional(id('This event; then nothing else is given')),
    since: Type.Optional(instant('Everything that happened then or later')),
    until: Type.Optional(instant('But before then')),
    eventTypes: Type.Optional(
      Type.Array(oneOf(EVENT_TYPES), { minItems: 1, maxItems: 10, description: 'Only these' }),
    ),
  },
  {
    additionalProperties: false,
    ...named('WebhookReplay', 'What is to be delivered again: `eventId`, or `since` with what narrows it'),
    examples: [
      { eventId: '019a7f54-1f0a-7b3c-9d21-6a5e8c40f7b2' },
      { since: '2026-11-14T00:00:00.000Z', eventTypes: ['booking.updated'] },
    ],
  },
);
export type ReplayBody = Static<typeof ReplayBody>;

export const Replayed = Type.Object(
  {
    deliveries: Type.Integer({ minimum: 0, description: 'How many were made and are on their way' }),
    continueFrom: nullable(
      instant('One call could not do all: repeat it with this as `since`; null when all is done'),
    ),
  },
  named('WebhookReplayed', 'What a replay comes to'),
);
export type Replayed = Static<typeof Replayed>;

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
