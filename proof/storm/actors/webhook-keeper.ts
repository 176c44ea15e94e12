/** A partner who makes subscriptions and takes them away again, tries them out, and looks back at what was delivered. */
import type { Caller } from './caller.ts';

const ALL = '/webhooks/subscriptions';
const ONE = `${ALL}/{webhookId}`;

export async function keepSubscribing(caller: Caller, receiverUrl: string): Promise<void> {
  const { ask, stage } = caller;
  for (let count = 1; !stage.isOver(); count += 1) {
    const callbackUrl = `${receiverUrl}/passing/${caller.name}/${count}`;
    const made = await ask({ route: `POST ${ALL}`, body: { callbackUrl, label: `Passing ${count}` } });
    await ask({ route: `GET ${ALL}` });
    if (made.status === 201) await useUp(caller, made.answer.webhookId);
    await lookBack(caller);
    await caller.rest(400);
  }
}

async function useUp({ ask, rest }: Caller, webhookId: string): Promise<void> {
  const about = { params: { webhookId } };
  const events = await ask({ route: 'GET /webhooks/events', query: { limit: 5 } });
  await ask({ route: `GET ${ONE}`, ...about });
  await ask({ route: `PUT ${ONE}`, ...about, body: { active: false } });
  await ask({ route: `PUT ${ONE}`, ...about, body: { active: true, eventTypes: ['booking.updated'] } });
  await ask({ route: `POST ${ONE}/secret`, ...about });
  const eventId = events.answer?.data?.[0]?.id;
  if (eventId) await ask({ route: `POST ${ONE}/replay`, ...about, body: { eventId } });
  await ask({ route: 'POST /webhooks/test', query: { webhookId }, body: { eventType: 'webhook.ping' } });
  await rest(500);
  await ask({ route: `DELETE ${ONE}`, ...about });
}

async function lookBack({ ask }: Caller): Promise<void> {
  const list = await ask({ route: 'GET /webhooks/deliveries', query: { limit: 10 } });
  const deliveryId = list.answer?.data?.[0]?.id;
  if (deliveryId) await ask({ route: 'GET /webhooks/deliveries/{deliveryId}', params: { deliveryId } });
}
