import { type Static, Type } from 'typebox';
import { callerOf } from '../../http/auth/identify.ts';
import { formatOf, sendLive } from '../../http/format/render.ts';
import type { App } from '../../http/route.ts';
import {
  newSubscriptionExample,
  rotatedExample,
  SubscriptionBody,
  SubscriptionChange,
  subscriptionExample,
  WebhookSubscription,
  WebhookSubscriptions,
  WebhookWithSecret,
} from './schema.ts';
import type { Webhooks } from './service.ts';

const WebhookPath = Type.Object({
  webhookId: Type.String({
    description: 'Id of the subscription',
    examples: [subscriptionExample.webhookId],
  }),
});

/** For what needs no body: one that is sent is read all the same. */
const READING_NOTHING = ['HTTP-N-413', 'HTTP-N-415'] as const;

const TAG = ['Webhooks'];

export function subscriptionRoutes(app: App, { subscriptions }: Pick<Webhooks, 'subscriptions'>): void {
  app.get(
    '/webhooks/subscriptions',
    {
      config: { access: 'partner:create', isLive: true, example: { data: [subscriptionExample] } },
      schema: {
        operationId: 'listWebhookSubscriptions',
        tags: TAG,
        summary: 'List your subscriptions',
        description: 'All of them, paused ones too. There can be ten.',
        response: { 200: WebhookSubscriptions },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      sendLive(reply, await subscriptions.list(callerOf(request)), format);
    },
  );

  app.post(
    '/webhooks/subscriptions',
    {
      config: {
        access: 'partner:create',
        problems: ['WHK-N-002', 'WHK-N-003', 'WHK-N-004', 'WHK-N-005'],
        isLive: true,
        example: newSubscriptionExample,
      },
      schema: {
        operationId: 'createWebhookSubscription',
        tags: TAG,
        summary: 'Subscribe to events',
        description:
          'From now on, what happens to your bookings, their messages and your venues is posted to `callbackUrl`, signed with `secretKey`. Keep that: it is not shown again.',
        body: SubscriptionBody,
        response: { 201: WebhookWithSecret },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      sendLive(reply.code(201), await subscriptions.create(callerOf(request), request.body), format);
    },
  );

  app.get(
    '/webhooks/subscriptions/:webhookId',
    {
      config: {
        access: 'partner:create',
        problems: ['WHK-N-001'],
        isLive: true,
        example: subscriptionExample,
      },
      schema: {
        operationId: 'getWebhookSubscription',
        tags: TAG,
        summary: 'Read one subscription',
        description: 'Everything but its secret.',
        params: WebhookPath,
        response: { 200: WebhookSubscription },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      sendLive(reply, await subscriptions.get(callerOf(request), request.params.webhookId), format);
    },
  );

  app.put(
    '/webhooks/subscriptions/:webhookId',
    {
      config: {
        access: 'partner:create',
        problems: ['WHK-N-001', 'WHK-N-002', 'WHK-N-003', 'WHK-N-005'],
        isLive: true,
        example: subscriptionExample,
        readCurrent: (request) =>
          subscriptions.get(callerOf(request), (request.params as Static<typeof WebhookPath>).webhookId),
      },
      schema: {
        operationId: 'updateWebhookSubscription',
        tags: TAG,
        summary: 'Change, pause or resume a subscription',
        description:
          'Changes what the body names and leaves the rest: `label` null clears it, `eventTypes` null stands for all types. The secret stays. What waits to be posted goes to the new address.',
        params: WebhookPath,
        body: SubscriptionChange,
        response: { 200: WebhookSubscription },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      const { webhookId } = request.params;
      sendLive(reply, await subscriptions.update(callerOf(request), webhookId, request.body), format);
    },
  );

  app.delete(
    '/webhooks/subscriptions/:webhookId',
    {
      config: { access: 'partner:create', problems: ['WHK-N-001', ...READING_NOTHING] },
      schema: {
        operationId: 'deleteWebhookSubscription',
        tags: TAG,
        summary: 'End a subscription',
        description: 'Nothing more is posted there, whatever was waiting.',
        params: WebhookPath,
        response: { 204: Type.Null({ description: 'Ended' }) },
      },
    },
    async (request, reply) => {
      await subscriptions.remove(callerOf(request), request.params.webhookId);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/webhooks/subscriptions/:webhookId/secret',
    {
      config: {
        access: 'partner:create',
        problems: ['WHK-N-001', ...READING_NOTHING],
        isLive: true,
        example: rotatedExample,
      },
      schema: {
        operationId: 'rotateWebhookSecret',
        tags: TAG,
        summary: 'Get a new secret',
        description:
          '`X-API-Key` is made with the new secret at once. `webhook-signature` carries a signature by the one before as well for 24 hours, so that receivers can change over without refusing anything.',
        params: WebhookPath,
        response: { 200: WebhookWithSecret },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      sendLive(reply, await subscriptions.rotate(callerOf(request), request.params.webhookId), format);
    },
  );
}
