import { type Static, Type } from 'typebox';
import { named, nullable, oneOf, published, text, URI } from '../../http/validation/schema-helpers.ts';
import { EVENT_TYPES } from '../events/service.ts';

const shown = {
  webhookId: Type.String({ format: 'uuid' }),
  callbackUrl: text('Where events are posted', URI),
  eventTypes: nullable(
    Type.Array(oneOf(EVENT_TYPES), {
      description: 'What is told; null: everything but `hold.expired`, also types to come',
    }),
  ),
  label: nullable(Type.String()),
  active: Type.Boolean({ description: 'False: paused, nothing is posted' }),
  isDefault: Type.Boolean({ description: 'Without meaning, always false' }),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: nullable(
    Type.String({ format: 'date-time', description: 'Of the last change; null when there was none' }),
  ),
};

export const WebhookSubscription = Type.Object(
  shown,
  named('WebhookSubscription', 'Where a partner or an operator is told of what happens, and of what'),
);
export type WebhookSubscription = Static<typeof WebhookSubscription>;

export const WebhookSubscriptions = Type.Object(
  { data: Type.Array(WebhookSubscription, { description: 'The oldest first' }) },
  named('WebhookSubscriptions', 'All subscriptions of a partner, or of an operator'),
);
export type WebhookSubscriptions = Static<typeof WebhookSubscriptions>;

export const WebhookWithSecret = Type.Object(
  {
    ...shown,
    secretKey: text('Signs what is posted: `whsec_` and 32 bytes in base64. It is not shown again'),
  },
  named('WebhookSubscriptionWithSecret', 'A subscription with the secret that was just made for it'),
);
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;

const CallbackUrl = Type.String({
  maxLength: 2000,
  description: 'An https address of a public host, which no other subscription of yours has',
  ...URI,
});
// Any text passes here: an unknown type has a code of its own.
const EventTypes = nullable(
  Type.Array(Type.String(published({ enum: EVENT_TYPES })), {
    minItems: 1,
    maxItems: 100,
    description: `Any of ${EVENT_TYPES.map((type) => `\`${type}\``).join(', ')}; null: everything but \`hold.expired\`, also types to come`,
  }),
);
const Label = nullable(
  Type.String({ maxLength: 100, format: 'name', description: 'A few words of your own' }),
);

const closed = { additionalProperties: false };

export const SubscriptionBody = Type.Object(
  { callbackUrl: CallbackUrl, eventTypes: Type.Optional(EventTypes), label: Type.Optional(Label) },
  {
    ...closed,
    ...named('WebhookSubscriptionRequest', 'A subscription to be made'),
    examples: [
      { callbackUrl: 'https://partner.example/maitred', eventTypes: ['booking.updated'], label: 'Bookings' },
    ],
  },
);
export type SubscriptionBody = Static<typeof SubscriptionBody>;

export const SubscriptionChange = Type.Object(
  {
    callbackUrl: Type.Optional(CallbackUrl),
    eventTypes: Type.Optional(EventTypes),
    label: Type.Optional(Label),
    active: Type.Optional(Type.Boolean({ description: 'False pauses, true resumes' })),
  },
  {
    ...closed,
    ...named('WebhookSubscriptionChange', 'What is to change; what is left out stays'),
    examples: [{ active: false }, { eventTypes: null, label: 'Everything' }],
  },
);
export type SubscriptionChange = Static<typeof SubscriptionChange>;

/** What the OpenAPI document shows of subscriptions: one for bookings, as it was made and after a change. */
const subscriptionMade: WebhookSubscription = {
  webhookId: '019a7f52-3b1e-7c40-8d25-b7e94a06f1c3',
  callbackUrl: 'https://partner.example/maitred',
  eventTypes: ['booking.updated'],
  label: 'Bookings',
  active: true,
  isDefault: false,
  createdAt: '2026-11-15T10:33:41.214Z',
  updatedAt: null,
};

export const subscriptionExample: WebhookSubscription = {
  ...subscriptionMade,
  updatedAt: '2026-11-16T08:02:17.905Z',
};

export const newSubscriptionExample: WebhookWithSecret = {
  ...subscriptionMade,
  secretKey: 'whsec_T25seSBhbiBleGFtcGxlLCBzbyBzaWduIG5vdGhpbmc=',
};

export const rotatedExample: WebhookWithSecret = {
  ...subscriptionExample,
  secretKey: 'whsec_QW5vdGhlciBvbmUsIGp1c3QgYXMgbXVjaCBhIHRveS4=',
};
