/** Orders that nodes die on, and how they are taken up again. */
import { createLife } from './order-life.ts';
import { isNamed, pick, type Random, type SentOrder } from './order-random.ts';
import {
  clearUp,
  misbehave,
  type OrderNode,
  startOrderNode,
  type Tampering,
  type World,
} from './order-world.ts';

/** Longer than the leases of orders, of keys and of what is under way in a remote system. */
export const LEASE_SECONDS = 21;
const ABANDONED_SECONDS = 16 * 60;

export interface Story {
  world: World;
  random: Random;
  tampering?: Tampering;
  /** Called when nodes have died and nobody has come back yet. */
  inRuins?: () => Promise<void>;
}

/** It dies at some point of its work for the order, or just survives that. */
function mortal({ world, random, tampering }: Story, { body }: SentOrder): Promise<OrderNode> {
  const diesAfter = Math.floor(random() * (35 + 17 * body.items.length));
  return startOrderNode(world, { life: createLife({ diesAfter }), tampering });
}

export async function send(node: OrderNode, order: SentOrder): Promise<void> {
  const answer = await node.order(order);
  if (answer) order.answers.push(answer);
}

/** Sent again, perhaps to a node that dies as well, and in the end to one that lives or to two of them at once. */
async function insist(story: Story, order: SentOrder, living: readonly OrderNode[]): Promise<void> {
  const { world, random } = story;
  while (random() < 0.4) {
    world.pass(LEASE_SECONDS);
    const node = await mortal(story, order);
    await send(node, order);
    await node.leave();
  }
  world.pass(LEASE_SECONDS);
  await Promise.all(living.slice(0, pick(random, [1, 2])).map((node) => send(node, order)));
}

/** Says how many nodes died. Some of the orders are sent again, and whatever is left over is closed. */
export async function orderAndDie(story: Story, orders: readonly SentOrder[]): Promise<number> {
  const { world, random, tampering } = story;
  misbehave(world, random);
  const nodes = await Promise.all(orders.map((order) => mortal(story, order)));
  await Promise.all(nodes.map((node, index) => send(node, orders[index] as SentOrder)));
  await Promise.all(nodes.map((node) => node.leave()));
  await story.inRuins?.();
  for (const { system } of world.systems) if (random() < 0.5) system.applyLate();
  const living = [
    await startOrderNode(world, { tampering }),
    await startOrderNode(world, { tampering }),
  ] as const;
  for (const order of orders) if (isNamed(order) && random() < 0.6) await insist(story, order, living);
  await closeTheRest(story);
  await clearUp(world, living[0]);
  for (const order of orders.filter(isNamed)) await send(living[1], order);
  await Promise.all(living.map((node) => node.leave()));
  return nodes.filter(({ life }) => life.isDead()).length;
}

/** Whoever closes can die as well. */
async function closeTheRest({ world, random }: Story): Promise<void> {
  world.pass(ABANDONED_SECONDS);
  const dying = await startOrderNode(world, { life: createLife({ diesAfter: Math.floor(random() * 30) }) });
  await dying.services.orders.closeAbandoned().catch(() => {});
  await dying.leave();
  await closeAbandoned(world);
}

/** Of every order that anybody is at work on, or should be, the time is up. */
export async function closeAbandoned({ pass, bistros }: World): Promise<void> {
  pass(ABANDONED_SECONDS);
  await bistros.app.services.orders.closeAbandoned();
}
