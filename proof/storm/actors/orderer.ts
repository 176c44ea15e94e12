/** A partner who orders several things at once, and looks after some of the orders afterwards. */
import { type OrderAnswer, orderMaker, type SentOrder } from '../../../test/faults/orders/order-random.ts';
import type { Spot } from '../world.ts';
import type { Caller, Told } from './caller.ts';

const ORDER = '/v1/orders/{orderId}';
const MOST_ITEMS = 6;
const TRIES = 4;

/** All that was sent; the answers are those of the creation. */
export async function keepOrdering(caller: Caller, spots: readonly Spot[], sent: SentOrder[]): Promise<void> {
  const places = spots.map(({ productId, starts, kind }) => ({
    productId,
    starts,
    isRemote: kind === 'bistro' || kind === 'towers',
  }));
  const newOrder = orderMaker(places, caller.random);
  while (!caller.stage.isOver()) {
    const order = newOrder(MOST_ITEMS);
    sent.push(order);
    const told = await send(caller, order);
    if (told.status === 200 && caller.chance(0.4)) await lookAfter(caller, told.answer);
    await caller.rest(100);
  }
}

async function send(caller: Caller, order: SentOrder): Promise<Told> {
  const { key, body, answers } = order;
  const isNamed = key !== null || body.partnerOrderId !== null;
  for (let count = 1; ; count += 1) {
    const told = await caller.ask({ route: 'POST /v1/orders', key, body });
    if (told.status !== null) answers.push({ status: told.status, json: told.answer });
    const isOpen = told.status === null || told.status === 503;
    if (!isOpen || !isNamed || count === TRIES || caller.stage.isOver()) return told;
    await caller.rest(500);
  }
}

async function lookAfter({ ask, pick, chance }: Caller, answer: OrderAnswer['json']): Promise<void> {
  const { orderId } = answer;
  const about = { params: { orderId } };
  await ask({ route: `GET ${ORDER}`, ...about });
  const bookings: string[] = answer.items.flatMap(
    (item: { bookingId: string | null }) => item.bookingId ?? [],
  );
  if (bookings.length === 0) return;
  const bookingId = pick(bookings);
  if (chance(0.5))
    await ask({
      route: `PATCH ${ORDER}`,
      ...about,
      body: { items: [{ bookingId, phone: '+44 20 7946 0018' }] },
    });
  if (chance(0.4))
    await ask({
      route: `DELETE ${ORDER}`,
      ...about,
      ...(chance(0.5) && { body: { bookingIds: [bookingId] } }),
    });
}
