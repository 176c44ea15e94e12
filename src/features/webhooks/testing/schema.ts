import { type Static, Type } from 'typebox';
import {
  named,
  nullable,
  oneOf,
  published,
  text,
  URI,
  wellFormed,
} from '../../../http/validation/schema-helpers.ts';
import { SimulatedChanges } from '../../bookings/service.ts';
import { POST_ERRORS } from '../delivery/attempt.ts';
import { PING, TEST_FIELDS, TEST_TYPES } from '../event-types.ts';
import { subscriptionExample } from '../schema.ts';

const closed = { additionalProperties: false };

export const TestBody = Type.Object(
  {
    // Any text passes here: an unknown type has a code of its own.
    eventType: Type.String({
      maxLength: 100,
      description: 'What is sent',
      ...published({ enum: TEST_TYPES }),
    }),
    ...TEST_FIELDS,
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
        'Only to this subscription, which may be paused and whose types need not include this one; without it, to all that are active',
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
      oneOf(['filtered'] as const, {
        description: 'Nothing was posted: the types of the subscription do not include this one',
      }),
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
