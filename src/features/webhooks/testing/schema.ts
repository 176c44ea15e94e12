import { type Static, Type } from 'typebox';
import {
  EMAIL,
  named,
  nullable,
  oneOf,
  published,
  text,
  URI,
  wellFormed,
} from '../../../http/validation/schema-helpers.ts';
import { SimulatedChanges } from '../../bookings/service.ts';
import { EVENT_TYPES } from '../../events/service.ts';
import { POST_ERRORS } from '../delivery/attempt.ts';
import { subscriptionExample } from '../schema.ts';

export const PING = 'webhook.ping';
/** What a test can send: every event there is, and one that says nothing. */
export const TEST_TYPES = [...EVENT_TYPES, PING] as const;
export type TestType = (typeof TEST_TYPES)[number];

const closed = { additionalProperties: false };
const words = (description: string, maxLength: number) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }));

const TestVenue = Type.Object(
  {
    compositeId: words('In place of the id of the venue', 400),
    active: Type.Optional(Type.Boolean({ description: 'False unless it is given' })),
  },
  { ...closed, ...named('WebhookTestVenue', 'What the event says of the venue; nothing of it is stored') },
);

const TestMessage = Type.Object(
  {
    id: words('Id of the message', 100),
    text: words('What the operator says', 5000),
    replyTo: Type.Optional(
      nullable(Type.String({ maxLength: 254, description: 'Where an answer should go', ...EMAIL })),
    ),
  },
  {
    ...closed,
    ...named('WebhookTestMessage', 'What the event says of the message; nothing of it is stored'),
  },
);

export const TestBody = Type.Object(
  {
    // Any text passes here: an unknown type has a code of its own.
    eventType: Type.String({
      maxLength: 100,
      description: 'What is sent',
      ...published({ enum: TEST_TYPES }),
    }),
    bookingId: words(
      'A booking of yours, for `booking.updated` and `message.received`; one is made up without it',
      100,
    ),
    venueId: words('A venue that you distribute, for `venue.updated`; one is made up without it', 400),
    changes: Type.Optional(SimulatedChanges),
    venue: Type.Optional(TestVenue),
    message: Type.Optional(TestMessage),
  },
  {
    ...closed,
    ...named('WebhookTest', 'An event to be sent once, for trying out receivers'),
    examples: [
      { eventType: PING },
      {
        eventType: 'booking.updated',
        bookingId: '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60',
        changes: { status: 'cancelled' },
      },
      { eventType: 'venue.updated', venueId: '1|house|soho-grill' },
    ],
  },
);
export type TestBody = Static<typeof TestBody>;

/** What the route checks. Whether a booking could have these values is for the simulation to say, as `SBOX-N-004`. */
export const WellFormedTest = Type.Object(
  { ...TestBody.properties, changes: Type.Optional(wellFormed(SimulatedChanges)) },
  closed,
);

export const TestQuery = Type.Object({
  webhookId: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Only to this subscription, even if it is paused or has not asked for the type; without it, to all that are active',
    }),
  ),
});

export const TestDelivery = Type.Object(
  {
    webhookId: Type.String({ format: 'uuid' }),
    callbackUrl: text('Where it was posted', URI),
    delivered: Type.Boolean({ description: 'Whether the receiver answered with a 2xx status in time' }),
    statusCode: nullable(Type.Integer({ description: 'What the receiver answered; null when it did not' })),
    durationMs: nullable(Type.Integer({ description: 'Until the answer or the failure' })),
    signature: nullable(
      text('The `X-API-Key` that was sent, to be compared with what the receiver works out'),
    ),
    skipped: nullable(
      oneOf(['filtered'] as const, { description: 'Nothing was posted: it has not asked for this type' }),
    ),
    error: nullable(oneOf(POST_ERRORS, { description: 'Why it was not delivered, roughly' })),
  },
  named('WebhookTestDelivery', 'How a test went at one subscription'),
);
export type TestDelivery = Static<typeof TestDelivery>;

export const TestReport = Type.Object(
  { deliveries: Type.Array(TestDelivery, { description: 'The oldest subscription first' }) },
  named('WebhookTestReport', 'How a test went'),
);
export type TestReport = Static<typeof TestReport>;

/** The example in the OpenAPI document: one subscription has got it, one does not subscribe to it. */
export const testReportExample: TestReport = {
  deliveries: [
    {
      webhookId: subscriptionExample.webhookId,
      callbackUrl: subscriptionExample.callbackUrl,
      delivered: true,
      statusCode: 204,
      durationMs: 38,
      signature: '5d2f6a0c9b7e41d8a3f0c6e2b94d17586f3a80ce41b2d97f60a5c83e1d4b7092',
      skipped: null,
      error: null,
    },
    {
      webhookId: '019a7f5b-90c2-7e11-b3d4-6f2a1c8e5d07',
      callbackUrl: 'https://partner.example/venues-only',
      delivered: false,
      statusCode: null,
      durationMs: null,
      signature: null,
      skipped: 'filtered',
      error: null,
    },
  ],
};
