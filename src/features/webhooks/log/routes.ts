import { Type } from 'typebox';
import { callerOf } from '../../../http/auth/identify.ts';
import { formatOf, sendLive } from '../../../http/format/render.ts';
import type { App } from '../../../http/route.ts';
import { subscriptionExample } from '../schema.ts';
import type { Webhooks } from '../service.ts';
import {
  DeliveriesQuery,
  deliveriesExample,
  deliveryExample,
  EventsQuery,
  eventsExample,
  ReplayBody,
  Replayed,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookEvents,
} from './schema.ts';

const TAG = ['Webhooks'];

export function logRoutes(app: App, { eventLog, replay }: Pick<Webhooks, 'eventLog' | 'replay'>): void {
  app.get(
    '/webhooks/events',
    {
      config: { access: 'partner:create', isLive: true, example: eventsExample },
      schema: {
        operationId: 'listWebhookEvents',
        tags: TAG,
        summary: 'Read the event log',
        description:
          'Everything that happened to your bookings, their messages and your venues, whether or not a subscription has its type, in an order that nothing is ever added to but at its end. Keep the id of the last event that you have read here and send it as `cursor` the next time: nothing is left out and nothing comes twice.',
        querystring: EventsQuery,
        response: { 200: WebhookEvents },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      sendLive(reply, await eventLog.list(callerOf(request), request.query), format);
    },
  );

  app.get(
    '/webhooks/deliveries',
    {
      config: { access: 'partner:create', isLive: true, example: deliveriesExample },
      schema: {
        operationId: 'listWebhookDeliveries',
        tags: TAG,
        summary: 'List deliveries',
        description:
          'What was posted to your subscriptions or still will be, with every attempt; the newest first. Deliveries to subscriptions that you have deleted stay in the list.',
        querystring: DeliveriesQuery,
        response: { 200: WebhookDeliveries },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      sendLive(reply, await eventLog.listDeliveries(callerOf(request), request.query), format);
    },
  );

  app.get(
    '/webhooks/deliveries/:deliveryId',
    {
      config: {
        access: 'partner:create',
        problems: ['HTTP-N-404'],
        isLive: true,
        example: deliveryExample,
      },
      schema: {
        operationId: 'getWebhookDelivery',
        tags: TAG,
        summary: 'Read one delivery',
        description: 'With every attempt.',
        params: Type.Object({
          deliveryId: Type.String({
            format: 'uuid',
            description: 'Id of the delivery',
            examples: [deliveryExample.id],
          }),
        }),
        response: { 200: WebhookDelivery },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      sendLive(reply, await eventLog.getDelivery(callerOf(request), request.params.deliveryId), format);
    },
  );

  app.post(
    '/webhooks/subscriptions/:webhookId/replay',
    {
      config: {
        access: 'partner:create',
        problems: ['WHK-N-001'],
        isLive: true,
        example: { deliveries: 318, continueFrom: null },
      },
      schema: {
        operationId: 'replayWebhookEvents',
        tags: TAG,
        summary: 'Deliver again',
        description:
          'One event, or everything since a time, is posted to this subscription again with the same body. The subscription may be paused, and its types need not include that of the event. What already waits to be posted again is not added once more, and events whose guest was forgotten are left out. One call does 10,000 at most.',
        params: Type.Object({
          webhookId: Type.String({
            description: 'Id of the subscription',
            examples: [subscriptionExample.webhookId],
          }),
        }),
        body: ReplayBody,
        response: { 202: Replayed },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      const { webhookId } = request.params;
      sendLive(reply.code(202), await replay(callerOf(request), webhookId, request.body), format);
    },
  );
}
