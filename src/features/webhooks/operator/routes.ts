import { manageRoutes, NoBody, operatorPath } from '../../../http/manage-route.ts';
import type { App } from '../../../http/route.ts';
import { TIMEOUT_MS } from '../delivery/attempt.ts';
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
} from '../log/schema.ts';
import {
  newSubscriptionExample,
  rotatedExample,
  SubscriptionBody,
  SubscriptionChange,
  subscriptionExample,
  WebhookSubscription,
  WebhookSubscriptions,
  WebhookWithSecret,
} from '../schema.ts';
import { TestReport, testReportExample } from '../testing/schema.ts';
import { DeliveryPath, OperatorTestBody, WebhookPath } from './schema.ts';
import type { OperatorWebhooks } from './service.ts';

const TAG = 'Manage: webhooks';
const BASE = '/manage/operators/:operatorId/webhooks';
const ONE = `${BASE}/:webhookId`;
const access = 'manage:manager';

/** For finding what the event says, and for the report. */
const BESIDES_POSTING_MS = 10_000;

export function operatorWebhookRoutes(app: App, webhooks: OperatorWebhooks): void {
  subscriptionRoutes(app, webhooks);
  logRoutes(app, webhooks);
}

function subscriptionRoutes(app: App, webhooks: OperatorWebhooks): void {
  const routes = manageRoutes(app, TAG);
  routes.list(BASE, {
    access,
    operationId: 'listOperatorWebhooks',
    summary: 'List your webhooks',
    description: 'All of them, paused ones too. There can be ten.',
    params: operatorPath,
    result: WebhookSubscriptions,
    example: { data: [subscriptionExample] },
    run: ({ actor, params }) => webhooks.list({ actor, ...params }),
  });
  routes.create(BASE, {
    access,
    operationId: 'createOperatorWebhook',
    summary: 'Subscribe to events',
    description:
      'From now on, what happens to bookings at your venues, those of partners and your own, and to the venues is posted to `callbackUrl`, signed with `secretKey`. Keep that: it is not shown again. Partners get the same events in the same bytes, but none about your own bookings.',
    params: operatorPath,
    body: SubscriptionBody,
    result: WebhookWithSecret,
    example: newSubscriptionExample,
    problems: ['WHK-N-002', 'WHK-N-003', 'WHK-N-004', 'WHK-N-005'],
    run: ({ actor, params, body }) => webhooks.create({ actor, ...params }, body),
  });
  routes.get(ONE, {
    access,
    operationId: 'getOperatorWebhook',
    summary: 'Read one webhook',
    description: 'Everything but its secret.',
    params: WebhookPath,
    result: WebhookSubscription,
    example: subscriptionExample,
    problems: ['WHK-N-001'],
    run: ({ actor, params: { operatorId, webhookId } }) => webhooks.get({ actor, operatorId }, webhookId),
  });
  routes.put(ONE, {
    access,
    operationId: 'changeOperatorWebhook',
    summary: 'Change, pause or resume a webhook',
    description:
      'Changes what the body names and leaves the rest: `label` null clears it, `eventTypes` null asks for everything. The secret stays. What waits to be posted goes to the new address.',
    params: WebhookPath,
    body: SubscriptionChange,
    result: WebhookSubscription,
    example: subscriptionExample,
    problems: ['WHK-N-001', 'WHK-N-002', 'WHK-N-003', 'WHK-N-005'],
    run: ({ actor, params: { operatorId, webhookId }, body, ifMatch }) =>
      webhooks.update({ actor, operatorId }, webhookId, body, ifMatch),
  });
  routes.remove(ONE, {
    access,
    operationId: 'removeOperatorWebhook',
    summary: 'End a webhook',
    description: 'Nothing more is posted there, whatever was waiting.',
    params: WebhookPath,
    problems: ['WHK-N-001'],
    run: ({ actor, params: { operatorId, webhookId }, ifMatch }) =>
      webhooks.remove({ actor, operatorId }, webhookId, ifMatch),
  });
  routes.act(`${ONE}/secret`, {
    access,
    operationId: 'rotateOperatorWebhookSecret',
    summary: 'Get a new secret',
    description:
      '`X-API-Key` is made with the new secret at once. `webhook-signature` carries a signature by the one before as well for 24 hours, so that receivers can change over without refusing anything.',
    params: WebhookPath,
    body: NoBody,
    result: WebhookWithSecret,
    example: rotatedExample,
    problems: ['WHK-N-001'],
    run: ({ actor, params: { operatorId, webhookId }, ifMatch }) =>
      webhooks.rotate({ actor, operatorId }, webhookId, ifMatch),
  });
  routes.act(`${ONE}/test`, {
    access,
    operationId: 'testOperatorWebhook',
    summary: 'Send an event to a webhook',
    description:
      'Posts one event at once, signed like every other and with the header `X-Webhook-Test: true`, and says how the receiver took it, even if the webhook is paused or has not asked for the type. In live nothing but `webhook.ping` can be sent. Ten calls a minute are possible for each operator.',
    params: WebhookPath,
    body: OperatorTestBody,
    result: TestReport,
    example: { deliveries: testReportExample.deliveries.slice(0, 1) },
    deadlineMs: TIMEOUT_MS + BESIDES_POSTING_MS,
    problems: [
      'WHK-N-001',
      'WHK-N-005',
      'WHK-N-006',
      'WHK-N-007',
      'BOOK-N-006',
      'OPRTR-N-002',
      'VENUE-N-001',
      'RATE-R-001',
    ],
    run: ({ actor, params: { operatorId, webhookId }, body }) =>
      webhooks.sendTest({ actor, operatorId }, webhookId, body),
  });
  routes.act(`${ONE}/replay`, {
    access,
    operationId: 'replayOperatorEvents',
    summary: 'Deliver again',
    description:
      'One event, or everything since a time, is posted to this webhook again in the very same words, even if it is paused or has not asked for the type. What already waits to be posted again is not added once more, and events whose guest was forgotten are left out. One call does 10,000 at most.',
    params: WebhookPath,
    body: ReplayBody,
    result: Replayed,
    example: { deliveries: 318, continueFrom: null },
    problems: ['WHK-N-001'],
    run: ({ actor, params: { operatorId, webhookId }, body }) =>
      webhooks.replay({ actor, operatorId }, webhookId, body),
  });
}

function logRoutes(app: App, webhooks: OperatorWebhooks): void {
  const routes = manageRoutes(app, TAG);
  routes.list(`${BASE}/events`, {
    access,
    operationId: 'listOperatorEvents',
    summary: 'Read the event log',
    description:
      'Everything that happened to bookings at your venues and to the venues, whether or not a webhook asked for it, in an order that nothing is ever added to but at its end. Keep the id of the last event that you have read here and send it as `cursor` the next time.',
    params: operatorPath,
    query: EventsQuery,
    result: WebhookEvents,
    example: eventsExample,
    run: ({ actor, params, query }) => webhooks.listEvents({ actor, ...params }, query),
  });
  routes.list(`${BASE}/deliveries`, {
    access,
    operationId: 'listOperatorDeliveries',
    summary: 'List deliveries',
    description:
      'What was posted to your webhooks or still will be, with every attempt; the newest first. Deliveries to webhooks that you have deleted stay in the list.',
    params: operatorPath,
    query: DeliveriesQuery,
    result: WebhookDeliveries,
    example: deliveriesExample,
    run: ({ actor, params, query }) => webhooks.listDeliveries({ actor, ...params }, query),
  });
  routes.list(`${BASE}/deliveries/:deliveryId`, {
    access,
    operationId: 'getOperatorDelivery',
    summary: 'Read one delivery',
    description: 'With every attempt.',
    params: DeliveryPath,
    result: WebhookDelivery,
    example: deliveryExample,
    problems: ['HTTP-N-404'],
    run: ({ actor, params: { operatorId, deliveryId } }) =>
      webhooks.getDelivery({ actor, operatorId }, deliveryId),
  });
}
