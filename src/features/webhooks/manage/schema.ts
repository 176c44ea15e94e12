import { type Static, Type } from 'typebox';
import { named, nullable, published, text } from '../../../http/validation/schema-helpers.ts';
import { Notification, PING } from '../event-types.ts';
import { DeliveryAttempt, deliveryExample, WebhookDelivery } from '../log/schema.ts';
import { subscriptionExample } from '../schema.ts';
import type { Side } from './sides.ts';

/** What the path names besides the owner. */
interface Paths {
  owner: unknown;
  webhook: { webhookId: string };
  delivery: { deliveryId: string };
}

export function pathsOf({ params }: Side) {
  const webhookId = Type.String({
    description: 'Id of the webhook',
    examples: [subscriptionExample.webhookId],
  });
  const deliveryId = Type.String({
    format: 'uuid',
    description: 'Id of the delivery',
    examples: [deliveryExample.id],
  });
  return {
    owner: Type.Unsafe<Paths['owner']>(Type.Object(params)),
    webhook: Type.Unsafe<Paths['webhook']>(Type.Object({ ...params, webhookId })),
    delivery: Type.Unsafe<Paths['delivery']>(Type.Object({ ...params, deliveryId })),
  };
}

export const testBodyOf = ({ name, testTypes }: Pick<Side, 'name' | 'testTypes'>) =>
  Type.Object(
    {
      // Any text passes here: an unknown type has a code of its own.
      eventType: Type.String({
        maxLength: 100,
        description: 'What is sent',
        ...published({ enum: [...testTypes] }),
      }),
      bookingId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'A booking of yours, for events about bookings; one is made up without it',
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
      ...named(`${name}WebhookTest`, 'An event to be sent once, for trying out a receiver'),
      examples: [{ eventType: PING }, { eventType: 'venue.updated', venueId: '1|house|soho-grill' }],
    },
  );
export type ManageTestBody = Static<ReturnType<typeof testBodyOf>>;

const AnsweredAttempt = Type.Object(
  {
    ...DeliveryAttempt.properties,
    answer: nullable(
      text(
        'The first 2,000 characters of what the receiver answered; null: nothing, or the guest was forgotten',
      ),
    ),
  },
  named('WebhookAnsweredAttempt', 'One time that an event was posted, and the answer'),
);

export const WebhookDeliveryDetail = Type.Object(
  {
    ...WebhookDelivery.properties,
    attempts: Type.Array(AnsweredAttempt, { description: 'The first one first' }),
    request: Type.Object(
      {
        url: nullable(text('Where it is posted to now; null: the webhook is gone')),
        headers: Type.Record(Type.String(), Type.String(), {
          description:
            'Those that are the same at every attempt. `webhook-timestamp` is the second in which the attempt began; signatures are not kept',
        }),
        body: nullable(Notification),
      },
      { description: 'What is posted; `body` is null once the guest was forgotten' },
    ),
  },
  named('WebhookDeliveryDetail', 'An event on its way to one subscription, with all that is known of it'),
);
export type WebhookDeliveryDetail = Static<typeof WebhookDeliveryDetail>;

const ANSWERS = [null, '{"error": "no such tenant"}', ''];

export const deliveryDetailExample: WebhookDeliveryDetail = {
  ...deliveryExample,
  attempts: deliveryExample.attempts.map((attempt, index) => ({
    ...attempt,
    answer: ANSWERS[index] ?? null,
  })),
  request: {
    url: subscriptionExample.callbackUrl,
    headers: { 'content-type': 'application/json', 'webhook-id': deliveryExample.eventId },
    body: null,
  },
};
