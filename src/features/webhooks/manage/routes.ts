import { type ManageCall, manageRoutes, NoBody } from '../../../http/manage-route.ts';
import type { App } from '../../../http/route.ts';
import { DEADLINES } from '../../../kernel/deadlines.ts';
import {
  DeliveriesQuery,
  deliveriesExample,
  EventsQuery,
  eventsExample,
  ReplayBody,
  Replayed,
  WebhookDeliveries,
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
import { deliveryDetailExample, pathsOf, testBodyOf, WebhookDeliveryDetail } from './schema.ts';
import type { Asking, ManagedWebhooks } from './service.ts';
import { SIDES, type Side } from './sides.ts';

const TAG = 'Manage: webhooks';

/** The same routes for operators and for partners. */
export function managedWebhookRoutes(app: App, webhooks: ManagedWebhooks): void {
  for (const side of SIDES) {
    subscriptionRoutes(app, webhooks, side);
    deliveryRoutes(app, webhooks, side);
    logRoutes(app, webhooks, side);
  }
}

type Call = Pick<ManageCall<unknown, unknown, unknown>, 'actor' | 'params'>;

/** The path of a side has one id of an owner. */
function askingOf({ kind, params }: Side): (call: Call) => Asking {
  const [name = ''] = Object.keys(params);
  return ({ actor, params: given }) => ({
    actor,
    owner: { kind, id: (given as Record<string, number>)[name] as number },
  });
}

function subscriptionRoutes(app: App, webhooks: ManagedWebhooks, side: Side): void {
  const { base, access, name, texts } = side;
  const one = `${base}/:webhookId`;
  const paths = pathsOf(side);
  const asking = askingOf(side);
  const routes = manageRoutes(app, TAG);
  routes.list(base, {
    access,
    operationId: `list${name}Webhooks`,
    summary: 'List your webhooks',
    description: 'All of them, paused ones too. There can be ten.',
    params: paths.owner,
    result: WebhookSubscriptions,
    example: { data: [subscriptionExample] },
    run: (call) => webhooks.list(asking(call)),
  });
  routes.create(base, {
    access,
    operationId: `create${name}Webhook`,
    summary: 'Subscribe to events',
    description: texts.create,
    params: paths.owner,
    body: SubscriptionBody,
    result: WebhookWithSecret,
    example: newSubscriptionExample,
    problems: ['WHK-N-002', 'WHK-N-003', 'WHK-N-004', 'WHK-N-005'],
    run: (call) => webhooks.create(asking(call), call.body),
  });
  routes.get(one, {
    access,
    operationId: `get${name}Webhook`,
    summary: 'Read one webhook',
    description: 'Everything but its secret.',
    params: paths.webhook,
    result: WebhookSubscription,
    example: subscriptionExample,
    problems: ['WHK-N-001'],
    run: (call) => webhooks.get(asking(call), call.params.webhookId),
  });
  routes.put(one, {
    access,
    operationId: `change${name}Webhook`,
    summary: 'Change, pause or resume a webhook',
    description:
      'Changes what the body names and leaves the rest: `label` null clears it, `eventTypes` null stands for all types. The secret stays. What waits to be posted goes to the new address.',
    params: paths.webhook,
    body: SubscriptionChange,
    result: WebhookSubscription,
    example: subscriptionExample,
    problems: ['WHK-N-001', 'WHK-N-002', 'WHK-N-003', 'WHK-N-005'],
    run: (call) => webhooks.update(asking(call), call.params.webhookId, call.body, call.ifMatch),
  });
  routes.remove(one, {
    access,
    operationId: `remove${name}Webhook`,
    summary: 'End a webhook',
    description: 'Nothing more is posted there, whatever was waiting.',
    params: paths.webhook,
    problems: ['WHK-N-001'],
    run: (call) => webhooks.remove(asking(call), call.params.webhookId, call.ifMatch),
  });
  routes.act(`${one}/secret`, {
    access,
    operationId: `rotate${name}WebhookSecret`,
    summary: 'Get a new secret',
    description:
      '`X-API-Key` is made with the new secret at once. `webhook-signature` carries a signature by the one before as well for 24 hours, so that receivers can change over without refusing anything.',
    params: paths.webhook,
    body: NoBody,
    result: WebhookWithSecret,
    example: rotatedExample,
    problems: ['WHK-N-001'],
    run: (call) => webhooks.rotate(asking(call), call.params.webhookId, call.ifMatch),
  });
}

function deliveryRoutes(app: App, webhooks: ManagedWebhooks, side: Side): void {
  const { base, access, name, testProblems } = side;
  const one = `${base}/:webhookId`;
  const paths = pathsOf(side);
  const asking = askingOf(side);
  const routes = manageRoutes(app, TAG);
  routes.act(`${one}/test`, {
    access,
    operationId: `test${name}Webhook`,
    summary: 'Send an event to a webhook',
    description:
      'Posts one event at once, signed like every other and with the header `X-Webhook-Test: true`, and reports what the receiver answered. The webhook may be paused, and its types need not include this one. In live only `webhook.ping` can be sent. Each operator and each partner has ten calls a minute; all callers that act for it share them.',
    params: paths.webhook,
    body: testBodyOf(side),
    result: TestReport,
    example: { deliveries: testReportExample.deliveries.slice(0, 1) },
    deadlineMs: DEADLINES.webhookTest,
    problems: ['WHK-N-001', 'WHK-N-005', 'WHK-N-006', 'WHK-N-007', ...testProblems, 'RATE-R-001'],
    run: (call) => webhooks.sendTest(asking(call), call.params.webhookId, call.body),
  });
  routes.act(`${one}/replay`, {
    access,
    operationId: `replay${name}Events`,
    summary: 'Deliver again',
    description:
      'One event, or everything since a time, is posted to this webhook again with the same body. The webhook may be paused, and its types need not include that of the event. What already waits to be posted again is not added once more, and events whose guest was forgotten are left out. One call does 10,000 at most.',
    params: paths.webhook,
    body: ReplayBody,
    result: Replayed,
    example: { deliveries: 318, continueFrom: null },
    problems: ['WHK-N-001'],
    run: (call) => webhooks.replay(asking(call), call.params.webhookId, call.body),
  });
}

function logRoutes(app: App, webhooks: ManagedWebhooks, side: Side): void {
  const { base, access, name, texts } = side;
  const paths = pathsOf(side);
  const asking = askingOf(side);
  const routes = manageRoutes(app, TAG);
  routes.list(`${base}/events`, {
    access,
    operationId: `list${name}Events`,
    summary: 'Read the event log',
    description: texts.events,
    params: paths.owner,
    query: EventsQuery,
    result: WebhookEvents,
    example: eventsExample,
    run: (call) => webhooks.listEvents(asking(call), call.query),
  });
  routes.list(`${base}/deliveries`, {
    access,
    operationId: `list${name}Deliveries`,
    summary: 'List deliveries',
    description:
      'What was posted to your webhooks or still will be, with every attempt; the newest first. Deliveries to webhooks that you have deleted stay in the list.',
    params: paths.owner,
    query: DeliveriesQuery,
    result: WebhookDeliveries,
    example: deliveriesExample,
    run: (call) => webhooks.listDeliveries(asking(call), call.query),
  });
  routes.list(`${base}/deliveries/:deliveryId`, {
    access,
    operationId: `get${name}Delivery`,
    summary: 'Read one delivery',
    description:
      'With what is posted, and with every attempt and what the receiver answered to it. Signatures and secrets are not shown.',
    params: paths.delivery,
    result: WebhookDeliveryDetail,
    example: deliveryDetailExample,
    problems: ['HTTP-N-404'],
    run: (call) => webhooks.getDelivery(asking(call), call.params.deliveryId),
  });
}
