import { type Static, Type } from 'typebox';
import { operatorId } from '../../../http/manage-route.ts';
import { named, published } from '../../../http/validation/schema-helpers.ts';
import { OPERATOR_TEST_TYPES, PING } from '../event-types.ts';
import { deliveryExample } from '../log/schema.ts';
import { subscriptionExample } from '../schema.ts';

export const WebhookPath = Type.Object({
  operatorId,
  webhookId: Type.String({ description: 'Id of the webhook', examples: [subscriptionExample.webhookId] }),
});

export const DeliveryPath = Type.Object({
  operatorId,
  deliveryId: Type.String({
    format: 'uuid',
    description: 'Id of the delivery',
    examples: [deliveryExample.id],
  }),
});

export const OperatorTestBody = Type.Object(
  {
    // Any text passes here: an unknown type has a code of its own.
    eventType: Type.String({
      maxLength: 100,
      description: 'What is sent',
      ...published({ enum: [...OPERATOR_TEST_TYPES] }),
    }),
    bookingId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'A booking of yours, for `booking.updated`; one is made up without it',
      }),
    ),
    venueId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 400,
        description: 'A venue of yours, for `venue.updated`; one is made up without it',
      }),
    ),
  },
  {
    additionalProperties: false,
    ...named('OperatorWebhookTest', 'An event to be sent once, for trying out a receiver'),
    examples: [{ eventType: PING }, { eventType: 'venue.updated', venueId: '1|house|soho-grill' }],
  },
);
export type OperatorTestBody = Static<typeof OperatorTestBody>;
