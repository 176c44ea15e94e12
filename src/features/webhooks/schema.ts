import { type Static, Type } from 'typebox';
import {
  CLOCK_TIME,
  EMAIL,
  named,
  nullable,
  oneOf,
  pence,
  published,
  text,
  URI,
} from '../../http/validation/schema-helpers.ts';
import { EVENT_TYPES } from '../events/service.ts';

const shown = {
  webhookId: Type.String({ format: 'uuid' }),
  callbackUrl: text('Where events are posted', URI),
  eventTypes: nullable(
    Type.Array(oneOf(EVENT_TYPES), { description: 'What is told; null: everything, also types to come' }),
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
  named('WebhookSubscription', 'Where a partner is told of what happens, and of what'),
);
export type WebhookSubscription = Static<typeof WebhookSubscription>;

export const WebhookSubscriptions = Type.Object(
  { data: Type.Array(WebhookSubscription, { description: 'The oldest first' }) },
  named('WebhookSubscriptions', 'All subscriptions of a partner'),
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
    description: `Any of ${EVENT_TYPES.map((type) => `\`${type}\``).join(', ')}; null: everything, also types to come`,
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

const instant = (description: string) => Type.String({ format: 'date-time', description });
const id = (description: string) => Type.String({ format: 'uuid', description });
const orNull = (description: string) => nullable(text(description));

const BookingEntry = Type.Object(
  {
    id: id('Id of the booking; with `lastUpdate` it tells whether you have seen this before'),
    venueId: text('Composite id of the venue'),
    date: Type.String({ format: 'date', description: 'Trading day' }),
    time: text('Local time of the start, `HH:MM`', CLOCK_TIME),
    partySize: Type.Integer({ description: 'Adults' }),
    status: oneOf(['pending', 'confirmed', 'cancelled', 'completed', 'no_show'] as const),
    reference: orNull("The booking's number in the system of the venue"),
    firstName: orNull('Of the guest'),
    lastName: orNull('Of the guest'),
    email: nullable(text('Of the guest', EMAIL)),
    phone: orNull('Of the guest'),
    actualGuests: nullable(Type.Integer({ description: 'How many came; null until the operator says so' })),
    actualSpend: nullable(pence('What they spent')),
    duration: Type.Integer({ description: 'Minutes' }),
    notes: orNull('What the guest has said'),
    createdDate: instant('When it was made'),
    lastUpdate: instant('When it was last changed; always later than before'),
  },
  named('NotifiedBooking', 'A booking as it is after the change'),
);

const MessageEntry = Type.Object(
  {
    id: id('Id of the message'),
    bookingId: id('The booking that it is about'),
    text: text('What the operator says'),
    replyTo: nullable(text('Where an answer goes', EMAIL)),
  },
  named('NotifiedMessage', 'Something that the operator says about a booking'),
);

const VenueEntry = Type.Object(
  { compositeId: text('Id of the venue'), active: Type.Boolean({ description: 'False: it has closed' }) },
  named('NotifiedVenue', 'A venue that has closed'),
);

export const Notification = Type.Object(
  {
    eventType: oneOf(EVENT_TYPES),
    timestamp: instant('When it happened'),
    bookings: Type.Optional(Type.Array(BookingEntry, { description: 'Of `booking.updated`' })),
    messages: Type.Optional(Type.Array(MessageEntry, { description: 'Of `message.received`' })),
    venues: Type.Optional(Type.Array(VenueEntry, { description: 'Of `venue.updated`' })),
  },
  named('WebhookNotification', 'What is posted'),
);
